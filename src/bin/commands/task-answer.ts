import type { App } from '../../app/app.ts';
import { findTask } from '../../app/find-task.ts';
import type { FoundTask, TaskCaller } from '../../app/find-task.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { refuse } from '../../core/failure.ts';
import { success } from '../../core/outcome.ts';
import type { Failed } from '../../core/outcome.ts';
import { CANCEL_TASK } from '../../core/task-operations.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import type { Live } from '../live/show-live.ts';
import type { NextSteps } from './next-steps.ts';
import { waitForTask } from './wait-for-task.ts';

interface AnswerOptions {
  readonly profile: Profile;
  /** Whether a returned file is taken as it is. */
  readonly takesFile: boolean;
}

export interface WaitingOptions extends AnswerOptions {
  readonly live: Live;
  readonly signal: AbortSignal;
  readonly cancelOnExit: boolean;
  readonly next: NextSteps;
}

/** What the call would have been answered with, had somebody waited for it. */
export async function taskAnswer(
  app: App,
  found: FoundTask | Failed,
  { profile, takesFile }: AnswerOptions,
): Promise<Answer> {
  if ('ok' in found) return render(found, undefined, profile);
  const { task, fn, outcome = notEnded(task.status) } = found;
  if (!takesFile || !fn?.returnsFile || !outcome.ok) return app.render(outcome, fn, profile);
  const { convertFile } = await import('../../core/file-results.ts');
  return { outcome: success(await convertFile(outcome.data, app.limits.file), outcome.content), body: '', fn };
}

const notEnded = (status: string): Failed => refuse('CONFLICT', `The task has not ended: its status is ${status}`);

/** Milliseconds after which the user should know that nobody works. */
const NOTICE = 5000;

async function noticeIdle(app: App, next: NextSteps): Promise<void> {
  const stats = await app.tasks.stats().catch(() => undefined); // waitForTask reports a store that is away
  if (stats && stats.active === 0 && stats.waiting > 0) next.suggestWorker();
}

/** Waits for a task. If the user interrupts that, the task goes on, or is cancelled. */
export async function waitForAnswer(
  app: App,
  sender: TaskCaller,
  taskId: string,
  options: WaitingOptions,
): Promise<Answer> {
  const { live, signal, cancelOnExit, next, profile } = options;
  const onInput = () => next.say('The task waits for input. To answer', 'answer', taskId);
  const notice = setTimeout(() => void noticeIdle(app, next), NOTICE).unref();
  const found = await waitForTask(app, sender, taskId, { live, signal, onInput });
  clearTimeout(notice);
  if (found) return taskAnswer(app, found, options);
  if (!cancelOnExit) {
    next.suggest('To wait for it', 'wait', taskId);
    return render(refuse('CANCELLED', 'Interrupted; the task goes on'), undefined, profile);
  }
  const { outcome } = await app.operations.respond({ ...sender, name: CANCEL_TASK, input: { taskId } });
  return taskAnswer(app, outcome.ok ? await findTask(app, sender, taskId) : outcome, options);
}
