import { complain } from './terminal.ts';

/** Runs something; what a person did wrong becomes one sentence and an exit code, which is returned. */
export async function complainToPeople<T>(run: () => Promise<T>): Promise<T | number> {
  try {
    return await run();
  } catch (error) {
    if (!isForPeople(error)) throw error;
    complain(error.message);
    return 1;
  }
}

/** By name: the app may have been made by another copy of the package, and nothing is loaded to look at it. */
export function isForPeople(error: unknown): error is Error {
  return error instanceof Error && FOR_PEOPLE.has(error.name);
}

const FOR_PEOPLE = new Set(['AppError', 'ModuleError', 'ProjectError']);
