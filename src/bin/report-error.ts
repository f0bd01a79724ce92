import { isUserError } from '../load/module-error.ts';
import type { Process } from './process.ts';

/** Runs a command. Mistakes of the user become one sentence and exit code 1, which is returned. */
export async function reportErrors<T>(proc: Process, run: () => Promise<T>): Promise<T | number> {
  try {
    return await run();
  } catch (error) {
    if (!isUserError(error)) throw error;
    proc.printError(error.message);
    return 1;
  }
}
