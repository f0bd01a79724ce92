import { isRecord } from '../../schema/json-schema.ts';
import type { Catalog } from './catalog.ts';
import type { Elicitation } from './elicitation.ts';
import { SERVER_ERROR, errorResponse, isId } from './jsonrpc.ts';
import type { Message, MessageId } from './jsonrpc.ts';
import type { LineTransport } from './line-transport.ts';
import { CHUNK, SUBSCRIPTION_ID } from './revisions.ts';
import type { SdkStdio } from './sdk/stdio.ts';

/** The SDK's part of a stdio session. The SDK is loaded with the first message that needs it. */
export class StdioSdk {
  /** What the SDK must know of the session when it is loaded. Of each method only the last message. */
  readonly #missed = new Map<string, Message>();
  /** Of calls that were begun on the fast path, for the SDK to send. */
  readonly #elicitations = new Map<MessageId, Elicitation>();
  #sdk: Promise<SdkStdio> | undefined;
  #isOpen = false;
  /** The SDK's own requests to which the client has not responded yet. */
  readonly #requests = new Set<MessageId>();
  /** Requests that last as long as the connection: the end does not wait for their responses. */
  readonly #subscriptions = new Set<MessageId>();
  #hasInputEnded = false;

  constructor(
    private readonly catalog: Catalog,
    private readonly transport: LineTransport,
    /** Receives faults of the server, and the request that they concern. */
    private readonly onFault: (thrown: unknown, id?: MessageId) => void,
  ) {}

  /** Whether the SDK is loaded or being loaded. */
  get isNeeded(): boolean {
    return this.#sdk !== undefined;
  }

  /** Whether the SDK handles the session's messages. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Keeps a message for the SDK, in case that it is loaded. */
  remember(key: string, message: Message): void {
    this.#missed.set(key, message);
  }

  /** Forwards a message; the elicitation is that of a call which was begun on the fast path. */
  forward(message: Message, elicitation?: Elicitation): void {
    const { id, method } = message;
    const requestId = method !== undefined && isId(id) ? id : undefined;
    if (requestId !== undefined) {
      this.transport.addPending(requestId);
      if (elicitation) this.#elicitations.set(requestId, elicitation);
    }
    this.#sdk ??= this.#open();
    this.#sdk
      .then((sdk) => sdk.receive(message))
      .catch((thrown: unknown) => {
        this.onFault(thrown, requestId);
        if (requestId !== undefined) this.transport.settle(requestId);
      });
  }

  /** Forwards a response of the client, unless it belongs to no request. */
  forwardResponse(message: Message): void {
    if (this.#requests.size === 0) return;
    this.#requests.delete(Number(message['id'])); // the SDK numbers its requests, and accepts the number as a string
    this.forward(message);
  }

  isSubscription(id: MessageId): boolean {
    return this.#subscriptions.has(id);
  }

  cancelSubscription(id: MessageId): void {
    this.#subscriptions.delete(id);
  }

  /** The client can no longer respond, so calls must not wait for it. */
  endInput(): void {
    this.#hasInputEnded = true;
    for (const id of this.#requests) this.#failRequest(id);
  }

  /** If loading the SDK failed, that has been reported. */
  async close(): Promise<void> {
    await this.#sdk?.then((sdk) => sdk.close()).catch(() => {});
  }

  async #open(): Promise<SdkStdio> {
    const { openSdkStdio } = await import('./sdk/stdio.ts');
    const missed = [...this.#missed.values()];
    const sdk = await openSdkStdio(this.catalog, missed, this.#elicitations, (message) => this.#send(message));
    this.#isOpen = true;
    return sdk;
  }

  /** Sends a message of the SDK to the client. */
  #send(message: Message): void | Promise<void> {
    const { id, method, params } = message;
    if (method === undefined) return this.#sendResponse(message);
    const text = JSON.stringify(message);
    if (method === 'notifications/tasks' || (method === 'notifications/progress' && isChunk(params)))
      return this.transport.writeInTurn(text);
    if (method === 'notifications/message' || method === 'notifications/progress')
      return this.transport.writeDroppable(text);
    if (!isId(id)) this.transport.writeUnique(text);
    else {
      this.#requests.add(id);
      this.transport.write(text);
      if (this.#hasInputEnded) this.#failRequest(id);
    }
    if (method === 'notifications/subscriptions/acknowledged') this.#addSubscription(params);
  }

  /** Every request gets one response, and none if it was cancelled. */
  #sendResponse(message: Message): void {
    const { id } = message;
    if (!isId(id)) return this.transport.write(JSON.stringify(message));
    if (!this.#subscriptions.delete(id) && !this.transport.isPending(id)) return;
    try {
      this.transport.write(JSON.stringify(message));
    } catch (thrown) {
      this.onFault(thrown, id);
    }
    this.transport.settle(id);
  }

  #addSubscription(params: unknown): void {
    const meta = isRecord(params) ? params['_meta'] : undefined;
    const id = isRecord(meta) ? meta[SUBSCRIPTION_ID] : undefined;
    if (!isId(id) || !this.transport.isPending(id)) return;
    this.#subscriptions.add(id);
    this.transport.settle(id);
  }

  #failRequest(id: MessageId): void {
    this.forward({ ...errorResponse(id, { code: SERVER_ERROR, message: 'The client has ended its input' }) });
  }
}

/** Whether a progress notification carries what a generator has yielded. */
function isChunk(params: unknown): boolean {
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) && CHUNK in meta;
}
