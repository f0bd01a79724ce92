import { findExcess } from '../../schema/bounds.ts';
import type { Bounds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { isId } from './jsonrpc.ts';
import type { Message } from './jsonrpc.ts';

/** What is wrong with a request or a notification, as a phrase. */
export function mistakeIn(message: Message): string | undefined {
  const { id, method, params } = message;
  if ('id' in message && !isId(id)) return 'the id must be a string or an integer below 2 ** 53';
  if (typeof method !== 'string') return 'the method must be a string';
  // Handlers of notifications send no response, so the client would wait forever.
  if ('id' in message && method.startsWith('notifications/')) return 'a notification has no id';
  if (params !== undefined && !isRecord(params)) return 'params must be an object';
  if (params?.['_meta'] !== undefined && !isRecord(params['_meta'])) return 'params._meta must be an object';
  const known = 2 + Number('id' in message) + Number('params' in message);
  return Object.keys(message).length > known ? 'it has members that JSON-RPC does not define' : undefined;
}

/**
 * Why a message, or a batch of them, cannot be handled: it is too large, or not Unicode. The arguments of a tool call are
 * left out. The pipeline checks them, with the same result on every wire.
 */
export function excessIn(message: unknown, bounds: Bounds): string | undefined {
  if (!Array.isArray(message)) return excessInOne(message, bounds);
  for (const one of message) {
    const excess = excessInOne(one, bounds);
    if (excess) return excess;
  }
  return undefined;
}

function excessInOne(message: unknown, bounds: Bounds): string | undefined {
  if (isRecord(message) && isRecord(message['params'])) dropUnreadable(message['params']['_meta'], bounds);
  if (!isRecord(message) || !isToolCall(message)) return findExcess(message, bounds)?.message;
  const { id, params } = message;
  let excess = findExcess(id, bounds);
  for (const key of Object.keys(params))
    if (key !== 'arguments') excess ??= findExcess(key, bounds) ?? findExcess(params[key], bounds);
  return excess?.message;
}

/** Clients may add any entry to `_meta`, such as a time in nanoseconds. One that no handler could read is dropped. */
function dropUnreadable(meta: unknown, bounds: Bounds): void {
  if (!isRecord(meta)) return;
  for (const key of Object.keys(meta)) {
    const isRead = key === 'progressToken' || !findExcess(meta[key], bounds);
    if (!isRead && !findExcess(meta[key], { ...bounds, isUnread: true })) delete meta[key];
  }
}

/** Whether a message calls a tool with arguments of any type. */
export function isToolCall(
  message: Message,
): message is Message & { readonly params: { readonly [name: string]: unknown; readonly arguments: unknown } } {
  const { method, params } = message;
  return method === 'tools/call' && isRecord(params) && Object.hasOwn(params, 'arguments');
}
