import { refuse } from '../core/failure.ts';
import { success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import type { Task } from '../core/task.ts';
import { readResponse } from '../responses/read-response.ts';
import { pollTask } from './await-task.ts';
import type { RawRequest, RawResponse } from './mcp-request.ts';
import { isTask } from './task-connection.ts';
import type { TaskConnection, TaskTerms } from './task-connection.ts';

interface McpTasksOptions {
  /** Throws if the server cannot be reached. */
  readonly connect: () => Promise<RawRequest | undefined>;
  /** What the result of a tool means. */
  readonly read: (name: string, result: unknown) => Promise<Outcome>;
  readonly failureOf: (thrown: unknown) => Failed;
}

/** `tasks/get`, `tasks/update` and `tasks/cancel`. The protocol has no way to wait, so the client asks again. */
export function mcpTasks({ connect, read, failureOf }: McpTasksOptions): TaskConnection {
  const get = async (taskId: string, signal: AbortSignal | undefined): Promise<Outcome<Task>> => {
    const outcome = await request('tasks/get', { taskId }, signal);
    if (!outcome.ok) return outcome;
    const { resultType: _, result: _result, _meta, ...task } = outcome.data;
    return isTask(task)
      ? success(task)
      : refuse('INVALID_RESPONSE_FORMAT', 'The server sent something else than a task');
  };
  return {
    get: (id, _wait, signal) => get(id, signal),
    async result(taskId, name, signal) {
      const outcome = await request('tasks/get', { taskId }, signal);
      if (!outcome.ok) return outcome;
      const { result, error, ...task } = outcome.data;
      if (result !== undefined) return read(name, result);
      if (error !== undefined) return readError(error as NonNullable<RawResponse['error']>);
      if (task['status'] === 'cancelled') return refuse('CANCELLED', 'Cancelled by the caller');
      return { ok: true, data: undefined, task: task as unknown as Task };
    },
    async answer(taskId, inputResponses, signal) {
      const outcome = await request('tasks/update', { taskId, inputResponses }, signal);
      return outcome.ok ? success(undefined) : outcome;
    },
    async cancel(taskId, signal) {
      const outcome = await request('tasks/cancel', { taskId }, signal);
      return outcome.ok ? get(taskId, signal) : outcome;
    },
    watch: (id, signal) => pollTask(() => get(id, signal), signal),
  };

  async function request(
    method: string,
    params: Readonly<Record<string, unknown>>,
    signal: AbortSignal | undefined,
  ): Promise<Outcome<Readonly<Record<string, unknown>>>> {
    try {
      const raw = await connect();
      if (!raw) return refuse('TASK_NOT_FOUND', 'This server has no tasks: it does not support MCP 2026-07-28');
      const { result, error } = await raw(method, params, signal);
      return error ? readError(error) : success(result ?? {});
    } catch (thrown) {
      return failureOf(thrown);
    }
  }
}

/** Calls a tool so that it may become a task: then the outcome has the task, otherwise `read` gets the result. */
export async function callAsTask(
  raw: RawRequest,
  params: { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> },
  { wantsTask, idempotencyKey }: TaskTerms,
  signal: AbortSignal | undefined,
  read: (result: unknown) => Promise<Outcome>,
): Promise<Outcome> {
  const _meta = idempotencyKey === undefined ? {} : { 'everywire/idempotencyKey': idempotencyKey };
  const { result, error } = await raw('tools/call', { ...params, _meta }, signal, wantsTask);
  if (error) return readError(error);
  const { resultType, _meta: _about, ...task } = result ?? {};
  if (resultType === 'task' && isTask(task)) return { ok: true, data: undefined, task };
  if (resultType !== 'input_required') return read(result);
  return refuse('INPUT_REQUIRED', 'The function asks before it becomes a task, and nobody is there to answer', {
    details: { inputRequests: result?.['inputRequests'] },
  });
}

function readError(error: NonNullable<RawResponse['error']>): Failed {
  const outcome = readResponse({ jsonrpc: '2.0', error });
  return outcome.ok ? refuse('INVALID_RESPONSE_FORMAT', 'The server sent an error that cannot be read') : outcome;
}
