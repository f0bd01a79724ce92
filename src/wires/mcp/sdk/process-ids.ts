import type { JSONRPCMessage, WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isRecord } from '../../../schema/json-schema.ts';
import { kindOf } from '../jsonrpc.ts';
import type { Message } from '../jsonrpc.ts';
import { cancelledBy } from './pending-ids.ts';
import type { PendingIds } from './pending-ids.ts';

/** Where one copy of a session is. */
export interface ProcessPlace {
  /** Identifies this process. */
  readonly process: string;
  /** Takes a message of the client to another process, or to all others. */
  forward(message: Message, process?: string): Promise<void>;
}

/**
 * Makes the requests that a server sends in a session unique among all processes: their ids are `<process>/<number>`. The
 * client's response, or its cancellation of a call, may arrive at another process than the one that waits for it.
 */
export class ProcessIds {
  readonly #forwarded = new WeakMap<Request, Promise<void>[]>();
  #deliver: ((message: JSONRPCMessage) => void) | undefined;

  constructor(
    private readonly transport: WebStandardStreamableHTTPServerTransport,
    private readonly pending: PendingIds,
    private readonly place: ProcessPlace,
  ) {}

  /** To be called once the pending ids are watched. */
  watch(): void {
    const { transport } = this;
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(this.#marked(message), options);
    const { onmessage } = transport;
    this.#deliver = (message) => onmessage?.(message);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    transport.onmessage = (message, extra) => {
      const { here, process, elsewhere } = this.#route(message);
      if (here) onmessage?.(here as JSONRPCMessage, extra);
      if (elsewhere && extra?.request) this.#forward(extra.request, elsewhere, process);
    };
  }

  /** Delivers what another process has forwarded. */
  receive(message: Message): void {
    const { here, elsewhere } = this.#route(message);
    if (here && !elsewhere) this.#deliver?.(here as JSONRPCMessage);
  }

  /** Resolves when everything in a request that was for other processes is sent to them. */
  async forwarded(request: Request): Promise<void> {
    await Promise.all(this.#forwarded.get(request) ?? []);
  }

  #forward(request: Request, message: Message, process: string | undefined): void {
    const sent = this.place.forward(message, process);
    sent.catch(() => {}); // `forwarded` rejects
    this.#forwarded.set(request, [...(this.#forwarded.get(request) ?? []), sent]);
  }

  #mark = (id: unknown) => `${this.place.process}/${String(id)}`;

  #marked<M extends JSONRPCMessage>(message: M): M {
    if (!('method' in message)) return message;
    if ('id' in message) return { ...message, id: this.#mark(message.id) };
    const { method, params } = message;
    if (method !== 'notifications/cancelled' || !isRecord(params)) return message;
    return { ...message, params: { ...params, requestId: this.#mark(params['requestId']) } };
  }

  /** For whom a message of the client is. */
  #route(message: Message): { readonly here?: Message; readonly elsewhere?: Message; readonly process?: string } {
    if (kindOf(message) === 'response') {
      const [, process, number] = MARKED.exec(String(message['id'])) ?? [];
      if (process === this.place.process) return { here: { ...message, id: Number(number) } };
      return process === undefined ? {} : { elsewhere: message, process };
    }
    const requestId = cancelledBy(message);
    if (requestId === undefined || this.pending.has(requestId)) return { here: message };
    return { elsewhere: { jsonrpc: '2.0', method: message['method'], params: { requestId } } };
  }
}

const MARKED = /^([0-9a-f-]{36})\/(\d{1,15})$/;
