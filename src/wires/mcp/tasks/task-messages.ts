import type { FoundTask } from '../../../app/find-task.ts';
import { render } from '../../../app/respond.ts';
import { wireFactsOf } from '../../../core/failure.ts';
import type { Failed, Outcome } from '../../../core/outcome.ts';
import type { Task } from '../../../core/task.ts';
import { toRpcError } from '../call-tool.ts';
import type { Catalog } from '../catalog.ts';
import { INTERNAL_ERROR } from '../jsonrpc.ts';
import type { MessageId, RpcError } from '../jsonrpc.ts';
import { hasOwnMeta } from '../result-stamp.ts';
import { SUBSCRIPTION_ID } from '../revisions.ts';

/** A new task, in revision 2026-07-28. The protocol has no other progress than the message. */
export function toCreatedTask(created: Task): object {
  const { progress: _, inputRequests: _requests, ...task } = created;
  return { resultType: 'task', ...task };
}

/** A task with what it waits for or how it ended, as JSON, in revision 2026-07-28. */
export function detailedTaskText(found: FoundTask, catalog: Catalog): string {
  const { fn, outcome } = found;
  const { progress: _, ...task } = found.task;
  const text = JSON.stringify(task);
  if (!outcome || task.status === 'cancelled') return text;
  const end =
    task.status === 'failed' && !outcome.ok
      ? `"error":${JSON.stringify(taskError(outcome))}`
      : `"result":${catalog.stamp.onto(resultText({ fn, outcome }, catalog), hasOwnMeta(outcome, fn))}`;
  return `${text.slice(0, -1)},${end}}`;
}

/** The notification of a change. Its params are what `tasks/get` returns. */
export function taskNotificationText(found: FoundTask, catalog: Catalog, subscription: MessageId): string {
  const meta = JSON.stringify({ _meta: { [SUBSCRIPTION_ID]: subscription } });
  const params = `${detailedTaskText(found, catalog).slice(0, -1)},${meta.slice(1)}`;
  return `{"jsonrpc":"2.0","method":"notifications/tasks","params":${params}}`;
}

/** A task in revision 2025-11-25, where a result with `isError` means that it has failed. */
export function toLegacyTask({ task, outcome }: Pick<FoundTask, 'task' | 'outcome'>): object {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs } = task;
  return {
    taskId,
    status: status === 'completed' && outcome?.ok === false ? 'failed' : status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttl: ttlMs,
    pollInterval: pollIntervalMs,
  };
}

/** The tool result that the call would have had, as JSON. */
export function resultText(
  { fn, outcome }: Pick<FoundTask, 'fn'> & { readonly outcome: Outcome },
  { app, profile }: Catalog,
): string {
  try {
    return render(outcome, fn, profile).body;
  } catch (thrown) {
    // The author's description of a result may throw.
    return render(app.reportError(thrown, { part: 'mcp' }), fn, profile).body;
  }
}

/** The error of a task that failed, or was cancelled. */
export function taskError(outcome: Failed): RpcError {
  const { mcp } = wireFactsOf(outcome);
  return toRpcError(typeof mcp === 'number' ? mcp : INTERNAL_ERROR, outcome.error);
}
