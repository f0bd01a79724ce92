import type { App } from '../../app/app.ts';
import type { Answer } from '../../app/respond.ts';
import type { Call } from '../../core/call.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { Deferral } from '../../core/task.ts';
import type { Asker } from '../../core/asking.ts';
import type { DetachFlags } from '../options/detach.ts';
import type { Process } from '../process.ts';
import type { WaitingOptions } from './task-answer.ts';

const FORM = 'elicitation/create';

/**
 * What a command says about tasks. One that waits can do the work itself, and leaves it to a worker only if the function always
 * is a task, and there is a store where a worker finds it.
 */
export function deferralOf(
  app: App,
  fn: RegisteredFunction,
  { detach = false }: DetachFlags,
  asker: Asker | undefined,
): Deferral | undefined {
  // Who detaches answers later: `tasks answer`.
  if (detach) return { caller: 'prefers', askable: [FORM] };
  if (fn.task !== 'always' || app.store.url === undefined) return undefined;
  return { caller: 'accepts', askable: asker?.can(FORM) ? [FORM] : [] };
}

interface ToEndOptions extends Omit<WaitingOptions, 'signal' | 'takesFile'> {
  readonly isDetached: boolean;
}

/** Calls a function. If the call becomes a task, waits for its end, unless the command is detached from it. */
export async function callToEnd(
  proc: Process,
  app: App,
  call: Call & { readonly signal: AbortSignal },
  { isDetached, ...options }: ToEndOptions,
): Promise<Answer> {
  const { live, profile, next } = options;
  const { onChunk, onProgress, onClosing, onDisconnect, asker } = live;
  if (call.deferral) app.tasks.requireStore();
  const answer = await app.respond({ ...call, onChunk, onProgress, onClosing, onDisconnect, asker }, profile);
  const task = answer.outcome.ok ? answer.outcome.task : undefined;
  if (!task) return answer;
  if (!isDetached) {
    const { signal, takesFile, caller, credentials, environment } = call;
    const { waitForAnswer } = await import('./task-answer.ts');
    const sender = { caller, credentials, environment };
    return waitForAnswer(app, sender, task.taskId, { ...options, signal, takesFile: Boolean(takesFile) });
  }
  if (proc.isTerminal(2)) next.say('To wait for it', 'wait', task.taskId);
  return answer;
}
