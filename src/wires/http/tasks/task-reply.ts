import type { App } from '../../../app/app.ts';
import { taskBody } from '../../../app/task-body.ts';
import type { FoundTask } from '../../../app/find-task.ts';
import type { Task } from '../../../core/task.ts';
import { varyOf } from '../codec.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import type { PublicUrl } from '../public-url.ts';

export const NOT_STORED = { 'cache-control': 'no-store' };

/** `GET /tasks/<id>`: the task, and what became of it. */
export function taskReply(app: App, found: FoundTask, requestId: string | undefined): HttpReply {
  const { task, outcome } = found;
  const headers = { ...headersOf(app, requestId), ...(!outcome && retryAfter(task)) };
  return { status: 200, headers, body: taskBody(app, found) };
}

/** 202: the work goes on, and here is where to look for it. */
export function acceptedReply(
  app: App,
  request: HttpRequest,
  task: Task,
  publicUrl: PublicUrl,
  requestId: string | undefined,
): HttpReply {
  const url = publicUrl(request, `/tasks/${task.taskId}`);
  // CGI: some web servers take Location for themselves, and Operation-Location passes everywhere.
  const where = url === undefined ? {} : { location: url, 'operation-location': url };
  return {
    status: 202,
    headers: { ...headersOf(app, requestId), ...where, ...retryAfter(task) },
    body: JSON.stringify(task),
  };
}

export function headersOf(app: App, requestId: string | undefined): Record<string, string> {
  return {
    'content-type': 'application/json',
    vary: varyOf(app),
    ...NOT_STORED,
    ...(requestId !== undefined && { 'x-request-id': requestId }),
  };
}

const retryAfter = ({ pollIntervalMs }: Task) => ({ 'retry-after': String(Math.ceil(pollIntervalMs / 1000)) });
