import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { createApp, defineFunction } from 'everywire';

// An app that holds a timer and a socket open for as long as it lives, as one with a database does, and whose functions
// do to the process what they must not.

setInterval(() => {}, 1000);
createServer().listen(0, '127.0.0.1');
// app.run comes too late for what is printed before it.
if (!process.env['QUIET']) spawnSync('echo', ['printed by a child while loading'], { stdio: 'inherit' });

const output = { type: 'string', description: 'What it says' } as const;
const never = () => new Promise<string>(() => {});

const print = defineFunction({
  name: 'Print',
  description: 'Prints in every way there is, then answers',
  output,
  run: () => {
    console.log('printed by console.log');
    process.stdout.write('printed by process.stdout\n');
    writeSync(1, 'printed by the descriptor\n');
    spawnSync('sh', ['-c', 'echo printed by a child; sh -c "echo printed by a grandchild"'], { stdio: 'inherit' });
    return 'done';
  },
});

const exit = defineFunction({
  name: 'Exit',
  description: 'Ends the process',
  input: { type: 'object', properties: { code: { type: 'integer', description: 'The exit code', default: 0 } } },
  output,
  run: async ({ code }) => {
    await Promise.resolve();
    process.exit(code);
  },
});

const late = defineFunction({
  name: 'Late',
  description: 'Throws in a later tick, and never returns',
  output,
  timeout: 0,
  run: () => {
    setTimeout(() => {
      throw new Error('SECRET thrown later');
    }, 5);
    return never();
  },
});

const after = defineFunction({
  name: 'After',
  description: 'Returns, and throws in the next tick',
  output,
  run: () => {
    process.nextTick(() => {
      throw new Error('thrown after the answer');
    });
    setImmediate(() => {
      throw new Error('thrown after the answer, again');
    });
    return 'a'.repeat(300_000);
  },
});

export default createApp({ name: 'Restless', version: '1.0.0', functions: [print, exit, late, after] });
