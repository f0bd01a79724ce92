import { isBase64, toBase64 } from '../schema/base64.ts';
import { baseName, fromFileForm, isBlob, mediaType } from '../schema/file-form.ts';
import type { FileForm } from '../schema/file-form.ts';
import { isRecord } from '../schema/json-schema.ts';
import { received } from '../schema/problem.ts';
import type { ReadSchema } from '../schema/schema.ts';
import { FrameworkError } from './failure.ts';
import { FILE_HANDLE, isFileHandle } from './file-handle.ts';
import type { FileHandle } from './file-handle.ts';
import type { Released, Releasing } from './input-output.ts';
import { StreamedFile } from './streamed-file.ts';

interface ReleaseOptions {
  /** Of the schema library. */
  readonly parse: ReadSchema['parse'];
  /** Bytes of a file in JSON. */
  readonly limit: number;
  readonly state: Releasing | undefined;
}

/** The file that a function returned: unread if the wire takes it so, otherwise in its JSON form. */
export async function releaseFile(value: unknown, { parse, limit, state }: ReleaseOptions): Promise<Released> {
  const file = toHandle(value);
  if (!file) return { problems: [{ pointer: '', message: `expected a file, got ${received(value)}` }] };
  // Nobody will read it: the call timed out, or the client disconnected.
  if (state?.ended) {
    if (!isBlob(file)) await file.stream().cancel();
    return { value: undefined };
  }
  // A library can check a file, but not one that is still being produced.
  const parsed = parse && isBlob(file) ? await parse(file) : { value: file };
  if (parsed.problems) return parsed;
  const checked = parsed.value as FileHandle;
  const takes = state?.parts.call.takesFile ?? false;
  if (!takes) return { value: await toForm(checked, limit, state) };
  return { value: takes === 'memory' && !isBlob(checked) ? await toMemory(checked, limit, state) : checked };
}

/** What a function may return as a file: see ReturnedFile. The JSON form too, for what comes from another service. */
function toHandle(value: unknown): FileHandle | undefined {
  if (isReceiving(value)) {
    const { name, type, size } = value;
    return new StreamedFile(baseName(name), mediaType(type), value.stream(), Number.isNaN(size) ? undefined : size);
  }
  if (isBlob(value)) return toFile(value);
  if (isFileHandle(value)) return value;
  if (value instanceof Uint8Array) return new File([value as Uint8Array<ArrayBuffer>], '');
  if (!isRecord(value)) return undefined;
  const { name = '', type = '', stream, data } = value;
  if (typeof name !== 'string' || typeof type !== 'string') return undefined;
  if (data instanceof Uint8Array) {
    return new File([data as Uint8Array<ArrayBuffer>], baseName(name), { type: mediaType(type) });
  }
  if (typeof data === 'string' && isBase64(data)) return fromFileForm({ name, type, data });
  return isIterable(stream) ? new StreamedFile(baseName(name), mediaType(type), stream, undefined) : undefined;
}

/** A File of our client that is too large for memory. */
function isReceiving(value: unknown): value is File {
  return isBlob(value) && FILE_HANDLE in value;
}

/** Not copied: a File of a Blob refers to its bytes. */
function toFile(blob: Blob): File {
  return blob instanceof File ? blob : new File([blob], '', { type: blob.type });
}

function isIterable(value: unknown): value is AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || 'getReader' in value);
}

/** Reads a file that must fit into JSON. Throws if it is too large. */
async function toForm(file: FileHandle, limit: number, state?: Releasing): Promise<FileForm> {
  const { name, type } = file;
  const data = toBase64(await readUpTo(file, limit, state));
  return { ...(name && { name }), ...(type && { type }), data };
}

/** From a file to its JSON form, or back. */
export async function convertFile(data: unknown, limit: number): Promise<unknown> {
  return isFileHandle(data) ? toForm(data, limit) : fromFileForm(data as FileForm);
}

async function toMemory(file: FileHandle, limit: number, state: Releasing | undefined): Promise<File> {
  const bytes = await readUpTo(file, limit, state);
  return new File([bytes as Uint8Array<ArrayBuffer>], file.name, { type: file.type });
}

async function readUpTo(file: FileHandle, limit: number, state?: Releasing): Promise<Uint8Array> {
  if (file.size !== undefined && file.size > limit) {
    if (!isBlob(file)) await file.stream().cancel();
    throw tooLarge(limit);
  }
  if (isBlob(file)) return new Uint8Array(await file.arrayBuffer());
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = file.stream().getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.byteLength;
    // A call that has ended in the meantime needs no result.
    if (size > limit || state?.ended) {
      await reader.cancel();
      throw tooLarge(limit);
    }
    chunks.push(next.value);
  }
  // Not with a Blob, which takes long for thousands of small chunks.
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

function tooLarge(limit: number): FrameworkError {
  return new FrameworkError(
    'NOT_ACCEPTABLE',
    `The file is larger than ${limit} bytes, too large for JSON. ` +
      'Over HTTP, Accept: */* gets it as it is; on the command line, --out <file> does',
  );
}

/** Replaces the files in a private copy of a result by their JSON form. Together they must fit into the limit. */
export async function readFilesInside(value: unknown, limit: number): Promise<Released> {
  let left = limit;
  const problem = { pointer: '', message: `the files are larger than ${limit} bytes together` };
  const replace = async (inner: unknown): Promise<unknown> => {
    if (typeof inner !== 'object' || inner === null) return inner;
    if (isBlob(inner)) {
      left -= inner.size;
      return left < 0 ? undefined : toForm(toFile(inner), limit);
    }
    // One after the other: a list of a thousand files must not be read at once.
    const fields = inner as Record<string, unknown>;
    for (const [name, field] of Object.entries(fields)) {
      if (left < 0) break;
      if (typeof field === 'object' && field !== null) fields[name] = await replace(field);
    }
    return inner;
  };
  const replaced = await replace(value);
  return left < 0 ? { problems: [problem] } : { value: replaced };
}
