import { refuse } from '../core/failure.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import type { Task } from '../core/task.ts';
import { pause } from './pause.ts';
import { isFinal, taskIn } from './task-connection.ts';
import type { TaskConnection } from './task-connection.ts';

/** Seconds that a server is asked to wait: proxies close connections that are silent for longer. */
const WAIT = 20;
/** Milliseconds that a server may be away before it is given up. Its tasks go on. */
const PATIENCE = 60_000;
/** Bounds for what a server says about pauses, in milliseconds. */
const SHORTEST = 50;
const LONGEST = 60_000;

/** Waits until a task has ended, or until it needs input, if `stopsAtInput` is set. */
export async function awaitTask(
  tasks: TaskConnection,
  id: string,
  signal: AbortSignal | undefined,
  stopsAtInput: boolean,
): Promise<Outcome<Task>> {
  const patience = new Patience();
  for (;;) {
    const askedAt = Date.now();
    const outcome = await tasks.get(id, WAIT, signal);
    if (signal?.aborted) return aborted();
    if (!outcome.ok) {
      if (await patience.isOver(outcome, signal)) return outcome;
      continue;
    }
    patience.renew();
    const task = outcome.data;
    if (isFinal(task) || (stopsAtInput && task.status === 'input_required')) return outcome;
    // A server that waited before it answered has been patient already.
    await pause(pollInterval(task) - (Date.now() - askedAt), signal);
  }
}

/** A task now, and whenever it has changed, until it has ended. Ends with a failure if the task cannot be read any more. */
export async function* followTask(
  tasks: TaskConnection,
  id: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<Outcome<Task>, void> {
  const patience = new Patience();
  for (;;) {
    let failure: Failed | undefined;
    for await (const outcome of tasks.watch(id, signal)) {
      if (signal?.aborted) return;
      if (!outcome.ok) {
        failure = outcome;
        break;
      }
      patience.renew();
      yield outcome;
      if (isFinal(outcome.data)) return;
    }
    if (signal?.aborted) return;
    const lost = failure ?? refuse('UNAVAILABLE', 'The connection ended before the task did');
    if (await patience.isOver(lost, signal)) {
      yield lost;
      return;
    }
  }
}

/** The result of a task that has ended. The server may go away just now, and come back. */
export async function readResult(
  tasks: TaskConnection,
  id: string,
  name: string,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const patience = new Patience();
  for (;;) {
    const outcome = await tasks.result(id, name, signal);
    const isMissing = taskIn(outcome) !== undefined || (!outcome.ok && outcome.error.code === 'UNAVAILABLE');
    if (!isMissing || signal?.aborted) return outcome;
    // Whose failure is it? That of the call, if the server can be reached.
    const ended = await awaitTask(tasks, id, signal, true);
    if (!ended.ok) return ended;
    if (isFinal(ended.data) && !outcome.ok) return tasks.result(id, name, signal);
    if (isFinal(ended.data) && (await patience.isOver(NO_RESULT, signal))) return NO_RESULT;
  }
}

/** For tasks of servers that cannot push: asks again and again. */
export async function* pollTask(
  get: () => Promise<Outcome<Task>>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Outcome<Task>, void> {
  let last = '';
  for (;;) {
    const outcome = await get();
    if (signal?.aborted) return;
    const text = JSON.stringify(outcome);
    if (text !== last) yield outcome;
    if (!outcome.ok || isFinal(outcome.data)) return;
    last = text;
    await pause(pollInterval(outcome.data), signal);
  }
}

function pollInterval({ pollIntervalMs }: Task): number {
  return typeof pollIntervalMs === 'number' ? clamp(pollIntervalMs) : 1000; // other servers may leave it out
}

const clamp = (milliseconds: number) => Math.min(LONGEST, Math.max(SHORTEST, milliseconds));

const aborted = (): Failed => refuse('CANCELLED', 'Cancelled by the caller');

const NO_RESULT = refuse('UNAVAILABLE', 'The task has ended, but the server does not send its result');

/** How long failures of a server are put up with, from the first one: a task may be quiet for hours before. */
class Patience {
  #failingSince: number | undefined;

  renew(): void {
    this.#failingSince = undefined;
  }

  /** Pauses, unless there is no point in trying again. */
  async isOver({ error }: Failed, signal: AbortSignal | undefined): Promise<boolean> {
    const now = performance.now();
    this.#failingSince ??= now;
    if (!error.retry || now - this.#failingSince > PATIENCE) return true;
    await pause(clamp((error.retryAfter ?? 1) * 1000), signal);
    return false;
  }
}
