import { signal } from '@preact/signals';
import { ask, token } from '../server.ts';
import { eventsIn } from '../sse.ts';
import { rememberTask } from '../task-list.ts';
import type { CallRecord } from '../types.ts';

/** Records that stay on the page. */
const MOST = 2000;

/** The calls of the server; the newest first. */
export const records = signal<readonly (CallRecord & { readonly key: number })[]>([]);
/** Calls that were too many to be sent one by one. */
export const skipped = signal(0);
/** `connecting`, `connected`, `not connected`, or what is wrong. */
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
  abort.addEventListener('abort', () => forget('not connected'), { once: true });
  while (!abort.aborted) {
    const another = onNextToken();
    const ended = AbortSignal.any([abort, another.signal]);
    await inSight(ended);
    const hidden = new AbortController();
    const hide = () => document.hidden && hidden.abort();
    document.addEventListener('visibilitychange', hide);
    try {
      await follow(AbortSignal.any([ended, hidden.signal]), () => {
        if (hasConnected) onReconnected();
        hasConnected = true;
      });
      connection.value = 'connecting';
    } catch (error) {
      if (!ended.aborted && !hidden.signal.aborted) connection.value = (error as Error).message;
    }
    document.removeEventListener('visibilitychange', hide);
    await pause(ended);
    another.stop();
  }
}

/** What one caller may see, the next may not. */
function forget(state: string): void {
  records.value = [];
  skipped.value = 0;
  connection.value = state;
}

/** A signal that is aborted when the user enters another token. */
function onNextToken(): { readonly signal: AbortSignal; readonly stop: () => void } {
  const controller = new AbortController();
  const known = token.peek();
  const stop = token.subscribe((now) => {
    if (now === known) return;
    controller.abort();
    forget('connecting');
  });
  return { signal: controller.signal, stop };
}

async function inSight(abort: AbortSignal): Promise<void> {
  if (!document.hidden) return;
  await until(abort, (resolve) => {
    document.addEventListener('visibilitychange', resolve, { once: true });
    return () => document.removeEventListener('visibilitychange', resolve);
  });
}

async function pause(abort: AbortSignal): Promise<void> {
  await until(abort, (resolve) => {
    const timer = setTimeout(resolve, PAUSE);
    return () => clearTimeout(timer);
  });
}

/** Waits for what `begin` waits for, or the signal, and leaves no listener behind. */
async function until(abort: AbortSignal, begin: (resolve: () => void) => () => void): Promise<void> {
  if (abort.aborted) return;
  await new Promise<void>((resolve) => {
    const end = () => {
      abort.removeEventListener('abort', end);
      stop();
      resolve();
    };
    const stop = begin(end);
    abort.addEventListener('abort', end);
  });
}

async function follow(abort: AbortSignal, onConnected: () => void): Promise<void> {
  const response = await ask('console/api/events', { signal: abort, headers: { accept: 'text/event-stream' } });
  abort.throwIfAborted();
  if (!response.ok) throw new Error(`The server answers ${response.status}`);
  connection.value = 'connected';
  onConnected();
  // The server sends what it has kept again.
  records.value = [];
  for await (const { event, data } of eventsIn(response)) {
    abort.throwIfAborted();
    if (event !== 'records') continue;
    const batch = JSON.parse(data) as { skipped: number; records: CallRecord[] };
    if (batch.skipped > 0) skipped.value += batch.skipped;
    for (const { task, operationId } of batch.records) rememberTask(task?.id, operationId);
    const added = batch.records.map((record) => ({ ...record, key: ++last })).toReversed();
    if (added.length > 0) records.value = [...added, ...records.peek()].slice(0, MOST);
  }
}
