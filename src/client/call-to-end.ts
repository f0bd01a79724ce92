import { refuse } from '../core/failure.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Progress } from '../core/context.ts';
import type { Task } from '../core/task.ts';
import { awaitTask, followTask, readResult } from './await-task.ts';
import type { ClientCallOptions, Connection, StreamHooks } from './connection.ts';
import { isFinal, taskIn } from './task-connection.ts';
import type { TaskConnection } from './task-connection.ts';

/** Calls. If the call became a task, waits for its end. */
export async function callToEnd(
  connection: Connection,
  name: string,
  input: unknown,
  { idempotencyKey, cancelOnAbort = false }: ClientCallOptions,
  signal: AbortSignal | undefined,
  hooks?: StreamHooks,
): Promise<Outcome> {
  const { tasks } = connection;
  const outcome = await connection.call(name, input, signal, hooks, { idempotencyKey });
  const task = taskIn(outcome);
  if (!task) return outcome;
  const { taskId: id } = task;
  const cancel = () => void tasks.cancel(id, undefined);
  if (cancelOnAbort && signal?.aborted) cancel();
  if (cancelOnAbort) signal?.addEventListener('abort', cancel, { once: true });
  try {
    const ended = hooks?.onProgress
      ? await awaitWithProgress(tasks, id, signal, hooks.onProgress)
      : await awaitTask(tasks, id, signal, true);
    if (!ended.ok) return ended;
    return isFinal(ended.data) ? await readResult(tasks, id, name, signal) : inputRequired(ended.data);
  } finally {
    signal?.removeEventListener('abort', cancel); // a time limit is over some day
  }
}

async function awaitWithProgress(
  tasks: TaskConnection,
  id: string,
  signal: AbortSignal | undefined,
  onProgress: (progress: Progress) => void,
): Promise<Outcome<Task>> {
  for await (const changed of followTask(tasks, id, signal)) {
    if (!changed.ok || isFinal(changed.data) || changed.data.status === 'input_required') return changed;
    if (changed.data.progress) onProgress(changed.data.progress);
  }
  return refuse('CANCELLED', 'Cancelled by the caller');
}

/** A call cannot be asked. The task waits: `client.resume` leads to it. */
function inputRequired({ taskId, inputRequests }: Task): Outcome {
  return refuse('INPUT_REQUIRED', 'The task waits for input', { details: { taskId, inputRequests } });
}
