/** A module that cannot be served. The message is printed without a stack. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError';
}

/** Whether the message is enough for the user. */
export function isUserError(error: unknown): error is Error {
  return hasName(error, USER_ERRORS);
}

export const isMissingVariable = (error: unknown): boolean => hasName(error, new Set(['MissingVariable']));

/** By name, since another copy of the package may have created the error. */
function hasName(error: unknown, names: ReadonlySet<string>): error is Error {
  try {
    return error instanceof Error && names.has(error.name);
  } catch {
    return false; // a Proxy, or a getter that throws
  }
}

const USER_ERRORS = new Set(['AppError', 'InitError', 'MissingVariable', 'ModuleError', 'ProjectError']);
