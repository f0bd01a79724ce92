import type { Readable, Writable } from 'node:stream';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { App } from '../../app.ts';
import type { Limits } from '../../core/limits.ts';
import { around, exceeds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { createMcpServer } from './server.ts';
import { createShared } from './shared.ts';
import type { SharedOptions } from './shared.ts';

/** An app on stdio. */
export interface McpStdio {
  /** Ends when the input has, and what was asked by then is answered. */
  readonly ended: Promise<void>;
  /** Takes nothing new, and lets calls under way end. */
  drain(): Promise<void>;
}

export function serveMcpStdio(app: App, input: Readable, output: Writable, options: SharedOptions): McpStdio {
  const shared = createShared(app, 'mcp-stdio', options);
  const transport = new LineTransport(input, output, app.limits);
  serveStdio(({ era }) => createMcpServer(shared, era, 'connection'), { transport, onerror: () => {} });
  return { ended: transport.ended, drain: () => transport.finish() };
}

/** One JSON-RPC message a line. What is no message is answered, and the next line is read. */
class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly ended: Promise<void>;
  #resolveEnded: () => void = () => {};
  #chunks: Buffer[] = [];
  #size = 0;
  /** Requests that are not answered yet. */
  readonly #asked = new Set<unknown>();
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

  async start(): Promise<void> {
    this.input.on('data', (chunk: Buffer) => this.#read(chunk));
    this.input.once('end', () => void this.finish());
    this.input.once('error', () => void this.finish());
    this.output.on('error', () => void this.close()); // whoever read it is gone
    this.output.on('drain', () => this.input.resume());
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message);
    if (!('method' in message) && 'id' in message) this.#asked.delete(message.id);
    if (this.#isEnding && this.#asked.size === 0) await this.close();
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
    this.onclose?.();
    await new Promise<void>((resolve) => this.output.end(() => resolve()));
    this.#resolveEnded();
  }

  #read(chunk: Buffer): void {
    let rest = chunk;
    for (let at = rest.indexOf(10); at !== -1; at = rest.indexOf(10)) {
      this.#keep(rest.subarray(0, at));
      rest = rest.subarray(at + 1);
      this.#line();
    }
    this.#keep(rest);
  }

  /** Of a line that is too long only its length is kept. */
  #keep(part: Buffer): void {
    this.#size += part.length;
    if (this.#size > this.limits.line) this.#chunks = [];
    else if (part.length > 0) this.#chunks.push(part);
  }

  #line(): void {
    const [size, text] = [this.#size, Buffer.concat(this.#chunks).toString().trim()];
    this.#size = 0;
    this.#chunks = [];
    if (size > this.limits.line)
      return this.#refuse(-32600, `Invalid Request: a line of more than ${this.limits.line} bytes`);
    if (text === '') return;
    let message: unknown;
    try {
      message = JSON.parse(text) as unknown;
    } catch {
      return this.#refuse(-32700, 'Parse error: Invalid JSON');
    }
    if (!isRecord(message)) return this.#refuse(-32600, 'Invalid Request: one object a line');
    const id = isId(message['id']) ? message['id'] : null;
    const excess = exceeds(message, around(this.limits));
    if (excess) return this.#refuse(-32600, `Invalid Request: ${excess.message}`, id);
    if (message['jsonrpc'] !== '2.0' || ('id' in message && !isId(message['id'])))
      return this.#refuse(-32600, 'Invalid Request: not JSON-RPC 2.0', id);
    if ('method' in message && id !== null) this.#asked.add(id);
    this.onmessage?.(message as JSONRPCMessage);
  }

  #refuse(code: number, message: string, id: string | number | null = null): void {
    this.#write({ jsonrpc: '2.0', id, error: { code, message } });
  }

  #write(message: object): void {
    if (this.#isClosed) return;
    // Nothing more is read while nobody reads the answers.
    if (!this.output.write(`${JSON.stringify(message)}\n`)) this.input.pause();
  }
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || typeof id === 'number';
