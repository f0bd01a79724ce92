import { isForPeople } from '../load/module-error.ts';
import { printError } from '../stdout/stderr.ts';

/** Runs something; what a person did wrong becomes one sentence and an exit code, which is returned. */
export async function complainToPeople<T>(run: () => Promise<T>): Promise<T | number> {
  try {
    return await run();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    printError(error.message);
    return 1;
  }
}
