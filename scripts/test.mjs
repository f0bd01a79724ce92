// `npm test`: what a change needs, in a few minutes. `npm run test:full` (--full): everything, at full size. Both install what
// the tests need, build if src has changed, and run `npm run check` beside the tests. Arguments after `--` go to vitest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';

const given = process.argv.slice(2);
const isFull = given.includes('--full');
const chosen = given.filter((argument) => argument !== '--full');
const env = { ...process.env, ...(isFull && { EVERYWIRE_FULL: '1' }) };

/** The folders with packages of their own that the tests need. */
const folders = isFull
  ? [
      'test',
      'test/conformance',
      'test/generators',
      'test/embedding',
      'test/embedding/bundlers',
      'examples/shop',
      'bench',
    ]
  : ['test'];

await step('the programs that tests drive', ['scripts/debian-packages.mjs', ...(isFull ? ['--full'] : [])]);
await step('the packages of the tests', ['scripts/install.mjs', ...folders]);
await step('the build', ['scripts/build.mjs', '--if-changed']);

// Types, lint and unused code say nothing about a test, and tests nothing about them: both are told.
const checking = run(['scripts/check.mjs', ...(isFull ? ['--full'] : [])]);
const tests = spawn(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...chosen], { stdio: 'inherit', env });
const [[testsCode], checked] = await Promise.all([once(tests, 'exit'), checking]);
if (checked.code !== 0) console.log(`\nFAILED: npm run check\n${checked.output}`);
console.log(`Took ${Math.round(performance.now() / 1000)} s${cpu()}`);
process.exitCode = testsCode === 0 && checked.code === 0 ? 0 : 1;

/** The seconds of CPU of all processes that have ended; on Linux only. */
function cpu() {
  if (process.platform !== 'linux') return '';
  const [user, system] = readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ').slice(13);
  return `, ${Math.round((Number(user) + Number(system)) / 100)} s of CPU`;
}

/** Runs a script, and ends with what it printed if it fails. */
async function step(what, args) {
  const { code: failed, output } = await run(args);
  const [missing] = /NOT INSTALLED.*/.exec(output) ?? [];
  if (missing) console.error(missing);
  if (failed === 0) return;
  console.error(`FAILED: ${what}\n${output}`);
  process.exit(1);
}

async function run(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (output += text));
  const [code] = await once(child, 'close');
  return { code, output };
}
