import { spawn } from 'node:child_process';
import { OUTPUT } from './stdout.ts';
import { complain } from './terminal.ts';

/**
 * Where stdout cannot be moved out of everybody's reach (a file, or anything not on Linux), the command runs once more,
 * in a process whose descriptor 1 is stderr and whose own output is descriptor 3. This one has then done its part.
 */
export async function runInOwnProcess(): Promise<never> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 2, 'inherit', 1],
    env: { ...process.env, [OUTPUT]: '3' },
  });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve) => {
    child.once('error', ({ message }) => {
      complain(message);
      resolve(1);
    });
    child.once('exit', (ended, signal) => resolve(ended ?? (signal ? 1 : 0)));
  });
  return process.exit(code);
}
