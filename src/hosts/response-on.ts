import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * The response in progress on a connection. Node keeps it in an undocumented field until it is sent. A map of our own
 * would keep each request alive until the next one, and V8 would then use more memory.
 */
export function responseOn(socket: Duplex): ServerResponse | null | undefined {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage;
}
