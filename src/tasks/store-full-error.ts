/** The store has no room for a task, or for what it returned. */
export class StoreFullError extends Error {
  override readonly name = 'StoreFullError';
}
