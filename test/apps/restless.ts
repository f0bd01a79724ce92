import { spawnSync } from 'node:child_process';
import { writeSync } from 'node:fs';
import { createServer } from 'node:net';
import { createApp } from 'everywire';
import { fn, integer, object, string as output } from '../kit/functions.ts';

// An app that holds a timer and a socket open for as long as it lives, as one with a database does, and whose functions
// do to the process what they must not.

setInterval(() => {}, 1000);
createServer().listen(0, '127.0.0.1');
// app.run comes too late for what is printed before it.
if (!process.env['QUIET']) spawnSync('echo', ['printed by a child while loading'], { stdio: 'inherit' });

const functions = [
  fn('Print', { output }, () => {
    console.log('printed by console.log');
    process.stdout.write('printed by process.stdout\n');
    writeSync(1, 'printed by the descriptor\n');
    spawnSync('sh', ['-c', 'echo printed by a child; sh -c "echo printed by a grandchild"'], { stdio: 'inherit' });
    return 'done';
  }),
  fn('Exit', { input: object({ code: { ...integer, default: 0 } }, []), output }, async ({ code }) => {
    await Promise.resolve();
    process.exit(code);
  }),
  fn('Late', { output, timeout: 0 }, () => {
    setTimeout(() => {
      throw new Error('SECRET thrown later');
    }, 5);
    return new Promise(() => {});
  }),
  fn('After', { output }, () => {
    process.nextTick(() => {
      throw new Error('thrown after the answer');
    });
    setImmediate(() => {
      throw new Error('thrown after the answer, again');
    });
    return 'a'.repeat(300_000);
  }),
];

export default createApp({ name: 'Restless', version: '1.0.0', functions });
