import type { App } from '../../../app/app.ts';
import type { Code } from '../../../core/codes.ts';
import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { mayBecomeTask } from '../../../core/task.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { toPascalCase } from './names.ts';
import { describeReturned } from './operation.ts';
import type { Draft } from './operation.ts';
import { BINARY } from './files.ts';
import type { Security } from './security.ts';
import type { SharedResponses } from './shared-responses.ts';
import * as schema from './task-schemas.ts';

/** What a document says about tasks. */
export interface TaskDescriptions {
  readonly tag: { readonly name: string; readonly description: string };
  /** What an operation has that may become a task. */
  describeDeferral(fn: RegisteredFunction): { readonly parameters: readonly object[]; readonly accepted: object };
  /** The operations on tasks. */
  describePaths(): Record<string, Record<string, object>>;
}

/** The extension that has the schema of a result which only a task returns. */
const RESULT = 'x-everywire-result';

const TAG = { name: 'tasks', description: 'Calls that go on without their requests' };
const JSON_TYPE = 'application/json';

export function createTaskDescriptions(
  app: App,
  { schemas, failures, profiles, typeOf }: Draft,
  shared: SharedResponses,
  security: Security,
): TaskDescriptions {
  const deferrable = app.functions.filter(mayBecomeTask);
  const idOf = createIds(app.functions);
  const place = (type: JsonSchema, name: string, side: 'input' | 'output', given?: string) =>
    schemas.place(type, { side, owner: '', name }, given === undefined ? {} : { given });
  const task = () => ({ [JSON_TYPE]: { schema: place(schema.TASK, 'Task', 'output', 'Task') } });
  const headers = (...names: (keyof typeof schema.HEADERS)[]) =>
    Object.fromEntries(
      names.map((name) => [
        name,
        shared.headers.refer([`Task${toPascalCase(name)}`], ['task', name], () => schema.HEADERS[name]),
      ]),
    );
  const accepted = () => ({
    description: 'The call goes on as a task.',
    headers: headers('Location', 'Operation-Location', 'Preference-Applied', 'Retry-After'),
    content: task(),
    links: {
      task: {
        operationId: idOf('get'),
        parameters: { taskId: '$response.body#/taskId' },
        description: 'The task, and its result.',
      },
    },
  });
  const sharedAccepted = () => shared.responses.refer(['TaskAccepted'], 'task accepted', accepted);

  return { tag: TAG, describeDeferral, describePaths };

  function describeDeferral(fn: RegisteredFunction) {
    const parameters = [{ ...schema.PREFER }, { ...schema.IDEMPOTENCY_KEY }];
    if (fn.task !== 'always') return { parameters, accepted: sharedAccepted() };
    const owner = toPascalCase(fn.name);
    const [profile] = profiles;
    const returned = schemas.place(
      profile.successSchema(fn.returned),
      { side: 'output', owner, name: `${owner}Result`, isOwned: true, isBody: true },
      { isInline: true },
    );
    const description = `The call goes on as a task. Its result: ${describeReturned(fn)}`;
    return { parameters, accepted: { ...accepted(), description, [RESULT]: returned } };
  }

  function describePaths(): Record<string, Record<string, object>> {
    const found = { description: 'The task.', headers: headers('Retry-After'), content: task() };
    return {
      '/tasks/{taskId}': {
        get: operation('get', 'Returns a task', { parameters: [schema.PREFER_WAIT] }, { 200: found }),
      },
      '/tasks/{taskId}/result': {
        get: operation(
          'result',
          'Returns what the call would have been answered with',
          { parameters: [schema.PREFER_WAIT] },
          { 200: describeAnswer(), 202: sharedAccepted() },
          ['CONFLICT', 'CANCELLED', 'NOT_ACCEPTABLE'],
        ),
      },
      '/tasks/{taskId}/events': {
        get: operation('events', 'Follows a task until it ends', {}, { 200: EVENTS }),
      },
      '/tasks/{taskId}/input': {
        post: operation(
          'input',
          'Answers what a task waits for',
          { requestBody: describeInput() },
          {
            200: {
              description: 'Accepted.',
              content: { [JSON_TYPE]: { schema: place(schema.EMPTY, 'Empty', 'output') } },
            },
          },
          ['INVALID_JSON', 'INVALID_ARGUMENTS', 'PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'],
        ),
      },
      '/tasks/{taskId}/cancel': {
        post: operation('cancel', 'Cancels a task', {}, { 200: { description: 'The task.', content: task() } }),
      },
    };
  }

  function operation(
    name: TaskOperation,
    summary: string,
    { parameters = [], ...rest }: { readonly parameters?: readonly object[]; readonly requestBody?: object },
    responses: object,
    codes: readonly Code[] = [],
  ): object {
    const all: readonly Code[] = [
      ...codes,
      'TASK_NOT_FOUND',
      'INTERNAL_ERROR',
      'UNAVAILABLE',
      ...(app.access ? (['UNAUTHENTICATED'] as const) : []),
    ];
    return {
      operationId: idOf(name),
      summary,
      description: `${summary}.`,
      tags: [TAG.name],
      ...security.ofTasks(deferrable),
      parameters: [{ ...schema.TASK_ID }, ...parameters.map((one) => ({ ...one }))],
      ...rest,
      responses: { ...responses, ...failures.describeCodes(all, {}, 'Task') },
    };
  }

  function describeInput(): object {
    return {
      required: true,
      content: { [JSON_TYPE]: { schema: place(schema.INPUT, 'TaskInput', 'input', 'TaskInput') } },
    };
  }

  function describeAnswer(): object {
    const content = profiles.map((profile) => [
      typeOf(profile, true),
      { schema: place(schema.ANSWER, 'TaskAnswer', 'output') },
    ]);
    const raw = deferrable.some(({ returnsFile }) => returnsFile) && {
      'application/octet-stream': { schema: place(BINARY, 'File', 'output') },
    };
    // Not `default` for its failures: generators would add types for every status that there is.
    return {
      description: 'As the function answers. Its failures have the status of the function, too.',
      content: { ...Object.fromEntries(content), ...raw },
    };
  }
}

type TaskOperation = 'get' | 'result' | 'events' | 'input' | 'cancel';

/** `tasks.get`, or `tasks_get` where ids have no dots. Functions may have taken these. */
function createIds(functions: readonly RegisteredFunction[]): (name: TaskOperation) => string {
  const isPortable = functions.some(({ operationId, alias }) => operationId !== alias && !operationId.includes('.'));
  const separator = isPortable ? '_' : '.';
  const group = `tasks${separator}`;
  const isTaken = functions.some(({ operationId }) => operationId.startsWith(group));
  return (name) => `${isTaken ? `everywire${separator}` : ''}${group}${name}`;
}

const EVENTS = {
  description: 'The task now, and again whenever it has changed.',
  content: {
    'text/event-stream': {
      schema: { type: 'string', description: 'Server-sent events named `task`; their data is the task as JSON.' },
    },
  },
};
