import { findTask, toFoundTask } from '../../app/find-task.ts';
import type { FoundTask } from '../../app/find-task.ts';
import { render } from '../../app/respond.ts';
import { taskBody } from '../../app/task-body.ts';
import { refuse } from '../../core/failure.ts';
import { success } from '../../core/outcome.ts';
import type { Failed } from '../../core/outcome.ts';
import { CANCEL_TASK } from '../../core/task-operations.ts';
import type { Task } from '../../core/task.ts';
import { decodeInput } from '../../wires/cli/decode-input.ts';
import { showLive } from '../live/show-live.ts';
import { inputHost } from './input-host.ts';
import type { TaskCommand, TaskReply } from './run-tasks.ts';
import { saveAnswer } from './save-answer.ts';
import { taskAnswer, waitForAnswer } from './task-answer.ts';
import { answerQuestions, askHere } from './task-questions.ts';
import { NextSteps } from './next-steps.ts';
import { terminalAsker } from './terminal-asker.ts';

/** Prints the task, as HTTP sends it. */
export async function getTask(run: TaskCommand): Promise<TaskReply> {
  const { app, sender, taskId } = run;
  return taskReply(run, await findTask(app, sender, taskId));
}

export async function cancelTask(run: TaskCommand): Promise<TaskReply> {
  const { app, sender, taskId } = run;
  const { outcome } = await app.operations.respond({ ...sender, name: CANCEL_TASK, input: { taskId } });
  return taskReply(run, outcome.ok ? toFoundTask(app, outcome.data) : outcome);
}

function taskReply({ app, profile }: TaskCommand, found: FoundTask | Failed): TaskReply {
  if ('ok' in found) return { answer: render(found, undefined, profile) };
  const body = taskBody(app, found);
  return { answer: { outcome: success(JSON.parse(body)), body, fn: undefined } };
}

/** Prints what the call would have printed, now or when the task has ended. Undefined: it is printed already. */
export async function printResult(run: TaskCommand, isWaiting: boolean): Promise<TaskReply | undefined> {
  const { proc, call, app, command, sender, taskId, options, isExact, isQuiet, profile, signal } = run;
  const { out, cancelOnExit = false } = options;
  const takesFile = out !== undefined || (proc.isTerminal(1) && !isQuiet);
  const next = new NextSteps(proc, command);
  const respond = async () => {
    if (!isWaiting) {
      const found = await findTask(app, sender, taskId);
      if (!('ok' in found) && !found.outcome) suggestNext(next, found.task);
      return taskAnswer(app, found, { profile, takesFile });
    }
    const { answer } = await showLive(proc, { isExact: true, isStream: false, asker: terminalAsker(proc) }, (live) =>
      waitForAnswer(app, sender, taskId, {
        live,
        signal,
        profile,
        takesFile,
        cancelOnExit,
        next,
      }),
    );
    return answer;
  };
  if (out === undefined) {
    const answer = await respond();
    return { answer, options: { hint: next.hint } };
  }
  await saveAnswer(call, out, respond, profile, { isExact });
  return undefined;
}

function suggestNext(next: NextSteps, { status, taskId }: Task): void {
  if (status === 'input_required') next.suggest('To answer', 'answer', taskId);
  else next.suggest('To wait for it', 'wait', taskId);
}

/** Sends the answers that were given, or asks for them. */
export async function answerTask(run: TaskCommand): Promise<TaskReply> {
  const { proc, app, sender, taskId, options, profile } = run;
  const decoded = await decodeInput(options.input, inputHost(proc, app));
  if ('refused' in decoded)
    return { answer: render(decoded.refused, undefined, profile), options: { hint: decoded.hint } };
  const answers = options.input === undefined ? await askUser(run) : decoded.input;
  if (isFailed(answers)) return { answer: render(answers, undefined, profile) };
  return { answer: await answerQuestions(app, sender, taskId, answers, profile) };
}

const isFailed = (value: unknown): value is Failed => typeof value === 'object' && value !== null && 'ok' in value;

async function askUser({ proc, app, sender, taskId }: TaskCommand): Promise<unknown> {
  const asker = terminalAsker(proc);
  if (!asker) return refuse('INVALID_ARGUMENTS', 'Without a terminal, the answers are given with --input');
  const found = await findTask(app, sender, taskId);
  if ('ok' in found) return found;
  const { task } = found;
  if (task.status !== 'input_required')
    return refuse('CONFLICT', `The task waits for no input: its status is ${task.status}`);
  const answers = await askHere(task, asker);
  if (answers === 'cancelled') return refuse('CANCELLED', 'Nothing was answered');
  return answers ?? refuse('INPUT_REQUIRED', 'The task waits for something that cannot be asked here; use --input');
}
