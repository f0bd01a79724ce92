import { exceeds } from '../../schema/bounds.ts';
import type { Bounds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';

export type Message = Readonly<Record<string, unknown>>;
export type MessageId = string | number;

/** What the SDK takes for an id: JSON-RPC knows other numbers, but JavaScript cannot tell all of them apart. */
export const isId = (id: unknown): id is MessageId => typeof id === 'string' || Number.isSafeInteger(id);

/** What a message is meant to be; a request is whatever has a method and waits for an answer. */
export function kindOf(message: Message): 'request' | 'notification' | 'response' | undefined {
  if ('method' in message) return 'id' in message ? 'request' : 'notification';
  return 'result' in message || 'error' in message ? 'response' : undefined;
}

/** What is wrong with a request or a notification, in a sentence. */
export function mistakeIn(message: Message): string | undefined {
  const { id, method, params } = message;
  if ('id' in message && !isId(id)) return 'the id must be a string or an integer below 2 ** 53';
  if (typeof method !== 'string') return 'the method must be a string';
  // Who listens for a notification answers nothing, and the sender would wait for ever.
  if ('id' in message && method.startsWith('notifications/')) return 'a notification has no id';
  if (params !== undefined && !isRecord(params)) return 'params must be an object';
  if (params?.['_meta'] !== undefined && !isRecord(params['_meta'])) return 'params._meta must be an object';
  const known = 2 + Number('id' in message) + Number('params' in message);
  return Object.keys(message).length > known ? 'it has members that JSON-RPC does not know' : undefined;
}

/**
 * Where a message, or a batch of them, is too large to handle, or not Unicode. The arguments of a call are not looked at:
 * the pipeline does, and refuses them as on every other wire.
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
  if (!isRecord(message) || !isCall(message)) return exceeds(message, bounds)?.message;
  const { id, params } = message;
  let excess = exceeds(id, bounds);
  for (const key of Object.keys(params))
    if (key !== 'arguments') excess ??= exceeds(key, bounds) ?? exceeds(params[key], bounds);
  return excess?.message;
}

/** Whether a message calls a function with arguments, of whatever type. */
export function isCall(
  message: Message,
): message is Message & { readonly params: { readonly [name: string]: unknown; readonly arguments: unknown } } {
  const { method, params } = message;
  return method === 'tools/call' && isRecord(params) && Object.hasOwn(params, 'arguments');
}
