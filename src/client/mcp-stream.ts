import { isRecord } from '../schema/json-schema.ts';
import type { StreamHooks } from './connection.ts';
import type { McpClient } from './mcp-connection.ts';

/** Of the server's progress notifications: what a generator has yielded. */
const CHUNK = 'everywire/chunk';

/** Characters of chunks that may wait to be read, and what each of them counts in addition. */
const MAX_UNREAD = 16 * 1024 * 1024;
const ENTRY = 100;

type Listener = (params: Readonly<Record<string, unknown>>) => void;

interface Transport {
  onmessage?: ((message: unknown, extra?: unknown) => void) | undefined;
}

/** By progress token. */
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
  const token = `everywire/${crypto.randomUUID()}`;
  const listeners = transport && (listening.get(transport) ?? watch(transport));
  listeners?.set(token, listener);
  return { token, stop: () => void listeners?.delete(token) };
}

/** Takes our notifications out of the messages of a connection. The SDK would report tokens that it does not know. */
function watch(transport: Transport): Map<string, Listener> {
  const listeners = new Map<string, Listener>();
  const { onmessage } = transport;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no event target
  transport.onmessage = (message, extra) => {
    const params = isRecord(message) && message['method'] === 'notifications/progress' ? message['params'] : undefined;
    const token = isRecord(params) ? params['progressToken'] : undefined;
    if (typeof token !== 'string' || !token.startsWith('everywire/')) onmessage?.(message, extra);
    else listeners.get(token)?.(params as Readonly<Record<string, unknown>>);
  };
  listening.set(transport, listeners);
  return listeners;
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
