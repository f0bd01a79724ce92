// Makes 100,000 calls of generated functions on every wire: ten registries, 10,000 calls each.
// npm run parity, or npm run parity -- <seed> to repeat a run.
import { spawnSync } from 'node:child_process';

const REGISTRIES = 10;
const CALLS = 10_000;

const given = process.argv[2] ?? String(Math.floor(Math.random() * 1e9));
if (!/^\d{1,9}$/.test(given)) {
  console.error('Usage: npm run parity -- [seed], a whole number');
  process.exit(2);
}
const seed = Number(given);
console.log(`seed ${seed}; repeat with npm run parity -- ${seed}`);
let failed = 0;
for (let i = 0; i < REGISTRIES; i++) {
  const own = String(seed + i);
  const args = ['parity', 'test/apps/parity.ts', '--calls', String(CALLS), '--seed', own];
  const { status } = spawnSync(process.execPath, ['dist/bin/everywire.js', ...args], {
    stdio: 'inherit',
    env: { ...process.env, PARITY_SEED: own },
  });
  if (status !== 0) {
    failed++;
    console.log(`registry ${own}: PARITY_SEED=${own} everywire ${args.join(' ')}`);
  }
}
console.log(`${REGISTRIES * CALLS} calls, ${failed} of ${REGISTRIES} registries with differences`);
process.exit(failed > 0 ? 1 : 0);
