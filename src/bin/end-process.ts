import type { App } from '../app/app.ts';
import type { Process } from './process.ts';

/** Ends a command whose answer is written: at once, unless the app has something to stop. */
export async function stopAndEnd(proc: Process, app: App | undefined, code: number): Promise<void> {
  if (app?.needsStop) await app.close();
  proc.end(code);
}
