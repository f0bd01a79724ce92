import { createChunkStream } from '../core/chunk-stream.ts';
import type { ChunkStream } from '../core/chunk-stream.ts';
import type { Call } from '../core/call.ts';
import type { Outcome } from '../core/outcome.ts';
import type { App, CallOptions } from './app.ts';

type StreamHooks = Pick<Call, 'onChunk' | 'onDisconnect'>;

/** Calls a function in this process, and returns what it yields as it comes. */
export function streamCall(
  app: App,
  name: string,
  input: unknown,
  options: CallOptions = {},
): ChunkStream<unknown, Outcome> {
  const revive = app.find(name)?.reviveChunk;
  return createChunkStream((push, left) => {
    const hooked: CallOptions & StreamHooks = {
      ...options,
      onChunk: revive ? (chunk) => push(revive(chunk)) : push,
      onDisconnect(listener) {
        if (left.aborted) listener();
        else left.addEventListener('abort', () => listener(), { once: true });
      },
    };
    return app.call(name, input, hooked);
  });
}
