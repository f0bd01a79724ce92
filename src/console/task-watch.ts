import { signal } from '@preact/signals';
import type { Asked } from './run.ts';
import { Refusal, askJson } from './server.ts';
import { listedTasks } from './task-list.ts';

export interface Task {
  readonly status: string;
  readonly statusMessage?: string;
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  readonly inputRequests?: Asked['questions'];
  readonly progress?: { readonly done: number; readonly total?: number; readonly message?: string };
}

/** What is known of a task, and why it is not known better. */
export interface Seen {
  readonly task?: Task;
  readonly problem?: string;
  /** Whether nothing will change any more. */
  readonly isOver: boolean;
}

const listedIds = () => listedTasks.peek().map(({ id }) => id);

/** By id. */
export const seen = signal<ReadonlyMap<string, Seen>>(new Map());

export const pathOf = (id: string): string => `tasks/${encodeURIComponent(id)}`;

/** Milliseconds between two rounds of questions to the server. */
const PACE = 1000;
/** Requests at once: a browser has six connections to a server, and every one that waits delays what the user wants. */
const AT_ONCE = 2;
/** Milliseconds that an answer may take. */
const TIMEOUT = 10_000;

/** Asks for the tasks that are not over, again and again, while the page is in sight. Not with a stream for each: see AT_ONCE. */
export function watchTasks(): () => void {
  const controller = new AbortController();
  const { signal: abort } = controller;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const round = async () => {
    const waiting = document.hidden ? [] : listedIds().filter((id) => !seen.peek().get(id)?.isOver);
    const ask = async () => {
      for (let id = waiting.shift(); id !== undefined && !abort.aborted; id = waiting.shift()) await refresh(id, abort);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    if (!abort.aborted) timer = setTimeout(() => void round(), PACE);
  };
  void round();
  return () => {
    controller.abort();
    clearTimeout(timer);
  };
}

/** Asks for one task. If that fails, what was known stays. */
export async function refresh(id: string, abort?: AbortSignal): Promise<void> {
  const limit = AbortSignal.timeout(TIMEOUT);
  try {
    const task = await askJson<Task>(pathOf(id), { signal: abort ? AbortSignal.any([abort, limit]) : limit });
    note(id, { task, isOver: ['completed', 'failed', 'cancelled'].includes(task.status) });
  } catch (error) {
    if (abort?.aborted) return;
    const isGone = error instanceof Refusal && error.status === 404;
    note(id, { ...seen.peek().get(id), problem: (error as Error).message, isOver: isGone });
  }
}

/** Forgets the tasks that the page no longer lists. */
function note(id: string, found: Seen): void {
  const listed = new Set(listedIds());
  seen.value = new Map([...seen.peek(), [id, found] as const].filter(([one]) => listed.has(one)));
}
