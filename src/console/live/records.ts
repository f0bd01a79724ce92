import { signal } from '@preact/signals';
import { ask } from '../server.ts';
import { eventsIn } from '../sse.ts';
import { rememberTask } from '../task-list.ts';
import type { CallRecord } from '../types.ts';

/** Records that stay on the page. */
const MOST = 2000;

/** The calls of the server; the newest first. */
export const records = signal<readonly (CallRecord & { readonly key: number })[]>([]);
/** Calls that were too many to be sent one by one. */
export const skipped = signal(0);
/** `connecting`, `connected`, or what is wrong. */
export const connection = signal('connecting');

/** Milliseconds before another attempt to connect. */
const PAUSE = 2000;

let last = 0;

/** Watches the server until it is told not to. */
export async function watch(abort: AbortSignal): Promise<void> {
  while (!abort.aborted) {
    try {
      await follow(abort);
      connection.value = 'connecting';
    } catch (error) {
      if (!abort.aborted) connection.value = (error as Error).message;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PAUSE);
      abort.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
    });
  }
}

async function follow(abort: AbortSignal): Promise<void> {
  const response = await ask('console/api/events', { signal: abort, headers: { accept: 'text/event-stream' } });
  if (!response.ok) throw new Error(`The server answers ${response.status}`);
  connection.value = 'connected';
  // The server sends what it has kept again.
  records.value = [];
  for await (const { event, data } of eventsIn(response)) {
    if (event !== 'records') continue;
    const batch = JSON.parse(data) as { skipped: number; records: CallRecord[] };
    if (batch.skipped > 0) skipped.value += batch.skipped;
    for (const { task } of batch.records) rememberTask(task?.id);
    const added = batch.records.map((record) => ({ ...record, key: ++last })).toReversed();
    if (added.length > 0) records.value = [...added, ...records.peek()].slice(0, MOST);
  }
}
