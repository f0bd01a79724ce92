import { toFoundTask } from '../../../app/find-task.ts';
import type { Failed } from '../../../core/outcome.ts';
import { GET_TASK, UPDATE_TASK } from '../../../core/task-operations.ts';
import { traceContextOf } from '../../trace-context.ts';
import type { Catalog, Sender } from '../catalog.ts';
import type { ParsedRequest } from '../fast-path/parse-request.ts';
import { detailedTaskText } from './task-messages.ts';

/** Calls `tasks/get`, `tasks/update` or `tasks/cancel`. Returns the result as JSON, in revision 2026-07-28. */
export async function respondTask(
  catalog: Catalog,
  { method, params, meta }: ParsedRequest,
  { caller, credentials, principal }: Sender,
): Promise<string | Failed> {
  const { app, environment } = catalog;
  const { outcome } = await app.operations.respond({
    name: method,
    input: taskInput(method, params['taskId'], params['inputResponses']),
    caller: { ...caller, ...traceContextOf(meta) },
    credentials,
    principal,
    environment,
  });
  return outcome.ok ? taskResultText(catalog, method, outcome.data) : outcome;
}

export const taskInput = (method: string, taskId: unknown, inputResponses: unknown): object =>
  method === UPDATE_TASK ? { taskId, inputResponses } : { taskId };

/** Only `tasks/get` returns something; the others acknowledge. */
export const taskResultText = (catalog: Catalog, method: string, data: unknown): string =>
  method === GET_TASK
    ? catalog.stamp.onto(detailedTaskText(toFoundTask(catalog.app, data), catalog), false)
    : JSON.stringify(catalog.stamp.values);
