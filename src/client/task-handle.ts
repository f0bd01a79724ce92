import { Failure, refuse } from '../core/failure.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import type { Task } from '../core/task.ts';
import { fromThrown } from '../responses/outcome-tools.ts';
import { isRecord } from '../schema/json-schema.ts';
import { awaitTask, followTask, readResult } from './await-task.ts';
import type { ClientCallOptions } from './connection.ts';
import type { TaskConnection } from './task-connection.ts';
import { withTimeout } from './with-timeout.ts';

type TaskOptions = Pick<ClientCallOptions, 'signal' | 'timeout'>;

/** A call that was started. Except for `events`, nothing throws: failures are outcomes. */
export interface TaskHandle<Result extends Outcome = Outcome, Name extends string = string> {
  /** The function. */
  readonly name: Name;
  /** Undefined if there is no task: the call failed before it became one, or its function never does. `result` has the answer. */
  readonly id: string | undefined;
  /** Waits for the end, and returns what the call would have returned. If that is given up, the task goes on. */
  result(options?: TaskOptions): Promise<Result>;
  /** The task as it is now. */
  task(options?: TaskOptions): Promise<Outcome<Task>>;
  /** The task now, and whenever it has changed, until it has ended. Throws a `Failure` if it cannot be read any more. */
  events(options?: Pick<TaskOptions, 'signal'>): AsyncIterable<Task>;
  /** Answers what the task waits for: `inputRequests` of the task, by key. */
  answer(inputResponses: Readonly<Record<string, unknown>>, options?: TaskOptions): Promise<Outcome<undefined>>;
  /** Ends the task. One that has ended before stays as it is. */
  cancel(options?: TaskOptions): Promise<Outcome<Task>>;
  /** What `client.resume` takes, also in another process. */
  toJSON(): StartedTask<Name>;
}

/** A handle, written down. */
export interface StartedTask<Name extends string = string> {
  readonly name: Name;
  readonly taskId?: string;
  /** Of a call that was answered at once. */
  readonly outcome?: Outcome;
}

export function createTaskHandle(tasks: TaskConnection, { name, taskId: id, outcome }: StartedTask): TaskHandle {
  const limited = async <T extends Outcome>(
    options: TaskOptions = {},
    work: (task: string, signal: AbortSignal | undefined) => Promise<T>,
  ): Promise<T> => {
    if (id === undefined) return NO_TASK as T;
    try {
      return (await withTimeout(options, (signal) => work(id, signal))) as T;
    } catch (thrown) {
      return fromThrown(thrown) as T;
    }
  };
  return {
    name,
    id,
    result: async (options) =>
      outcome ??
      limited(options, async (task, signal) => {
        const ended = await awaitTask(tasks, task, signal, false);
        return ended.ok ? readResult(tasks, task, name, signal) : ended;
      }),
    task: (options) => limited(options, (task, signal) => tasks.get(task, 0, signal)),
    answer: (responses, options) =>
      limited(options, (task, signal) => tasks.answer(task, responses, signal)) as Promise<Outcome<undefined>>,
    cancel: (options) => limited(options, (task, signal) => tasks.cancel(task, signal)),
    async *events({ signal } = {}) {
      if (id === undefined) return;
      for await (const changed of followTask(tasks, id, signal)) {
        if (!changed.ok) throw toFailure(changed);
        yield changed.data;
      }
    },
    toJSON: () => ({ name, ...(id === undefined ? { outcome: outcome ?? NO_TASK } : { taskId: id }) }),
  };
}

const NO_TASK = refuse('CONFLICT', 'There is no task: the call was answered at once');

const toFailure = ({ error: { code, message, ...rest } }: Failed) => new Failure(code, message, rest);

/** Reads what a handle was written down as, as JSON or parsed. Throws a TypeError if it is something else. */
export function toStartedTask(written: StartedTask | string): StartedTask {
  const { name, taskId, outcome } = parse(written);
  const isAnswered = isRecord(outcome) && typeof outcome['ok'] === 'boolean';
  if (typeof name !== 'string' || (typeof taskId !== 'string' && !isAnswered))
    throw new TypeError('client.resume takes what JSON.stringify makes of a handle');
  return typeof taskId === 'string' ? { name, taskId } : { name, outcome: outcome as Outcome };
}

function parse(written: unknown): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = typeof written === 'string' ? JSON.parse(written) : written;
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
