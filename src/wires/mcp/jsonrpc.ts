import { isRecord } from '../../schema/json-schema.ts';

export type Message = Readonly<Record<string, unknown>>;
export type MessageId = string | number;

const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** The SDK's transports use these two of the codes that servers may define. */
export const SERVER_ERROR = -32000;
export const SESSION_NOT_FOUND = -32001;

/** JSON-RPC allows any number; we accept those that JavaScript can tell apart, like the SDK. */
export const isId = (id: unknown): id is MessageId => typeof id === 'string' || Number.isSafeInteger(id);

/** The id to respond with: null if a message has none that can be repeated. */
export const idOf = (message: unknown): MessageId | null =>
  isRecord(message) && isId(message['id']) ? message['id'] : null;

/** What a message is meant to be. */
export function kindOf(message: Message): 'request' | 'notification' | 'response' | undefined {
  if ('method' in message) return 'id' in message ? 'request' : 'notification';
  return 'result' in message || 'error' in message ? 'response' : undefined;
}

export interface RpcError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export interface ErrorResponse<Id extends MessageId | null = MessageId | null> {
  readonly jsonrpc: '2.0';
  readonly id: Id;
  readonly error: RpcError;
}

/** A response with a result that is JSON already. */
export function resultText(id: MessageId, result: string): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":${result}}`;
}

export function errorResponse<Id extends MessageId | null>(
  id: Id,
  { code, message, data }: RpcError,
): ErrorResponse<Id> {
  return { jsonrpc: '2.0', id, error: { code, message, ...(data !== undefined && { data }) } };
}

/** The message cannot be parsed, so its id is unknown. */
export function parseError(reason: string): ErrorResponse<null> {
  return errorResponse(null, { code: PARSE_ERROR, message: `Parse error: ${reason}` });
}

export function invalidRequest<Id extends MessageId | null>(id: Id, reason: string): ErrorResponse<Id> {
  return errorResponse(id, { code: INVALID_REQUEST, message: `Invalid Request: ${reason}` });
}

/** The same with an id that is JSON already: not every number survives being parsed and written again. */
export function invalidRequestText(id: string, reason: string): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(invalidRequest(null, reason).error)}}`;
}

/** The server stops or is full; the same request may succeed later. */
export function unavailable<Id extends MessageId | null>(id: Id, message: string): ErrorResponse<Id> {
  return errorResponse(id, { code: INTERNAL_ERROR, message, data: { code: 'UNAVAILABLE' } });
}

export function notificationText(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, ...(params && { params }) });
}
