/** A module that cannot be served, in words for the person who named it. */
export class ModuleError extends Error {
  override readonly name = 'ModuleError';
}
