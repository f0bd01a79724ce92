import { GrowingBytes } from '../../core/growing-bytes.ts';

/** What a body consists of: the headers of a part, then its bytes, then its end. */
export type PartEvent = { readonly headers: string } | { readonly data: Uint8Array } | 'end';

/** The body is not what multipart/form-data should be. */
export class MultipartMistake extends Error {}

const MAX_PARTS = 1000;
const MAX_HEADERS = 8192;
const MAX_PADDING = 256;

const TAB = 9;
const LF = 10;
const CR = 13;
const SPACE = 32;
const DASH = 45;

/** Where in a body the parser is. */
type State = 'before' | 'boundary' | 'headers' | 'body' | 'after';

/**
 * Takes multipart/form-data (RFC 7578, RFC 2046) apart while it arrives. Keeps at most the headers of one part and the
 * beginning of what may be a boundary. Takes linear time, however small the chunks are: what is kept is neither copied nor
 * searched again with each of them.
 */
export class MultipartParser {
  readonly #delimiter: Uint8Array;
  #state: State = 'before';
  #rest = new GrowingBytes();
  /** How many bytes of the headers of a part were searched for their end. */
  #searched = 0;
  #parts = 0;
  /** How many bytes are not the content of a part. */
  overhead = 0;

  constructor(boundary: string) {
    // As if a line had ended: the first boundary may be at the very beginning.
    this.#rest.add(Uint8Array.of(CR, LF));
    this.#delimiter = new TextEncoder().encode(`\r\n--${boundary}`);
  }

  /** What is in the next chunk. Data are views of it. */
  *feed(chunk: Uint8Array): Generator<PartEvent, void> {
    this.#rest.add(chunk);
    const { bytes } = this.#rest;
    let at = 0;
    let next: number | undefined = 0;
    while (next !== undefined && at < bytes.length) {
      at = next;
      if (this.#state === 'before' || this.#state === 'body') {
        const start = this.#find(bytes, at);
        const isWhole = start + this.#delimiter.length <= bytes.length;
        if (this.#state === 'before') this.overhead += start - at;
        else {
          if (start > at) yield { data: bytes.subarray(at, start) };
          if (isWhole) yield 'end';
        }
        at = start;
        next = isWhole ? this.#enter('boundary', at, at + this.#delimiter.length) : undefined;
      } else if (this.#state === 'boundary') {
        const end = endOfBoundary(bytes, at);
        next = end && this.#enter(end.isLast ? 'after' : 'headers', at, end.at);
      } else if (this.#state === 'headers') {
        const end = endOfHeaders(bytes, at, this.#searched);
        // The empty line may have arrived in part.
        this.#searched = end === undefined ? Math.max(0, bytes.length - at - 3) : 0;
        next = end === undefined ? undefined : this.#enter('body', at, end);
        if (end !== undefined) yield { headers: decode(bytes.subarray(at, end)) };
      } else next = this.#enter('after', at, bytes.length);
    }
    const used = next ?? at;
    if (used === 0) return;
    this.#rest = new GrowingBytes();
    if (used < bytes.length) this.#rest.add(bytes.slice(used));
  }

  /** Throws if the last boundary is missing. */
  end(): void {
    if (this.#state !== 'after') throw new MultipartMistake('it ends before its last boundary');
  }

  #enter(state: State, from: number, to: number): number {
    if (state === 'headers' && ++this.#parts > MAX_PARTS) throw new MultipartMistake(`more than ${MAX_PARTS} parts`);
    this.#state = state;
    this.overhead += to - from;
    return to;
  }

  /** Where the next boundary begins, or what may become one with the next chunk; the end if there is neither. */
  #find(bytes: Uint8Array, from: number): number {
    const delimiter = this.#delimiter;
    for (let start = bytes.indexOf(CR, from); start !== -1; start = bytes.indexOf(CR, start + 1)) {
      const length = Math.min(delimiter.length, bytes.length - start);
      let same = 1;
      while (same < length && bytes[start + same] === delimiter[same]) same++;
      if (same === length) return start;
    }
    return bytes.length;
  }
}

/** After a boundary: `--` ends the body, a line break begins a part. Undefined if it has not arrived yet. */
function endOfBoundary(bytes: Uint8Array, from: number): { readonly at: number; readonly isLast: boolean } | undefined {
  let at = from;
  if (bytes[at] === DASH) {
    if (at + 1 === bytes.length) return undefined;
    if (bytes[at + 1] === DASH) return { at: at + 2, isLast: true };
  }
  while (bytes[at] === SPACE || bytes[at] === TAB) at++;
  if (at - from > MAX_PADDING) throw new MultipartMistake('a boundary is followed by too many spaces');
  if (at === bytes.length || (bytes[at] === CR && at + 1 === bytes.length)) return undefined;
  if (bytes[at] === CR && bytes[at + 1] === LF) return { at: at + 2, isLast: false };
  throw new MultipartMistake('a boundary is followed by something other than a line break');
}

/** After the empty line that ends the headers of a part. Undefined if it has not arrived yet. */
function endOfHeaders(bytes: Uint8Array, from: number, searched: number): number | undefined {
  const isLineEnd = (at: number) => bytes[at] === CR && bytes[at + 1] === LF;
  if (isLineEnd(from)) return from + 2;
  const most = from + MAX_HEADERS;
  for (let at = bytes.indexOf(CR, from + searched); at !== -1 && at <= most; at = bytes.indexOf(CR, at + 1)) {
    if (isLineEnd(at) && isLineEnd(at + 2)) return at + 4;
  }
  if (bytes.length > most) throw new MultipartMistake(`the headers of a part are larger than ${MAX_HEADERS} bytes`);
  return undefined;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new MultipartMistake('the headers of a part are not UTF-8');
  }
}
