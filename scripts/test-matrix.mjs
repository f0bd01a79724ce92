// Runs the tests on every version of Node that is supported: `npm run test:matrix`, or `npm run test:matrix -- test/unit`
// for a part of them. The build is that of the default Node: what is published is built once.
import { execFileSync, spawnSync } from 'node:child_process';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSIONS = ['node@20', 'node@22', 'node@24', 'node@26'];

const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const vitest = script('../node_modules/vitest/vitest.mjs');
const found = JSON.parse(
  execFileSync(process.execPath, [script('runtimes.mjs'), ...VERSIONS], { stdio: ['ignore', 'pipe', 'inherit'] }),
);

const failed = VERSIONS.filter((name) => {
  const node = found[name];
  if (!node) return true;
  console.error(`\n${name}: ${execFileSync(node, ['--version'], { encoding: 'utf8' })}`);
  // Built apps are started by their first line, which finds Node on PATH.
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH}` };
  return spawnSync(node, [vitest, 'run', ...process.argv.slice(2)], { stdio: 'inherit', env }).status !== 0;
});

if (failed.length > 0) console.error(`\nNOT PASSED: ${failed.join(', ')}`);
process.exitCode = failed.length > 0 ? 1 : 0;
