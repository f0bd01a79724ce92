/** Why no project can be created. The message is for the user. */
export class InitError extends Error {
  override readonly name = 'InitError';
}
