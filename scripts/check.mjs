// `npm run check`: format, lint, types and unused code, all of them even if one fails. With --full also the types of tests
// whose packages `npm run test:full` installs, and the lint rules that need types for all files.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

const isFull = process.argv.includes('--full');
const checks = [
  ['format', 'oxfmt', '--check', '.'],
  ['lint', 'oxlint', ...(isFull ? ['--type-aware'] : [])],
  // Rules that need types cost more than all others: without --full they look at what is published.
  ...(isFull ? [] : [['lint with types', 'oxlint', '--type-aware', 'src', 'scripts']]),
  ['types', 'tsc', '--noEmit', '-p', isFull ? 'tsconfig.full.json' : 'tsconfig.check.json'],
  ['types of the console', 'tsc', '--noEmit', '-p', 'src/console'],
  ['unused code', 'knip'],
];

let failed = 0;
const left = [...checks];
await Promise.all(Array.from({ length: Math.min(2, availableParallelism()) }, checkRest));
process.exitCode = failed > 0 ? 1 : 0;

async function checkRest() {
  for (let next = left.shift(); next; next = left.shift()) {
    const [name, command, ...args] = next;
    const child = spawn(`node_modules/.bin/${command}`, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    const [code] = await once(child, 'close');
    if (code === 0) continue;
    failed++;
    console.log(`${name}: ${[command, ...args].join(' ')}\n${output}`);
  }
}
