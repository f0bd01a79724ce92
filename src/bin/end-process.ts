import type { App } from '../app/app.ts';
import { flushStdout } from '../stdout/claim.ts';

/**
 * Ends the process when everything printed is written. A command that is done must call this: the app may hold timers, pools
 * and sockets, which would keep the process running.
 */
export function endProcess(code: number): void {
  process.exitCode = code;
  flushStdout(() => void process.stderr.write('', () => process.exit(code)));
}

/** Ends the process of a call whose answer is written: at once, unless the app has something to stop. */
export async function stopAndExit(app: App | undefined, code: number): Promise<void> {
  if (app?.needsStop) await app.close();
  process.exit(code);
}
