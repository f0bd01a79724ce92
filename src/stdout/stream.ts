import { createWriteStream } from 'node:fs';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { claimStdout, ownOutput, statOf } from './stdout.ts';

/** What claimStdout gives, as a stream, for wires that write for long and must not wait for their reader. */
export function claimOutput(): Writable {
  const out = ownOutput();
  if (out === undefined) {
    const write = claimStdout();
    return new Writable({ write: (chunk: Buffer, _encoding, done) => write(chunk.toString(), () => done()) });
  }
  return statOf(out).isFile() ? createWriteStream('', { fd: out }) : new Socket({ fd: out, readable: false });
}
