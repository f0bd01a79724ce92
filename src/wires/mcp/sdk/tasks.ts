import type { Server, ServerContext, StandardSchemaV1 } from '@modelcontextprotocol/server';
import { toFoundTask } from '../../../app/find-task.ts';
import type { FoundTask } from '../../../app/find-task.ts';
import { CANCEL_TASK, GET_TASK, UPDATE_TASK } from '../../../core/task-operations.ts';
import { INVALID_PARAMS } from '../jsonrpc.ts';
import type { Era } from '../revisions.ts';
import { RELATED_TASK, declaresTasks, tasksNotDeclared } from '../tasks/extension.ts';
import { taskInput, taskResultText } from '../tasks/respond-task.ts';
import { resultText, taskError, toLegacyTask } from '../tasks/task-messages.ts';
import type { CallRunner } from './call-runner.ts';
import { toProtocolError } from './protocol-error.ts';

type Params = Readonly<Record<string, unknown>>;
type Handler = (params: Params, context: ServerContext) => Promise<Record<string, unknown>>;

/** The operations check their input themselves. */
const ANY: StandardSchemaV1<Params> = {
  '~standard': { version: 1, vendor: 'everywire', validate: (value) => ({ value: value as Params }) },
};

export function serveTasks(server: Server, runner: CallRunner, era: Era): void {
  if (!runner.catalog.app.tasks.isUsed) return;
  const handlers = era === 'modern' ? modernHandlers(runner) : legacyHandlers(runner);
  for (const [method, handler] of Object.entries(handlers))
    server.setRequestHandler(method, { params: ANY }, runner.guard(handler));
}

/** The extension of revision 2026-07-28. */
function modernHandlers(runner: CallRunner): Record<string, Handler> {
  const handle =
    (method: string): Handler =>
    async ({ taskId }, context) => {
      if (!declaresTasks(runner.capabilitiesOf(context)))
        throw toProtocolError(tasksNotDeclared('This method needs a client that declares tasks'));
      const input = taskInput(method, taskId, context.mcpReq.inputResponses);
      const data = await runner.operate(method, input, context);
      return JSON.parse(taskResultText(runner.catalog, method, data)) as Record<string, unknown>;
    };
  return Object.fromEntries([GET_TASK, UPDATE_TASK, CANCEL_TASK].map((method) => [method, handle(method)]));
}

/** The tasks of revision 2025-11-25. There is no `tasks/list`: callers that are not recognised could not be told apart. */
function legacyHandlers(runner: CallRunner): Record<string, Handler> {
  const { app } = runner.catalog;
  const operate = async (method: string, taskId: unknown, context: ServerContext): Promise<FoundTask> =>
    toFoundTask(app, await runner.operate(method, { taskId }, context));
  return {
    [GET_TASK]: async ({ taskId }, context) => ({ ...toLegacyTask(await operate(GET_TASK, taskId, context)) }),
    [CANCEL_TASK]: async ({ taskId }, context) => {
      const before = await operate(GET_TASK, taskId, context);
      const after = before.outcome ? before : await operate(CANCEL_TASK, taskId, context);
      if (before.outcome || after.task.status !== 'cancelled')
        throw toProtocolError({ code: INVALID_PARAMS, message: `The task has ended: ${after.task.status}` });
      return { ...toLegacyTask(after) };
    },
    'tasks/result': async ({ taskId }, context) => {
      await operate(GET_TASK, taskId, context); // refuses what is not the id of a task
      const { task, fn, outcome } = await runner.awaitTask(taskId as string, context);
      if (!outcome.ok && task.status !== 'completed') throw toProtocolError(taskError(outcome));
      const result = JSON.parse(resultText({ fn, outcome }, runner.catalog)) as Record<string, unknown>;
      return { ...result, _meta: { ...(result['_meta'] as object), [RELATED_TASK]: { taskId } } };
    },
  };
}
