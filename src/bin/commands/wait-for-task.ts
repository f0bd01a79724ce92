import { setTimeout } from 'node:timers/promises';
import type { App } from '../../app/app.ts';
import { followTask } from '../../app/find-task.ts';
import type { FoundTask, TaskCaller } from '../../app/find-task.ts';
import type { Failed } from '../../core/outcome.ts';
import type { Task } from '../../core/task.ts';
import type { Live } from '../live/show-live.ts';
import { answerQuestions, askHere } from './task-questions.ts';

/** Milliseconds that the store may be away. */
const PATIENCE = 60_000;
const PAUSE = 1000;

interface WaitOptions {
  readonly live: Pick<Live, 'asker' | 'onProgress' | 'onWait'>;
  readonly signal: AbortSignal;
  /** Called once for each set of questions that cannot be asked here. */
  readonly onInput: (task: Task) => void;
}

/**
 * Waits for the end of a task, shows how far it is, and asks what it waits for, if the user can be asked. Undefined if the user
 * interrupts it: the task goes on.
 */
export async function waitForTask(
  app: App,
  sender: TaskCaller,
  taskId: string,
  { live, signal, onInput }: WaitOptions,
): Promise<FoundTask | Failed | undefined> {
  let heardAt = Date.now();
  let announced = '';
  for (;;) {
    let failure: Failed | undefined;
    for await (const found of followTask(app, sender, taskId, signal)) {
      if ('ok' in found) {
        failure = found;
        break;
      }
      if (found.outcome) return found;
      heardAt = Date.now();
      const { task } = found;
      live.onWait(`task ${task.taskId}`, heardAt - Date.parse(task.createdAt));
      if (task.progress) live.onProgress?.(task.progress);
      if (task.status !== 'input_required') continue;
      const answers = await askHere(task, live.asker);
      if (answers === 'cancelled') return undefined;
      if (answers) await answerQuestions(app, sender, taskId, answers);
      const keys = Object.keys(task.inputRequests ?? {}).join();
      if (!answers && keys !== announced) onInput(task);
      announced = keys;
    }
    if (signal.aborted) return undefined;
    // The worker goes on while this process cannot reach the store.
    if (failure && (!failure.error.retry || Date.now() - heardAt > PATIENCE)) return failure;
    await setTimeout(PAUSE, undefined, { signal }).catch(() => {});
  }
}
