import { GET_TASK } from '../core/task-operations.ts';
import type { Call } from '../core/call.ts';
import { isFailure, userFailure } from '../core/failure.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Task } from '../core/task.ts';
import { fromStored } from '../tasks/task-payloads.ts';
import { News } from '../tasks/news.ts';
import type { TaskView } from '../tasks/task-view.ts';
import type { App } from './app.ts';
import type { RequestedCall } from './respond.ts';

/** Who asks for a task. */
export type TaskCaller = Pick<RequestedCall, 'caller' | 'credentials' | 'principal' | 'environment'>;

/** A task, and how it ended, if it has. */
export interface FoundTask {
  readonly task: Task;
  readonly version: number;
  /** The function; undefined if this version of the app has none with that name, or it returns something else now. */
  readonly fn: RegisteredFunction | undefined;
  /** What the call would have ended with, had somebody waited for it. */
  readonly outcome?: Outcome;
}

/** Finds a task of a caller; TASK_NOT_FOUND if it has none with that id. */
export async function findTask(app: App, caller: TaskCaller, taskId: string): Promise<FoundTask | Failed> {
  const { outcome } = await app.operations.respond({ ...caller, name: GET_TASK, input: { taskId } });
  return outcome.ok ? toFoundTask(app, outcome.data) : outcome;
}

/** From the data of an operation. */
export function toFoundTask(app: App, data: unknown): FoundTask {
  const { task, version, name, outcome } = data as TaskView;
  if (!outcome) return { task, version, fn: app.find(name) };
  const fn = app.find(name);
  // A task that has ended never changes: a result that another version returned is shown without this one's description.
  const isOurs = fn && (!outcome.ok || fits(outcome.data, fn.returned));
  return { task, version, fn: isOurs ? fn : undefined, outcome: fromStored(outcome) };
}

/** Whether data is as many values as a function returns. */
function fits(data: unknown, returned: RegisteredFunction['returned']): boolean {
  if (returned.kind === 'several') return Array.isArray(data) && data.length === returned.schemas.length;
  return (data === undefined) === (returned.kind === 'none');
}

/** A task now, and again whenever it has changed, until it has ended, or the caller may not see it any more. */
export async function* followTask(
  app: App,
  caller: TaskCaller,
  taskId: string,
  signal?: Call['signal'],
): AsyncGenerator<FoundTask | Failed, void> {
  const first = await findTask(app, caller, taskId);
  if ('ok' in first || first.outcome) {
    yield first;
    return;
  }
  const news = new News();
  let forget: (() => void) | undefined;
  try {
    forget = await app.tasks.listen(taskId, news.tell);
    for (let version = -1; !isAborted(signal); await news.wait(signal)) {
      const found = await findTask(app, caller, taskId);
      if ('ok' in found || found.version !== version) yield found;
      if ('ok' in found || found.outcome) return;
      ({ version } = found);
    }
  } catch (thrown) {
    yield isFailure(thrown) ? userFailure(thrown) : app.reportError(thrown, { part: 'tasks' });
  } finally {
    forget?.();
  }
}

const isAborted = (signal: AbortSignal | undefined) => signal?.aborted === true;
