import { isUtf8 } from 'node:buffer';
import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../../core/limits.ts';
import { around } from '../../schema/bounds.ts';
import type { Bounds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { InexactNumber, parseJson } from '../../schema/parse-json.ts';
import { FEW, shallow } from '../shallow.ts';
import { excessIn, mistakeIn } from './check-message.ts';
import { invalidRequest, invalidRequestText, isId, kindOf, parseError, unavailable } from './jsonrpc.ts';
import type { ErrorResponse, Message, MessageId } from './jsonrpc.ts';
import { Outbox } from './outbox.ts';
import type { Written } from './outbox.ts';

const NEWLINE = 10;

/** Parts of a line that are joined before its end has come: so many, each of fewer bytes. */
const MANY = 1000;
const SMALL = 1000;

/** Milliseconds that a reader is given at the end, even where calls are given none. */
const PATIENCE = 1000;

/** How a conversation ended. */
export interface Ending {
  /** Requests that were not done in time. They have been answered with an error. */
  readonly unanswered: number;
  readonly written: Written;
}

/** One JSON-RPC message a line. What is no message is answered, and the next line is read. */
export class Lines {
  /** Ends when the input has, or after `finish`, and what was asked by then is answered. */
  readonly ended: Promise<Ending>;
  onMessage: (message: Message) => void = () => {};
  /** Told when nothing more will be heard. */
  onEnd: () => void = () => {};
  /** Told when everything is answered, to say what is said last. */
  onClose: () => void | Promise<void> = () => {};
  readonly #outbox: Outbox;
  readonly #bounds: Bounds;
  #resolveEnded: (how: Ending) => void = () => {};
  /** The beginning of a line whose end has not come yet. */
  #chunks: Buffer[] = [];
  #size = 0;
  #small = 0;
  /** Requests that are not answered yet, and how many of each id: some clients have only one for all. */
  readonly #asked = new Map<MessageId, number>();
  #unanswered = 0;
  #hasEnded = false;
  #isEnding = false;
  #isClosing = false;
  #isClosed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly limits: Limits,
  ) {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#bounds = around(limits);
    // Nothing more is read while nobody reads the answers.
    this.#outbox = new Outbox(output, (isFull) => {
      if (isFull) input.pause();
      else if (!this.#isClosing) input.resume();
    });
  }

  start(): void {
    this.input.on('data', (chunk: Buffer) => this.#read(chunk));
    for (const end of ['end', 'error', 'close']) this.input.once(end, () => this.#endInput());
    this.output.on('error', () => void this.close()); // whoever read it is gone
  }

  /** Notes that a request is being worked on: the end waits for its answer. */
  expect(id: MessageId): void {
    this.#asked.set(id, (this.#asked.get(id) ?? 0) + 1);
  }

  /** Whether a request is being worked on. */
  expects(id: MessageId): boolean {
    return this.#asked.has(id);
  }

  /** Notes that it is answered, or will not be. */
  settle(id: MessageId): void {
    const count = this.#asked.get(id) ?? 0;
    if (count > 1) this.#asked.set(id, count - 1);
    else this.#asked.delete(id);
    if (this.#isEnding && this.#asked.size === 0) void this.close();
  }

  /** Writes an answer, or a question. */
  write(text: string): void {
    if (!this.#isClosed) this.#outbox.write(text);
  }

  /** Writes what may be dropped when nobody reads it. */
  mention(text: string): void {
    if (!this.#isClosed) this.#outbox.mention(text);
  }

  /** Writes what need not be said twice. */
  announce(text: string): void {
    if (!this.#isClosed) this.#outbox.announce(text);
  }

  refuse(response: ErrorResponse): void {
    this.write(JSON.stringify(response));
  }

  /** Takes nothing new; what was asked is answered, within the limit. */
  async finish(): Promise<void> {
    if (!this.#isEnding) {
      this.#isEnding = true;
      if (this.#asked.size === 0) void this.close();
      else {
        const timer = setTimeout(() => this.#giveUp(), this.limits.drain);
        void this.ended.then(() => clearTimeout(timer));
      }
    }
    await this.ended;
  }

  #giveUp(): void {
    for (const [id, count] of this.#asked)
      for (let i = 0; i < count; i++, this.#unanswered++)
        this.refuse(unavailable(id, 'The server stopped before this was done'));
    this.#asked.clear();
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.input.removeAllListeners('data').pause();
    await this.onClose();
    this.#isClosed = true;
    const written = await this.#outbox.end(Math.max(this.limits.drain, PATIENCE));
    this.#resolveEnded({ unanswered: this.#unanswered, written });
  }

  #endInput(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // The last line may lack its end; if it is no JSON either, then whoever wrote it was interrupted.
    const rest = Buffer.concat(this.#chunks);
    const text = this.#textOf(rest, 0, rest.length);
    if (text !== undefined && parse(text) !== undefined) this.#message(text);
    this.onEnd();
    void this.finish();
  }

  #read(chunk: Buffer): void {
    this.#outbox.hold();
    try {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        this.#line(chunk, from, at);
        from = at + 1;
      }
      if (from < chunk.length) this.#keep(from === 0 ? chunk : chunk.subarray(from));
    } finally {
      this.#outbox.release();
    }
  }

  /** Of a line that is too long only its length is kept. */
  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.limits.line) this.#chunks = [];
    else if (part.length > 0) this.#chunks.push(part);
    // A line that comes byte by byte would else take a hundred times its size.
    if (part.length < SMALL && ++this.#small === MANY) {
      this.#chunks.push(Buffer.concat(this.#chunks.splice(-MANY)));
      this.#small = 0;
    }
  }

  #line(chunk: Buffer, from: number, to: number): void {
    if (this.#size > 0) {
      this.#keep(chunk.subarray(from, to));
      const [whole, size] = [Buffer.concat(this.#chunks), this.#size];
      this.#size = 0;
      this.#small = 0;
      this.#chunks = [];
      if (size > this.limits.line) this.#refuseLine();
      else this.#bytes(whole, 0, size);
    } else if (to - from > this.limits.line) this.#refuseLine();
    else if (to > from) this.#bytes(chunk, from, to);
  }

  #refuseLine(): void {
    this.refuse(invalidRequest(null, `a line of more than ${this.limits.line} bytes`));
  }

  #bytes(bytes: Buffer, from: number, to: number): void {
    const text = this.#textOf(bytes, from, to);
    if (text === undefined) this.refuse(parseError('not in UTF-8'));
    else this.#message(text);
  }

  /** Undefined for what is not UTF-8. */
  #textOf(bytes: Buffer, from: number, to: number): string | undefined {
    if (to - from > FEW) {
      const { buffer, byteOffset, length } = shallow(bytes.subarray(from, to), this.#bounds.depth);
      [bytes, from, to] = [Buffer.from(buffer, byteOffset, length), 0, length];
    }
    const text = bytes.toString('utf8', from, to);
    // What is not UTF-8 has become this letter; others may have sent the letter itself.
    return text.includes('\ufffd') && !isUtf8(bytes.subarray(from, to)) ? undefined : text;
  }

  #message(text: string): void {
    const message = parse(text);
    if (message === undefined) {
      if (text.trim() !== '') this.refuse(parseError('Invalid JSON'));
      return;
    }
    if (!isRecord(message)) return this.refuse(invalidRequest(null, 'one object a line'));
    const kind = kindOf(message);
    const mistake = kind === 'response' ? undefined : this.#mistakeIn(message);
    if (mistake !== undefined) {
      // To answer a notification would be a mistake of our own.
      if (kind !== 'notification' || message['jsonrpc'] !== '2.0' || typeof message['method'] !== 'string')
        this.#refuseId(mistake, message['id'], text);
    } else if (kind === 'request' && this.#isEnding)
      this.refuse(unavailable(message['id'] as MessageId, 'The server is about to stop'));
    else this.onMessage(message);
  }

  #mistakeIn(message: Message): string | undefined {
    if (message['jsonrpc'] !== '2.0') return 'not JSON-RPC 2.0';
    return mistakeIn(message) ?? excessIn(message, this.#bounds);
  }

  /** Says what is wrong to whoever waits for an answer with that id, if it is one. */
  #refuseId(mistake: string, id: unknown, text: string): void {
    if (isId(id)) return this.refuse(invalidRequest(id, mistake));
    // A number that we cannot repeat goes back as it was written.
    if (id instanceof InexactNumber) return this.write(invalidRequestText(id.text, mistake));
    if (typeof id === 'number') return this.write(invalidRequestText(digitsOf(id, text), mistake));
    this.refuse(invalidRequest(null, mistake));
  }
}

function digitsOf(id: number, text: string): string {
  for (const [, digits = ''] of text.matchAll(/"id"\s*:\s*(-?\d[\d.eE+-]*)/g)) if (Number(digits) === id) return digits;
  return 'null';
}

/** Undefined for what is not JSON. Spaces that JSON does not know may stand around it. */
function parse(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    const trimmed = text.trim();
    if (trimmed.length === text.length) return undefined;
    try {
      return parseJson(trimmed);
    } catch {
      return undefined;
    }
  }
}
