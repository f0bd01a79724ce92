import type { Readable, Writable } from 'node:stream';
import type { Limits } from '../../core/limits.ts';
import { messageBounds } from '../../schema/bounds.ts';
import type { Bounds } from '../../schema/bounds.ts';
import { kindOf, parseError, unavailable } from './jsonrpc.ts';
import type { ErrorResponse, Message, MessageId } from './jsonrpc.ts';
import { LineReader } from './line-reader.ts';
import { Outbox } from './outbox.ts';
import type { Written } from './outbox.ts';
import { parseLine, rejectionOf } from './parse-line.ts';

/** Milliseconds that the client always has to read the last responses, even if running calls have less. */
const MIN_FLUSH_TIME = 1000;

/** How a connection ended. */
export interface Ending {
  /** Requests that did not end in time. They got an error as response. */
  readonly unanswered: number;
  readonly written: Written;
}

/** JSON-RPC with one message per line. Invalid lines get an error as response. */
export class LineTransport {
  /** Resolves after the end of the input or `finish`, once all pending requests have a response. */
  readonly ended: Promise<Ending>;
  onMessage: (message: Message) => void = () => {};
  /** Called when no more messages will arrive. */
  onEnd: () => void = () => {};
  /** Called when all requests have a response, and before the output is closed. */
  onClose: () => void | Promise<void> = () => {};
  readonly #outbox: Outbox;
  readonly #reader: LineReader;
  readonly #bounds: Bounds;
  #resolveEnded: (how: Ending) => void = () => {};
  /** How many requests are pending, by id: some clients use the same id for all. */
  readonly #pending = new Map<MessageId, number>();
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
    this.#bounds = messageBounds(limits);
    // Backpressure: nothing is read while the client does not read the responses.
    this.#outbox = new Outbox(output, (isFull) => {
      if (isFull) input.pause();
      else if (!this.#isClosing) input.resume();
    });
    this.#reader = new LineReader({
      maxLength: limits.line,
      maxDepth: this.#bounds.depth,
      onLine: (text) => this.#receive(text),
      onError: (response) => this.writeError(response),
    });
  }

  start(): void {
    this.input.on('data', (chunk: Buffer) => this.#read(chunk));
    for (const end of ['end', 'error', 'close']) this.input.once(end, () => this.#endInput());
    this.output.on('error', () => void this.close()); // the client has disconnected
  }

  /** Notes that a request is pending: the end waits for its response. */
  addPending(id: MessageId): void {
    this.#pending.set(id, (this.#pending.get(id) ?? 0) + 1);
  }

  isPending(id: MessageId): boolean {
    return this.#pending.has(id);
  }

  /** Notes that a request has its response, or will get none. */
  settle(id: MessageId): void {
    const count = this.#pending.get(id) ?? 0;
    if (count > 1) this.#pending.set(id, count - 1);
    else this.#pending.delete(id);
    if (this.#isEnding && this.#pending.size === 0) void this.close();
  }

  /** Writes a response or a request. */
  write(message: string): void {
    if (!this.#isClosed) this.#outbox.write(message);
  }

  writeError(response: ErrorResponse): void {
    this.write(JSON.stringify(response));
  }

  /** Writes a notification that may be dropped if the client reads slowly. */
  writeDroppable(message: string): void {
    if (!this.#isClosed) this.#outbox.writeDroppable(message);
  }

  /** Writes a notification that is never dropped. Resolves when the client can take more. */
  async writeInTurn(message: string): Promise<void> {
    this.write(message);
    await this.#outbox.hasRoom();
  }

  /** Writes a notification, unless the same one is waiting already. */
  writeUnique(message: string): void {
    if (!this.#isClosed) this.#outbox.writeUnique(message);
  }

  /** Accepts no new requests. Pending ones get their response, within the time limit. */
  async finish(): Promise<void> {
    if (!this.#isEnding) {
      this.#isEnding = true;
      if (this.#pending.size === 0) void this.close();
      else {
        const timer = setTimeout(() => this.#giveUp(), this.limits.drain);
        void this.ended.then(() => clearTimeout(timer));
      }
    }
    await this.ended;
  }

  #giveUp(): void {
    for (const [id, count] of this.#pending)
      for (let i = 0; i < count; i++, this.#unanswered++)
        this.writeError(unavailable(id, 'The server stopped before the request was done'));
    this.#pending.clear();
    void this.close();
  }

  async close(): Promise<void> {
    if (this.#isClosing) return;
    this.#isClosing = true;
    this.input.removeAllListeners('data').pause();
    await this.onClose();
    this.#isClosed = true;
    const written = await this.#outbox.end(Math.max(this.limits.drain, MIN_FLUSH_TIME));
    this.#resolveEnded({ unanswered: this.#unanswered, written });
  }

  #endInput(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    // The last line may lack its newline. If it is not JSON either, the client was interrupted.
    const rest = this.#reader.rest();
    if (rest !== undefined && parseLine(rest) !== undefined) this.#receive(rest);
    this.onEnd();
    void this.finish();
  }

  #read(chunk: Buffer): void {
    this.#outbox.hold();
    try {
      this.#reader.read(chunk);
    } finally {
      this.#outbox.release();
    }
  }

  #receive(text: string): void {
    const message = parseLine(text);
    if (message === undefined) {
      if (text.trim() !== '') this.writeError(parseError('Invalid JSON'));
      return;
    }
    const rejection = rejectionOf(message, text, this.#bounds);
    if (rejection !== undefined) {
      if (rejection !== '') this.write(rejection);
      return;
    }
    const valid = message as Message;
    if (this.#isEnding && kindOf(valid) === 'request')
      this.writeError(unavailable(valid['id'] as MessageId, 'The server is about to stop'));
    else this.onMessage(valid);
  }
}
