import { ContextFailure } from '../core/failure.ts';
import type { Data } from '../core/files.ts';
import { FolderError } from './folder.ts';
import type { OpenFile } from './folder.ts';

const CHUNK = 1 << 20;

/** The data that a function passed to write. */
export function toBytes(data: Data): Uint8Array {
  if (typeof data === 'string') return new TextEncoder().encode(data);
  if (data instanceof Uint8Array) return data;
  throw new ContextFailure('INVALID_ARGUMENTS', 'Expected a string or a Uint8Array to write');
}

/** Reads a part of a file in chunks. */
export async function* chunks(file: OpenFile, from: number, to: number): AsyncIterable<Uint8Array> {
  for (let at = from; at < to;) {
    const bytes = await file.read(at, Math.min(CHUNK, to - at));
    if (bytes.length === 0) throw new FolderError('changed');
    yield bytes;
    at += bytes.length;
  }
}

export async function* concat(...parts: readonly (AsyncIterable<Uint8Array> | Iterable<Uint8Array>)[]) {
  for (const part of parts) yield* part;
}
