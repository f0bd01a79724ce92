import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isRecord } from '../../../schema/json-schema.ts';
import { INTERNAL_ERROR, errorResponse, isId, kindOf } from '../jsonrpc.ts';
import type { Message, MessageId } from '../jsonrpc.ts';

/**
 * The ids of a session's pending requests. The SDK finds the stream for a response by the request's id alone: of two
 * requests with one id, the first response would go to the second stream, and the other would be lost.
 */
export class PendingIds {
  /** With the body that each of them came with. */
  readonly #ids = new Map<MessageId, unknown>();

  constructor(private readonly transport: WebStandardStreamableHTTPServerTransport) {}

  /** To be called once the server is connected to the transport. */
  watch(): void {
    const { transport } = this;
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      if (!('method' in message) && isId(message.id)) this.#ids.delete(message.id);
      return send(message, options);
    };
    const { onmessage } = transport;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
    transport.onmessage = (message, extra) => {
      onmessage?.(message, extra);
      const id = cancelledBy(message);
      if (id !== undefined && this.#ids.has(id)) this.#drop(id);
    };
  }

  has(id: MessageId): boolean {
    return this.#ids.has(id);
  }

  /** A cancelled request gets no response. Its stream would stay open and keep the session in use. */
  #drop(id: MessageId): void {
    this.transport.closeSSEStream(id);
    // Makes the transport forget the request. Its stream is closed, so nothing is sent, which the transport reports.
    void this.transport.send(errorResponse(id, { code: INTERNAL_ERROR, message: 'Cancelled' })).catch(() => {});
  }

  /** Cancels the requests of a body whose client has left: there is no other stream on which it could get their responses. */
  cancel(body: unknown): void {
    for (const requestId of requestIdsIn(body)) {
      if (this.#ids.get(requestId) !== body) continue;
      const params = { requestId, reason: 'The client disconnected' };
      this.transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/cancelled', params });
    }
  }

  /** Handles a body whose requests are pending until they get a response; undefined if one of their ids is in use. */
  async during(body: unknown, handle: () => Promise<Response>): Promise<Response | undefined> {
    const ids = requestIdsIn(body);
    if (ids.some((id) => this.#ids.has(id))) return undefined;
    for (const id of ids) this.#ids.set(id, body);
    let isAccepted = false;
    try {
      const response = await handle();
      isAccepted = response.ok;
      return response;
    } finally {
      // The transport rejected the body, or failed, so no response will follow.
      if (!isAccepted) for (const id of ids) this.#ids.delete(id);
    }
  }
}

/** Why a batch cannot be handled message by message. */
export function mistakeInBatch(body: unknown): string | undefined {
  if (!Array.isArray(body)) return undefined;
  const ids = new Set(requestIdsIn(body));
  if (ids.size < requestIdsIn(body).length) return 'the batch has two requests with the same id';
  const isCancelled = body.some((message) => isRecord(message) && ids.has(cancelledBy(message)!));
  return isCancelled ? 'the batch cancels one of its own requests' : undefined;
}

function requestIdsIn(body: unknown): MessageId[] {
  return [body].flat().flatMap((message) => {
    const id = isRecord(message) && kindOf(message) === 'request' ? message['id'] : undefined;
    return isId(id) ? [id] : [];
  });
}

/** The request that a message cancels, if it does. */
export function cancelledBy({ method, params }: Message): MessageId | undefined {
  const id = method === 'notifications/cancelled' && isRecord(params) ? params['requestId'] : undefined;
  return isId(id) ? id : undefined;
}
