import { isRecord } from '../schema/json-schema.ts';
import type { StreamHooks } from './connection.ts';
import type { McpClient } from './mcp-connection.ts';

/** Of the server's progress notifications: what a generator has yielded. */
const CHUNK = 'everywire/chunk';

/** Characters of chunks that may wait to be read, and what each of them counts in addition. */
const MAX_UNREAD = 16 * 1024 * 1024;
const ENTRY = 100;

type Listener = (params: Readonly<Record<string, unknown>>) => void;

export interface Transport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
}

/** By progress token, or by the id of a request. */
const listening = new WeakMap<Transport, Map<string, Listener>>();

/**
 * Receives the progress of one call, until `stop`. Not with the `onprogress` of the SDK: it handles notifications later
 * than responses, and drops those that arrive together with the response.
 */
export function listenForProgress(
  client: McpClient,
  listener: Listener,
): {
  readonly token: string;
  readonly stop: () => void;
} {
  const { transport } = client as { transport?: Transport };
  const token = `${OURS}${crypto.randomUUID()}`;
  return { token, stop: transport ? listenOn(transport, token, listener) : () => {} };
}

/** Receives the progress for a token, or the response with an id. Both begin with `everywire/`. */
export function listenOn(transport: Transport, key: string, listener: Listener): () => void {
  const listeners = listening.get(transport) ?? watch(transport);
  listeners.set(key, listener);
  return () => void listeners.delete(key);
}

const OURS = 'everywire/';

/** Takes our messages out of those of a connection. The SDK would report tokens and ids that it does not know. */
function watch(transport: Transport): Map<string, Listener> {
  const listeners = new Map<string, Listener>();
  const { onmessage } = transport;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  transport.onmessage = (message, extra) => {
    const [key, content] = isRecord(message) ? ourPart(message) : [];
    if (typeof key !== 'string' || !key.startsWith(OURS)) onmessage?.(message, extra);
    else listeners.get(key)?.(content!);
  };
  listening.set(transport, listeners);
  return listeners;
}

function ourPart(
  message: Readonly<Record<string, unknown>>,
): [key?: unknown, content?: Readonly<Record<string, unknown>>] {
  const { method, params, id } = message;
  if (method === undefined) return [id, message];
  if (method !== 'notifications/progress' || !isRecord(params)) return [];
  return [params['progressToken'], params];
}

/** Passes chunks and progress on. A client cannot slow an MCP server down, so `onOverflow` is called if too many wait. */
export function chunkListener({ push, onProgress }: StreamHooks, onOverflow: () => void): Listener {
  let unread = 0;
  return ({ _meta, message, progress, total }) => {
    if (!isRecord(_meta) || !(CHUNK in _meta)) {
      const known = { ...(typeof total === 'number' && { total }), ...(typeof message === 'string' && { message }) };
      if (typeof progress === 'number') onProgress?.({ done: progress, ...known });
      return;
    }
    const taken = push(_meta[CHUNK]);
    if (!taken) return;
    const size = ENTRY + (typeof message === 'string' ? message.length : 0);
    unread += size;
    if (unread > MAX_UNREAD) onOverflow();
    void taken.then(() => (unread -= size));
  };
}
