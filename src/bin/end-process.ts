import { flushStdout } from '../stdout/claim.ts';

/**
 * Ends the process once everything printed is out. Commands that are done must say so: the app may hold timers, pools and
 * sockets, and the process would otherwise stay for as long as they do.
 */
export function endProcess(code: number): void {
  process.exitCode = code;
  flushStdout(() => void process.stderr.write('', () => process.exit(code)));
}
