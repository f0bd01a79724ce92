import { flushStdout } from '../stdout/claim.ts';

/**
 * Ends the process when everything printed is written. A command that is done must call this: the app may hold timers, pools
 * and sockets, which would keep the process running.
 */
export function endProcess(code: number): void {
  process.exitCode = code;
  flushStdout(() => void process.stderr.write('', () => process.exit(code)));
}
