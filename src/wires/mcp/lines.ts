import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../../core/limits.ts';
import { around, exceeds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';

export type Message = Readonly<Record<string, unknown>>;
export type MessageId = string | number;

const NEWLINE = 10;

/** What is held back to go out in one piece: so many letters, and for so many milliseconds. */
const MOST_HELD = 65_536;
const LONGEST_HELD = 5;

/** How long a reader that does not read is waited for at the end, in milliseconds. */
const PATIENCE = 1000;

/** One JSON-RPC message a line. What is no message is answered, and the next line is read. */
export class Lines {
  /** Ends when the input has, and what was asked by then is answered. */
  readonly ended: Promise<void>;
  onMessage: (message: Message) => void = () => {};
  /** Told when nobody can be answered any more. */
  onClose: () => void = () => {};
  #resolveEnded: () => void = () => {};
  /** The beginning of a line whose end has not come yet. */
  #chunks: Buffer[] = [];
  #size = 0;
  /** What is written while a chunk is read goes out in one piece, unless there is much of it or it takes long. */
  #held: string | undefined;
  #heldSince = 0;
  /** Requests that are not answered yet. */
  readonly #asked = new Set<MessageId>();
  #isEnding = false;
  #isClosed = false;

  constructor(
    private readonly input: Readable,
    private readonly output: Writable,
    private readonly limits: Limits,
  ) {
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
  }

  start(): void {
    this.input.on('data', (chunk: Buffer) => this.#read(chunk));
    this.input.once('end', () => void this.finish());
    this.input.once('error', () => void this.finish());
    this.output.on('error', () => void this.close()); // whoever read it is gone
    this.output.on('drain', () => this.input.resume());
  }

  /** Notes that a request is being worked on: the end waits for its answer. */
  expect(id: MessageId): void {
    this.#asked.add(id);
  }

  /** Notes that it is answered, or will not be. */
  settle(id: MessageId): void {
    this.#asked.delete(id);
    if (this.#isEnding && this.#asked.size === 0) void this.close();
  }

  /** Writes a message. Nothing more is read while nobody reads the answers. */
  write(text: string): void {
    if (this.#isClosed) return;
    if (this.#held === undefined) return this.#send(`${text}\n`);
    this.#held += `${text}\n`;
    if (this.#held.length > MOST_HELD || Date.now() - this.#heldSince > LONGEST_HELD) this.#release('');
  }

  #release(next: '' | undefined): void {
    const held = this.#held;
    this.#held = next;
    this.#heldSince = Date.now();
    if (held) this.#send(held);
  }

  #send(text: string): void {
    if (!this.#isClosed && !this.output.write(text)) this.input.pause();
  }

  /** Nothing more is read; what was asked is answered, within the limit. */
  async finish(): Promise<void> {
    this.#isEnding = true;
    this.input.removeAllListeners('data').pause();
    if (this.#asked.size === 0) return this.close();
    const timer = setTimeout(() => void this.close(), this.limits.drain);
    await this.ended;
    clearTimeout(timer);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onClose();
    const timer = setTimeout(() => this.output.destroy(), PATIENCE);
    await new Promise<void>((resolve) => {
      this.output.once('close', resolve);
      this.output.end(() => resolve());
    });
    clearTimeout(timer);
    this.#resolveEnded();
  }

  #read(chunk: Buffer): void {
    this.#release('');
    try {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
        this.#line(chunk, from, at);
        from = at + 1;
      }
      if (from < chunk.length) this.#keep(from === 0 ? chunk : chunk.subarray(from));
    } finally {
      this.#release(undefined);
    }
  }

  /** Of a line that is too long only its length is kept. */
  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.limits.line) this.#chunks = [];
    else if (part.length > 0) this.#chunks.push(part);
  }

  #line(chunk: Buffer, from: number, to: number): void {
    const size = this.#size + to - from;
    if (this.#size > 0) this.#keep(chunk.subarray(from, to));
    const text = this.#size > 0 ? Buffer.concat(this.#chunks).toString() : chunk.toString('utf8', from, to);
    this.#size = 0;
    this.#chunks = [];
    if (size > this.limits.line) this.#refuse(-32600, `Invalid Request: a line of more than ${this.limits.line} bytes`);
    else if (text !== '') this.#message(text);
  }

  #message(text: string): void {
    const message = parse(text);
    if (message === undefined) {
      if (text.trim() !== '') this.#refuse(-32700, 'Parse error: Invalid JSON');
      return;
    }
    if (!isRecord(message)) return this.#refuse(-32600, 'Invalid Request: one object a line');
    const id = isId(message['id']) ? message['id'] : null;
    const excess = exceeds(message, around(this.limits));
    if (excess) return this.#refuse(-32600, `Invalid Request: ${excess.message}`, id);
    if (message['jsonrpc'] !== '2.0' || ('id' in message && id === null))
      return this.#refuse(-32600, 'Invalid Request: not JSON-RPC 2.0', id);
    this.onMessage(message);
  }

  #refuse(code: number, message: string, id: MessageId | null = null): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }));
  }
}

/** Undefined for what is not JSON. Spaces that JSON does not know may stand around it. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    try {
      return JSON.parse(text.trim()) as unknown;
    } catch {
      return undefined;
    }
  }
}

export const isId = (id: unknown): id is MessageId => typeof id === 'string' || typeof id === 'number';
