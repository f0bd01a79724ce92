// Runs the tests on every version of Node that is supported: `npm run test:matrix`, or `npm run test:matrix -- test/unit`
// for a part of them, `-- node@26` for one version. The build is that of the default Node: what is published is built once. Ends with a line a version;
// if EVERYWIRE_FIGURES names a folder, the counts are also written there, for scripts/document-reliability.mjs.
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ALL = ['node@20', 'node@22', 'node@24', 'node@26'];
const given = process.argv.slice(2);
const chosen = ALL.filter((name) => given.includes(name));
const VERSIONS = chosen.length > 0 ? chosen : ALL;
const part = given.filter((argument) => !ALL.includes(argument));

const script = (name) => fileURLToPath(new URL(name, import.meta.url));
const vitest = script('../node_modules/vitest/vitest.mjs');
const found = JSON.parse(
  execFileSync(process.execPath, [script('runtimes.mjs'), ...VERSIONS], { stdio: ['ignore', 'pipe', 'inherit'] }),
);

const { EVERYWIRE_FIGURES: figuresFolder, ...ownEnv } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'everywire-matrix-'));
const outcomes = VERSIONS.map((name) => run(name, found[name]));
rmSync(folder, { recursive: true });

console.error('');
for (const { label, said } of outcomes) console.error(`${label}: ${said}`);
if (figuresFolder) {
  const figures = Object.fromEntries(outcomes.map(({ label, said }) => [label, said]));
  mkdirSync(figuresFolder, { recursive: true });
  writeFileSync(join(figuresFolder, 'matrix.json'), `${JSON.stringify({ name: 'matrix', figures }, null, 2)}\n`);
}
process.exitCode = outcomes.every(({ isPassed }) => isPassed) ? 0 : 1;

function run(name, node) {
  if (!node) return { label: name, said: 'FAILED, cannot be installed', isPassed: false };
  const label = `Node.js ${execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1)}`;
  console.error(`\n${label}`);
  const file = join(folder, `${name}.json`);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  // Built apps are started by their first line, which finds Node on PATH.
  const env = { ...ownEnv, PATH: `${dirname(node)}${delimiter}${ownEnv.PATH}` };
  const args = [vitest, 'run', ...reporters, ...part];
  const isPassed = spawnSync(node, args, { stdio: 'inherit', env }).status === 0;
  // An error outside of any test fails a run, and is in no count.
  return { label, said: `${isPassed ? '' : 'FAILED, '}${counted(file)}`, isPassed };
}

/** What a run counted; one that has found or finished nothing leaves no report. */
function counted(file) {
  if (!existsSync(file)) return 'no test has run';
  const { numPassedTests: passed, numFailedTests: failed, numPendingTests: skipped } = JSON.parse(readFileSync(file));
  const counts = [`${passed.toLocaleString('en')} passed`, `${failed.toLocaleString('en')} failed`];
  return [...counts, ...(skipped > 0 ? [`${skipped} skipped`] : [])].join(', ');
}
