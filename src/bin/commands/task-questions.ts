import type { App } from '../../app/app.ts';
import type { TaskCaller } from '../../app/find-task.ts';
import type { Answer } from '../../app/respond.ts';
import type { Asker } from '../../core/asking.ts';
import { UPDATE_TASK } from '../../core/task-operations.ts';
import type { Task } from '../../core/task.ts';
import { isRecord } from '../../schema/json-schema.ts';

type Answers = Readonly<Record<string, unknown>>;

/** Asks the user what a task waits for, one question after the other. Undefined if the user can be asked none of it. */
export async function askHere(
  { inputRequests = {} }: Task,
  asker: Asker | undefined,
): Promise<Answers | 'cancelled' | undefined> {
  const askable = Object.entries(inputRequests).filter(([, { method }]) => asker?.can(method));
  if (!asker || askable.length === 0) return undefined;
  const answers: Record<string, unknown> = {};
  for (const [key, { method, params }] of askable) {
    const answer = await asker.ask({ name: key, method, params, again: false });
    // Ctrl+C ends the command. To refuse an answer is another thing: `tasks cancel`.
    if (isRecord(answer) && answer['action'] === 'cancel') return 'cancelled';
    answers[key] = answer;
  }
  return answers;
}

export async function answerQuestions(
  app: App,
  sender: TaskCaller,
  taskId: string,
  inputResponses: unknown,
  profile = app.profile,
): Promise<Answer> {
  return app.operations.respond({ ...sender, name: UPDATE_TASK, input: { taskId, inputResponses } }, profile);
}
