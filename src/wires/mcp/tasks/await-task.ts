import type { App } from '../../../app/app.ts';
import { followTask } from '../../../app/find-task.ts';
import type { FoundTask } from '../../../app/find-task.ts';
import { refuse } from '../../../core/failure.ts';
import { stopping } from '../../../core/lifecycle.ts';
import type { Failed, Outcome } from '../../../core/outcome.ts';
import type { Sender } from '../catalog.ts';

export type EndedTask = FoundTask & { readonly outcome: Outcome };

/** Waits for the end of a task, until the client leaves or the server stops. */
export async function awaitTask(
  app: App,
  sender: Sender,
  taskId: string,
  left: AbortSignal,
  stop: AbortSignal | undefined,
): Promise<EndedTask | Failed> {
  const ended = new AbortController();
  const end = () => ended.abort();
  const signals = stop ? [left, stop] : [left];
  for (const signal of signals) signal.addEventListener('abort', end, { once: true });
  if (signals.some(({ aborted }) => aborted)) end();
  try {
    for await (const found of followTask(app, sender, taskId, ended.signal)) {
      if ('ok' in found) return found;
      if (found.outcome) return { ...found, outcome: found.outcome };
    }
    return stop?.aborted ? stopping() : refuse('CANCELLED', 'The client does not wait any more');
  } finally {
    for (const signal of signals) signal.removeEventListener('abort', end);
  }
}
