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
const PAUSE = 1000;

let last = 0;

/**
 * Watches the server until it is told not to, and calls back when it has connected again: it may be another version. Only while
 * the page is in sight: a browser has six connections to a server, for all its tabs.
 */
export async function watch(abort: AbortSignal, onReconnected: () => void): Promise<void> {
  let hasConnected = false;
  while (!abort.aborted) {
    await inSight(abort);
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener('visibilitychange', hide);
    try {
      await follow(AbortSignal.any([abort, hidden.signal]), () => {
        if (hasConnected) onReconnected();
        hasConnected = true;
      });
      connection.value = 'connecting';
    } catch (error) {
      if (!abort.aborted && !hidden.signal.aborted) connection.value = (error as Error).message;
    }
    document.removeEventListener('visibilitychange', hide);
    await pause(abort);
  }
}

async function inSight(abort: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  await new Promise<void>((resolve) => {
    document.addEventListener('visibilitychange', () => resolve(), { once: true, signal: abort });
    abort.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function pause(abort: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, PAUSE);
    abort.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });
}

async function follow(abort: AbortSignal, onConnected: () => void): Promise<void> {
  const response = await ask('console/api/events', { signal: abort, headers: { accept: 'text/event-stream' } });
  if (!response.ok) throw new Error(`The server answers ${response.status}`);
  connection.value = 'connected';
  onConnected();
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
