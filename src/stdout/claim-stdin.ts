import { Readable } from 'node:stream';

/**
 * Keeps stdin for the protocol: from now on process.stdin is at its end, so that nothing the app does with it can take away
 * a message, or end the server. To be called before user code is loaded.
 */
export function claimInput(): Readable {
  const { stdin } = process;
  const ended = Object.assign(Readable.from([]), { fd: 0 });
  Object.defineProperty(process, 'stdin', { value: ended, configurable: true, enumerable: true });
  return stdin;
}
