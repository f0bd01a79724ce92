import { Readable } from 'node:stream';

/**
 * Keeps stdin for the protocol. From now on process.stdin is an ended stream, so that the app can neither take messages nor
 * end the server. Call this before user code is loaded.
 */
export function claimStdin(): Readable {
  const { stdin } = process;
  const ended = Object.assign(Readable.from([]), { fd: 0 });
  Object.defineProperty(process, 'stdin', { value: ended, configurable: true, enumerable: true });
  return stdin;
}
