import type { ProtocolError, Server, ServerContext } from '@modelcontextprotocol/server';
import { isByFramework } from '../../../core/failure.ts';
import { functionNotFound } from '../../../core/not-found.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { Task } from '../../../core/task.ts';
import { toToolResponse } from '../call-tool.ts';
import { Elicitation } from '../elicitation.ts';
import { METHOD_NOT_FOUND } from '../jsonrpc.ts';
import type { Era } from '../revisions.ts';
import { tasksNotDeclared } from '../tasks/extension.ts';
import { toCreatedTask, toLegacyTask } from '../tasks/task-messages.ts';
import type { CallRunner } from './call-runner.ts';
import { failureError, toProtocolError } from './protocol-error.ts';
import { unwrapArguments } from './wrapped-arguments.ts';

/** The SDK requires `content` in the result of a tool, also if it is a task. */
const toCreateResult = (task: Task, era: Era): { content: [] } => ({
  content: [],
  ...(era === 'modern' ? toCreatedTask(task) : { task: toLegacyTask({ task }) }),
});

const needsTask = (outcome: Failed) => outcome.error.code === 'TASK_REQUIRED' && isByFramework(outcome);

/** In revision 2025-11-25 it is as if the method did not exist in this form. */
function taskRequired({ error }: Failed, era: Era): ProtocolError {
  const { code, message } = error;
  return toProtocolError(
    era === 'modern' ? tasksNotDeclared(message, { code }) : { code: METHOD_NOT_FOUND, message, data: { code } },
  );
}

/** Finds the elicitation of a call that was begun on the fast path, and that the SDK is to send. */
export type FindElicitation = (context: ServerContext) => Elicitation | undefined;

export function serveTools(server: Server, runner: CallRunner, findElicitation: FindElicitation): void {
  const { app, profile } = runner.catalog;
  const tools = runner.catalog.tools[runner.era];
  server.setRequestHandler(
    'tools/list',
    runner.guard(async (_request, context) => ({ tools: (await runner.visible(tools, app.functions, context)) as [] })),
  );
  server.setRequestHandler(
    'tools/call',
    runner.guard(async ({ params }, context) => {
      const begun = findElicitation(context);
      const fn = app.find(params.name);
      if (!fn && app.access) return runner.refuseUnknown(params.name, context);
      if (!fn) throw failureError(functionNotFound(params.name));
      const call = { name: fn.name, input: unwrapArguments(params) };
      if (begun) return runner.elicit(begun, call, context);
      const { task } = params as { readonly task?: unknown };
      const called = { ...call, name: params.name, fn, task };
      const { answer, elicitation } = await runner.call(app.respond, called, context, profile);
      const { outcome } = answer;
      if (outcome.ok && outcome.task) return toCreateResult(outcome.task, runner.era);
      if (!outcome.ok && needsTask(outcome)) throw taskRequired(outcome, runner.era);
      const response = toToolResponse(answer, elicitation);
      if (response instanceof Elicitation) return runner.elicit(response, call, context);
      if (typeof response !== 'string') throw toProtocolError(response);
      return JSON.parse(response) as { content: [] };
    }),
  );
}
