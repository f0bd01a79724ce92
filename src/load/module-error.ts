/** A module that cannot be served, in words for the person who named it. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError';
}

/** By name: the app may have been made by another copy of the package, and nothing is loaded to look at it. */
export function isForPeople(error: unknown): error is Error {
  try {
    return error instanceof Error && FOR_PEOPLE.has(error.name);
  } catch {
    return false; // a Proxy, or a getter that throws
  }
}

const FOR_PEOPLE = new Set(['AppError', 'ModuleError', 'ProjectError']);
