// Makes 100,000 calls of generated functions on every wire: ten registries, 10,000 calls each.
// npm run parity, or npm run parity -- <seed> to repeat a run.
import { spawnSync } from 'node:child_process';
import { createJiti } from 'jiti';

const REGISTRIES = 10;
const CALLS = 10_000;

const given = process.argv[2] ?? String(Math.floor(Math.random() * 1e9));
if (!/^\d{1,9}$/.test(given)) {
  console.error('Usage: npm run parity -- [seed], a whole number');
  process.exit(2);
}
console.log(`seed ${given}; repeat with npm run parity -- ${given}`);
const sums = { calls: 0, answers: 0, successes: 0, differences: 0 };
for (let i = 0; i < REGISTRIES; i++) {
  const own = String(Number(given) + i);
  const args = ['parity', 'test/apps/parity.ts', '--all', '--calls', String(CALLS), '--seed', own];
  const { stdout, status } = spawnSync(process.execPath, ['dist/bin/everywire.js', ...args, '--json'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PARITY_SEED: own },
    maxBuffer: 2 ** 28,
  });
  if (status !== 0 && status !== 1) throw new Error(`everywire ${args.join(' ')} ended with ${status}`);
  const found = JSON.parse(stdout.toString());
  for (const difference of found.differences) console.log(JSON.stringify(difference));
  const { calls, answers, successes, differences } = found;
  const counted = { calls, answers, successes, differences: differences.length };
  for (const [name, count] of Object.entries(counted)) sums[name] += count;
  console.log(`registry ${own}: ${describeResult(counted)}`);
  if (status === 1) console.log(`  PARITY_SEED=${own} npx everywire ${args.join(' ')}`);
}
const { report } = await createJiti(import.meta.url, { fsCache: false }).import('../test/reliability/figures.ts');
report('parity', { ...sums, seed: `seed ${given}` });
process.exit(sums.differences > 0 ? 1 : 0);

function describeResult(counts) {
  return Object.entries(counts)
    .map(([name, count]) => `${name} ${count.toLocaleString('en')}`)
    .join(', ');
}
