import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import type { Server } from '@modelcontextprotocol/server';
import { whenClosed } from '../../when-closed.ts';
import { idOf, invalidRequest } from '../jsonrpc.ts';
import type { Message } from '../jsonrpc.ts';
import { PendingIds } from './pending-ids.ts';
import { ProcessIds } from './process-ids.ts';
import type { ProcessPlace } from './process-ids.ts';
import type { Subscriptions } from './subscriptions.ts';

interface SessionOptions {
  readonly id: string;
  readonly subscriptions: Subscriptions;
  /** Its client ends it. */
  readonly onEnd: () => void | Promise<void>;
  /** If other processes have copies of it. */
  readonly place?: ProcessPlace | undefined;
}

/** A session of the legacy revisions, or the copy of one in this process. */
export class Session {
  readonly id: string;
  readonly subscriptions: Subscriptions;
  /** Who uses it: nobody else may. Empty until a caller is recognised. */
  owner = '';
  lastUsed = Date.now();
  /** Responses that have not ended: of running calls, and the stream of a client that listens. */
  openResponses = 0;
  /** Whether one of them is that stream. */
  isListening = false;
  readonly #transport: WebStandardStreamableHTTPServerTransport;
  readonly #pending: PendingIds;
  readonly #processIds: ProcessIds | undefined;
  #level: string | undefined;

  constructor({ id, subscriptions, onEnd, place }: SessionOptions) {
    this.id = id;
    this.subscriptions = subscriptions;
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: onEnd,
      maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the host has limited the body already
    });
    this.#pending = new PendingIds(this.#transport);
    this.#processIds = place && new ProcessIds(this.#transport, this.#pending, place);
  }

  /** Whether its handshake was accepted. */
  get isOpen(): boolean {
    return this.#transport.sessionId !== undefined;
  }

  async connect(server: Server): Promise<void> {
    await server.connect(this.#transport);
    this.#pending.watch();
    this.#processIds?.watch();
  }

  async initialize(request: Request, parsedBody: unknown): Promise<Response> {
    return this.#transport.handleRequest(request, { parsedBody });
  }

  /** Repeats the handshake that another process has made. */
  async restore(params: unknown): Promise<void> {
    await this.#replay('initialize', params);
    if (!this.isOpen) throw new Error('The handshake of a session could not be repeated');
  }

  /** The log level that the client has chosen, maybe in another process. */
  async setLevel(level: string | undefined): Promise<void> {
    if (level === undefined || level === this.#level) return;
    this.#level = level;
    await this.#replay('logging/setLevel', { level });
  }

  async handle(request: Request, parsedBody: unknown): Promise<Response> {
    const isListener = request.method === 'GET' && !this.isListening;
    this.lastUsed = Date.now();
    this.openResponses++;
    if (isListener) this.isListening = true;
    const onClosed = () => {
      this.openResponses--;
      this.lastUsed = Date.now();
      if (isListener) this.#endListening();
      else this.#pending.cancel(parsedBody); // those that have their response are not pending any more
    };
    try {
      if (isListener) await this.subscriptions.listen();
      const options = parsedBody === undefined ? {} : { parsedBody };
      const response = await this.#pending.during(parsedBody, () => this.#transport.handleRequest(request, options));
      await this.#processIds?.forwarded(request);
      return whenClosed(response ?? idInUse(parsedBody), onClosed);
    } catch (thrown) {
      onClosed();
      throw thrown;
    }
  }

  /** A message of the client that arrived at another process. */
  receive(message: Message): void {
    this.#processIds?.receive(message);
  }

  /** Ends the stream of a client that only listens. */
  closeListener(): void {
    this.#transport.closeStandaloneSSEStream();
  }

  async close(): Promise<void> {
    await this.#transport.close();
  }

  #endListening(): void {
    this.isListening = false;
    this.subscriptions.endListening();
  }

  async #replay(method: string, params: unknown): Promise<void> {
    const request = new Request('http://localhost/mcp', {
      method: 'POST',
      headers: { ...REPLAYED, 'mcp-session-id': this.id },
    });
    const parsedBody = { jsonrpc: '2.0', id: `everywire/${method}`, method, params };
    await (await this.#transport.handleRequest(request, { parsedBody })).text();
  }
}

const REPLAYED = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

const idInUse = (body: unknown) =>
  Response.json(invalidRequest(idOf(body), 'another request with this id is pending'), { status: 400 });
