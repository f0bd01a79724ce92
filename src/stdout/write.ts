import { writeSync } from 'node:fs';
import { pauseBriefly } from './pause.ts';

/** Writes protocol bytes; the callback runs when they are written. */
export type Write = (text: string | Uint8Array, done?: () => void) => void;

/** Writes to a file descriptor synchronously. */
export function writerTo(fd: number): Write {
  return (text, done) => {
    writeAll(fd, typeof text === 'string' ? Buffer.from(text) : text);
    done?.();
  };
}

function writeAll(fd: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      // Another process made the descriptor non-blocking, and the reader is slow.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') pauseBriefly();
      else return endOnWriteError(error as NodeJS.ErrnoException);
    }
  }
}

let end: (code: number) => void = () => {};

/** A reader may stop early, like `head`: EPIPE is not an error worth a stack trace. */
export function endOnWriteError({ code }: NodeJS.ErrnoException): void {
  end(code === 'EPIPE' ? 0 : 1);
}

/** Sets the listener for an output without a reader: it gets the exit code of the process. */
export function onWriteError(listener: (code: number) => void): void {
  end = listener;
}
