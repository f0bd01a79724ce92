import type { ProgressNotificationParams, ProgressToken } from '@modelcontextprotocol/server';
import type { Call } from '../../../core/call.ts';
import { CHUNK } from '../revisions.ts';
import type { ReadAhead } from './read-ahead.ts';

type Notify = (notification: {
  readonly method: 'notifications/progress';
  readonly params: ProgressNotificationParams;
}) => Promise<void>;

/**
 * Sends progress and chunks to a client that has sent a token. Progress is dropped while the client does not read; for
 * chunks the generator waits. Sending fails only if the client has disconnected, and then the call is cancelled anyway.
 */
export function progressHooks(
  progressToken: ProgressToken,
  notify: Notify,
  readAhead: () => ReadAhead | undefined,
): Pick<Call, 'onProgress' | 'onChunk'> {
  let last = 0;
  let hasProgress = false;
  let hasChunks = false;
  const send = async (params: Omit<ProgressNotificationParams, 'progressToken'>) =>
    notify({ method: 'notifications/progress', params: { progressToken, ...params } }).catch(() => {});

  return {
    onProgress({ done, total, message }) {
      // The protocol requires that progress increases. Chunks before may have taken it further than the function is.
      if (readAhead()?.isBehind() || (hasChunks && done <= last)) return;
      hasProgress = true;
      last = done;
      void send({ progress: done, ...(total !== undefined && { total }), ...(message && { message }) });
    },
    async onChunk(chunk) {
      hasChunks = true;
      last = hasProgress ? slightlyMoreThan(last) : last + 1;
      const message = typeof chunk === 'string' ? chunk : JSON.stringify(chunk);
      await send({ progress: last, ...(message && { message }), _meta: { [CHUNK]: chunk } });
      await readAhead()?.untilRead();
    },
  };
}

/** A chunk between two reports of a function must not look like its progress. */
function slightlyMoreThan(progress: number): number {
  return progress + Math.max(Math.abs(progress) * Number.EPSILON, 1e-9);
}
