import type { App } from '../../../app/app.ts';
import { followTask, toFoundTask } from '../../../app/find-task.ts';
import type { FoundTask, TaskCaller } from '../../../app/find-task.ts';
import { refuse } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';
import { CANCEL_TASK, GET_TASK, UPDATE_TASK } from '../../../core/task-operations.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { Encoder } from '../codec.ts';
import { decodeBody } from '../decode-body.ts';
import type { Handler } from '../find-route.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { decodeSegment } from '../path-tree.ts';
import type { PublicUrl } from '../public-url.ts';
import { notAcceptable } from '../refusals.ts';
import type { Waiting } from '../waiting.ts';
import { readPreferences } from './preferences.ts';
import { NOT_STORED, acceptedReply, headersOf, taskReply } from './task-reply.ts';

export interface TaskHandlers {
  readonly getTask: Handler;
  readonly getTaskResult: Handler;
  readonly answerTask: Handler;
  readonly cancelTask: Handler;
  readonly followTask: Handler;
}

export interface TaskHandlerOptions {
  readonly encoder: Encoder;
  readonly publicUrl: PublicUrl;
  readonly waiting: Waiting;
  readonly senderOf: (request: HttpRequest) => TaskCaller;
}

/** A task as one request sees it. */
interface Looked {
  readonly found: FoundTask | Failed;
  readonly requestId: string | undefined;
}

/** As long as a start may wait: proxies close connections that are silent for longer. */
const MAX_WAIT = 60_000;

/** `/tasks/<id>` and what is below it. */
export function createTaskHandlers(app: App, options: TaskHandlerOptions): TaskHandlers {
  const { encoder, publicUrl, waiting, senderOf } = options;

  return {
    async getTask(request, query, match) {
      const { found, requestId } = await look(request, idIn(match));
      return 'ok' in found ? fail(found, requestId, request, query) : taskReply(app, found, requestId);
    },
    async getTaskResult(request, query, match) {
      const { found, requestId } = await look(request, idIn(match));
      if ('ok' in found) return fail(found, requestId, request, query);
      const { task, outcome } = found;
      if (outcome) return resultReply({ ...found, outcome }, requestId, request, query);
      if (task.status === 'input_required') return fail(INPUT_REQUIRED, requestId, request, query);
      return acceptedReply(app, request, task, publicUrl, requestId);
    },
    async answerTask(request, query, match) {
      const decoded = await decodeBody(request, query, [], undefined, app.limits);
      const { outcome, requestId } = await app.operations.respond({
        ...senderOf(request),
        name: UPDATE_TASK,
        ...('ok' in decoded ? { refused: decoded } : { input: withId(decoded.input, idIn(match)) }),
      });
      if (!outcome.ok) return fail(outcome, requestId, request, query);
      return { status: 200, headers: headersOf(app, requestId), body: '{}' };
    },
    async cancelTask(request, query, match) {
      const input = { taskId: idIn(match) };
      const { outcome, requestId } = await app.operations.respond({ ...senderOf(request), name: CANCEL_TASK, input });
      if (!outcome.ok) return fail(outcome, requestId, request, query);
      return taskReply(app, toFoundTask(app, outcome.data), requestId);
    },
    async followTask(request, query, match) {
      const taskId = idIn(match);
      const { found, requestId } = await find(senderOf(request), taskId);
      if ('ok' in found) return fail(found, requestId, request, query);
      const { eventsReply } = await import('./task-events.ts');
      return eventsReply(app, request, taskId, { sender: senderOf(request), waiting, requestId });
    },
  };

  async function find(sender: TaskCaller, taskId: string): Promise<Looked> {
    const { outcome, requestId } = await app.operations.respond({ ...sender, name: GET_TASK, input: { taskId } });
    return { found: outcome.ok ? toFoundTask(app, outcome.data) : outcome, requestId };
  }

  /** With `Prefer: wait=<seconds>`, waits until the task has ended, or needs input. */
  async function look(request: HttpRequest, taskId: string): Promise<Looked> {
    const sender = senderOf(request);
    const first = await find(sender, taskId);
    const { wait } = readPreferences(request.headers);
    if (wait === 0 || 'ok' in first.found || first.found.task.status !== 'working') return first;
    let found: Looked['found'] = first.found;
    const waited = waiting.begin(request, Math.min(wait, MAX_WAIT));
    try {
      for await (const changed of followTask(app, sender, taskId, waited.signal)) {
        found = changed;
        if ('ok' in found || found.task.status !== 'working') break;
      }
    } finally {
      waited.end();
    }
    return { ...first, found };
  }

  /** What the call would have been answered with, had somebody waited for it. */
  async function resultReply(
    { fn, outcome }: FoundTask & Required<Pick<FoundTask, 'outcome'>>,
    requestId: string | undefined,
    request: HttpRequest,
    query: string,
  ): Promise<HttpReply> {
    const profile = encoder.choose(query, request.headers) ?? (fn?.returnsFile ? app.profile : undefined);
    if (!profile) return fail(notAcceptable(encoder.offered), requestId, request, query);
    const files = fn?.returnsFile && outcome.ok && (await import('../../files/file-reply.ts'));
    const reply =
      outcome.ok && files && !files.wantsJson(request)
        ? await files.storedFileReply(app, outcome.data, requestId)
        : encoder.encode({ ...app.render(outcome, fn, profile), requestId }, profile);
    return { ...reply, headers: { ...reply.headers, ...NOT_STORED } };
  }

  function fail(failure: Failed, requestId: string | undefined, request: HttpRequest, query: string): HttpReply {
    const profile = encoder.choose(query, request.headers) ?? app.profile;
    const reply = encoder.encode({ ...app.render(failure, undefined, profile), requestId }, profile);
    return { ...reply, headers: { ...reply.headers, ...NOT_STORED } };
  }
}

const INPUT_REQUIRED = refuse('CONFLICT', 'The task has no result yet: it waits for input');

function idIn({ values: [sent = ''] }: { readonly values: readonly string[] }): string {
  return decodeSegment(sent) ?? sent;
}

/** What is not an object is left to the check of the arguments. */
function withId(input: unknown, taskId: string): unknown {
  return isRecord(input) || input === undefined ? { ...input, taskId } : input;
}
