import { safely } from '../../core/safely.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { Catalog } from './catalog.ts';
import type { ClientCapabilities } from './elicitation.ts';
import { createFastPath } from './fast-path/fast-path.ts';
import type { FastPath, FastResponse } from './fast-path/fast-path.ts';
import { parseRequest } from './fast-path/parse-request.ts';
import type { ParsedRequest } from './fast-path/parse-request.ts';
import { INTERNAL_ERROR, errorResponse, invalidRequest, isId, notificationText } from './jsonrpc.ts';
import type { Message, MessageId } from './jsonrpc.ts';
import type { LineTransport } from './line-transport.ts';
import { LEVELS, SEVERITY, toLogData } from './log-levels.ts';
import type { Era } from './revisions.ts';
import { StdioSdk } from './stdio-sdk.ts';

/** One connection: the fast path handles the messages that it supports, the SDK all others. */
export class StdioSession {
  readonly #fastPath: FastPath;
  readonly #sdk: StdioSdk;
  /** The era of the first request; `sdk` if the SDK got that request. */
  #era: Era | 'sdk' | undefined;
  /** Functions that cancel the running calls of the fast path. */
  readonly #running = new Map<MessageId, () => void>();
  /** As declared in the handshake. */
  #capabilities: ClientCapabilities | undefined;
  /** The least severity that the client wants; undefined if only the SDK knows it. */
  #level: number | undefined = 0;

  constructor(
    private readonly catalog: Catalog,
    private readonly transport: LineTransport,
    private readonly onError: (thrown: unknown) => void,
  ) {
    this.#fastPath = createFastPath(catalog);
    this.#sdk = new StdioSdk(catalog, transport, (thrown, id) => this.#fail(thrown, id));
  }

  start(): void {
    const { transport } = this;
    const forget = this.catalog.app.changes.listen(({ kind }) => {
      // Once it is open, the SDK sends these itself.
      if (this.#era === 'legacy' && !this.#sdk.isOpen && kind !== 'resource')
        transport.writeUnique(notificationText(`notifications/${kind}/list_changed`));
    });
    this.catalog.app.changes.connected().catch(() => {}); // the reason is in the log
    transport.onMessage = (message) => this.#receive(message);
    transport.onEnd = () => this.#sdk.endInput();
    transport.onClose = async () => {
      forget();
      for (const cancel of this.#running.values()) cancel();
      await this.#sdk.close();
    };
    transport.start();
  }

  #receive(message: Message): void {
    const { id, method } = message;
    const { events } = this.catalog.app;
    if (events.isObserved)
      events.emit({ step: 'accepted', wire: 'mcp-stdio', subject: typeof method === 'string' ? method : 'response' });
    if (method !== undefined && this.#sdk.isSubscription(id as MessageId))
      return this.transport.writeError(invalidRequest(id as MessageId, 'the id belongs to a subscription'));
    const request = parseRequest(message);
    if (request && this.#isForFastPath(request)) return this.#respond(request, message);
    if (method === undefined) return this.#sdk.forwardResponse(message);
    if (method === 'notifications/cancelled') return this.#cancel(message);
    if (method === 'logging/setLevel' && !request) this.#level = undefined;
    if (method === 'notifications/initialized' && this.#era === 'legacy' && !this.#sdk.isNeeded)
      this.#sdk.remember(method, message);
    else this.#useSdk(message);
  }

  #isForFastPath({ id, era, method, params }: ParsedRequest): boolean {
    if (this.#running.has(id)) return false; // duplicate request id: let the SDK decide
    if (method === 'initialize') return this.#era === undefined;
    if (method === 'server/discover' || era === 'modern') return this.#era === undefined || this.#era === 'modern';
    if (this.#era !== 'legacy') return false;
    if (method === 'tools/call') return this.#level !== undefined;
    if (method !== 'logging/setLevel') return true;
    this.#level = SEVERITY.indexOf(params['level'] as string);
    return !this.#sdk.isNeeded;
  }

  #respond(request: ParsedRequest, message: Message): void {
    const { id, era, method } = request;
    if (this.#era === undefined) this.#begin(request, message);
    else if (method === 'logging/setLevel') this.#sdk.remember(method, message);
    let isCancelled = false;
    let stop: (() => void) | undefined;
    try {
      const response = this.#fastPath.respond(
        request,
        {
          // Late, or never, if the call first waits for something else: whether its caller is known, or calls too often.
          onDisconnect: (cancel) => (isCancelled ? cancel() : (stop = cancel)),
          onLog: era === 'legacy' ? this.#log : undefined,
        },
        this.#capabilities,
      );
      if (!(response instanceof Promise)) return this.#send(response, message);
      this.transport.addPending(id);
      this.#running.set(id, () => {
        isCancelled = true;
        stop?.();
      });
      void this.#sendLater(response, message, id);
    } catch (thrown) {
      this.#fail(thrown, id);
    }
  }

  /** The first request decides the era, unless it is `server/discover`. */
  #begin({ era, method, params, meta }: ParsedRequest, message: Message): void {
    if (method === 'server/discover') return;
    this.#era = era;
    this.#capabilities = params['capabilities'] as ClientCapabilities | undefined;
    // A call must not be repeated, but a list with the same `_meta` also tells the SDK who the client is.
    const first = method === 'initialize' ? message : { jsonrpc: '2.0', method: 'tools/list', params: { _meta: meta } };
    this.#sdk.remember('initialize', first);
  }

  #send(response: FastResponse, message: Message): void {
    if (typeof response === 'string') this.transport.write(response);
    else this.#sdk.forward(message, response);
  }

  async #sendLater(response: Promise<FastResponse>, message: Message, id: MessageId): Promise<void> {
    try {
      const late = await response;
      // A cancelled call gets no response.
      if (!this.#running.delete(id) || !this.transport.isPending(id)) return;
      this.#send(late, message);
    } catch (thrown) {
      this.#running.delete(id);
      this.#fail(thrown, id);
    }
    this.transport.settle(id);
  }

  /** Such as a response that is longer than the longest string. */
  #fail(thrown: unknown, id: MessageId | undefined): void {
    this.onError(thrown);
    if (id !== undefined)
      this.transport.writeError(errorResponse(id, { code: INTERNAL_ERROR, message: 'Internal error' }));
  }

  /** Cancels a pending request; a notification about any other has no effect. */
  #cancel(message: Message): void {
    const id = cancelledBy(message['params']);
    if (id === undefined || !(this.transport.isPending(id) || this.#sdk.isSubscription(id))) return;
    const cancel = this.#running.get(id);
    if (cancel) {
      this.#running.delete(id);
      cancel();
    } else this.#useSdk(message);
    this.#sdk.cancelSubscription(id);
    this.transport.settle(id); // a cancelled request gets no response
  }

  #useSdk(message: Message): void {
    this.#era ??= 'sdk';
    this.#sdk.forward(message);
  }

  readonly #log = (level: keyof typeof LEVELS, text: string, fields: object | undefined): void => {
    if (SEVERITY.indexOf(LEVELS[level]) < this.#level!) return;
    // A log entry that cannot be written must not fail the call.
    const params = () => ({ level: LEVELS[level], data: toLogData(text, fields), logger: this.catalog.app.name });
    safely(() => this.transport.writeDroppable(notificationText('notifications/message', params())));
  };
}

/** The request that a notification cancels, if the SDK would accept that notification. */
function cancelledBy(params: unknown): MessageId | undefined {
  if (!isRecord(params)) return undefined;
  const { requestId, reason } = params;
  return isId(requestId) && (reason === undefined || typeof reason === 'string') ? requestId : undefined;
}
