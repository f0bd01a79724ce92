import { isUtf8 } from 'node:buffer';
import { SMALL_INPUT, cutNesting } from '../cut-nesting.ts';
import { invalidRequest, parseError } from './jsonrpc.ts';
import type { ErrorResponse, MessageId } from './jsonrpc.ts';

const NEWLINE = 10;

/** So many chunks of a line, each of fewer bytes, are joined before the line is complete. */
const MANY_CHUNKS = 1000;
const SMALL_CHUNK = 1000;

export interface LineReaderOptions {
  /** In bytes. */
  readonly maxLength: number;
  /** Levels of JSON; deeper ones are cut away before the text is made. */
  readonly maxDepth: number;
  readonly onLine: (text: string) => void;
  /** Receives the response to a line that cannot be read. */
  readonly onError: (response: ErrorResponse) => void;
}

/** Splits bytes into lines of text. */
export class LineReader {
  /** The beginning of a line that is not complete yet. */
  #chunks: Buffer[] = [];
  #size = 0;
  #smallChunks = 0;

  constructor(private readonly options: LineReaderOptions) {}

  read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      this.#line(chunk, from, at);
      from = at + 1;
    }
    if (from < chunk.length) this.#keep(from === 0 ? chunk : chunk.subarray(from));
  }

  /** The last line, if it has no newline and is UTF-8. */
  rest(): string | undefined {
    const rest = Buffer.concat(this.#size > this.options.maxLength ? [] : this.#chunks);
    return this.#textOf(rest, 0, rest.length);
  }

  /** Of a line that is too long, only the length, the beginning and the end are kept. */
  #keep(part: Buffer): void {
    this.#size += part.length;
    if (part.length > 0) this.#chunks.push(part);
    if (this.#size > this.options.maxLength) {
      const whole = Buffer.concat(this.#chunks);
      const ends = [whole.subarray(0, END_SIZE), whole.subarray(END_SIZE).subarray(-END_SIZE)];
      this.#chunks = [Buffer.concat(ends)];
      return;
    }
    // A line that arrives byte by byte would otherwise need a hundred times its size.
    if (part.length < SMALL_CHUNK && ++this.#smallChunks === MANY_CHUNKS) {
      this.#chunks.push(Buffer.concat(this.#chunks.splice(-MANY_CHUNKS)));
      this.#smallChunks = 0;
    }
  }

  #line(chunk: Buffer, from: number, to: number): void {
    const { maxLength } = this.options;
    if (this.#size > 0) {
      this.#keep(chunk.subarray(from, to));
      const [whole, size] = [Buffer.concat(this.#chunks), this.#size];
      this.#size = 0;
      this.#smallChunks = 0;
      this.#chunks = [];
      if (size > maxLength) this.#tooLong(whole);
      else this.#decode(whole, 0, size);
    } else if (to - from > maxLength) this.#tooLong(chunk.subarray(from, to));
    else if (to > from) this.#decode(chunk, from, to);
  }

  #tooLong(line: Buffer): void {
    const id = requestIdIn(line.toString('utf8', 0, END_SIZE), line.subarray(-END_SIZE).toString());
    this.options.onError(invalidRequest(id, `the line is longer than ${this.options.maxLength} bytes`));
  }

  #decode(bytes: Buffer, from: number, to: number): void {
    const text = this.#textOf(bytes, from, to);
    if (text === undefined) this.options.onError(parseError('invalid UTF-8'));
    else this.options.onLine(text);
  }

  /** Undefined if the bytes are not UTF-8. */
  #textOf(bytes: Buffer, from: number, to: number): string | undefined {
    if (to - from > SMALL_INPUT) {
      const { buffer, byteOffset, length } = cutNesting(bytes.subarray(from, to), this.options.maxDepth);
      [bytes, from, to] = [Buffer.from(buffer, byteOffset, length), 0, length];
    }
    const text = bytes.toString('utf8', from, to);
    // Invalid bytes become U+FFFD, but a client may also send that character itself.
    return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? undefined : text;
  }
}

/** So many bytes at each end of a line contain its id, wherever a client writes it. */
const END_SIZE = 512;
const MEMBER = String.raw`\s*"(?:jsonrpc|id|method)"\s*:\s*(?:"[^"\\]*"|-?\d{1,15})\s*`;
const HEAD = new RegExp(String.raw`^\s*\{((?:${MEMBER},)*)`);
const TAIL = new RegExp(String.raw`,((?:${MEMBER},)*${MEMBER})\}\s*$`);

/** The id of a request of which only the beginning and the end are known. Null if it may be a response: its id is ours. */
function requestIdIn(head: string, tail: string): MessageId | null {
  const members = `${HEAD.exec(head)?.[1] ?? ''}${TAIL.exec(tail)?.[1] ?? ''}`.replace(/,\s*$/, '');
  const { id = null, method } = JSON.parse(`{${members}}`) as { id?: MessageId; method?: unknown };
  return typeof method === 'string' ? id : null;
}
