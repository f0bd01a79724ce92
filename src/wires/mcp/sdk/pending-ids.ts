import type { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/server';
import { isRecord } from '../../../schema/json-schema.ts';
import { INTERNAL_ERROR, errorResponse, isId, kindOf } from '../jsonrpc.ts';
import type { Message, MessageId } from '../jsonrpc.ts';

/**
 * Which requests of a session are under way. The SDK finds the stream for an answer by the request's id alone: with two of
 * one id, the first answer goes to the second stream, and the other nowhere.
 */
export class IdsUnderWay {
  readonly #ids = new Set<MessageId>();

  constructor(private readonly transport: WebStandardStreamableHTTPServerTransport) {}

  /** Begins once the transport's server is connected to it. */
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
      if (id !== undefined && this.#ids.has(id)) this.#forget(id);
    };
  }

  /** What is cancelled is not answered: its stream would stay open for nothing, and keep the session in use. */
  #forget(id: MessageId): void {
    this.transport.closeSSEStream(id);
    // Makes the transport forget the request; with its stream closed, nothing is sent, which is an error here.
    void this.transport.send(errorResponse(id, { code: INTERNAL_ERROR, message: 'Cancelled' })).catch(() => {});
  }

  /** Notes the requests in a body until they are answered; undefined if one of their ids is in use. */
  async during(body: unknown, handle: () => Promise<Response>): Promise<Response | undefined> {
    const ids = requestIdsIn(body);
    if (ids.some((id) => this.#ids.has(id))) return undefined;
    for (const id of ids) this.#ids.add(id);
    const response = await handle();
    // Refused, and so never answered.
    if (!response.ok) for (const id of ids) this.#ids.delete(id);
    return response;
  }
}

/** Why a batch cannot be answered message by message. */
export function mistakeInBatch(body: unknown): string | undefined {
  if (!Array.isArray(body)) return undefined;
  const ids = new Set(requestIdsIn(body));
  if (ids.size < requestIdsIn(body).length) return 'a batch with two requests of one id';
  const isCancelled = body.some((message) => isRecord(message) && ids.has(cancelledBy(message)!));
  return isCancelled ? 'a batch that cancels one of its own requests' : undefined;
}

function requestIdsIn(body: unknown): MessageId[] {
  return [body].flat().flatMap((message) => {
    const id = isRecord(message) && kindOf(message) === 'request' ? message['id'] : undefined;
    return isId(id) ? [id] : [];
  });
}

function cancelledBy({ method, params }: Message): MessageId | undefined {
  const id = method === 'notifications/cancelled' && isRecord(params) ? params['requestId'] : undefined;
  return isId(id) ? id : undefined;
}
