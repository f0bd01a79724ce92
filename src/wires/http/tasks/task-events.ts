import type { App } from '../../../app/app.ts';
import { followTask } from '../../../app/find-task.ts';
import type { TaskCaller } from '../../../app/find-task.ts';
import { taskBody } from '../../../app/task-body.ts';
import { LAST_EVENT_ID, lastEvent } from '../../stream-events.ts';
import { EventBody } from '../event-body.ts';
import type { HttpReply, HttpRequest } from '../message.ts';
import { streamTypeIn } from '../stream-type.ts';
import { NOTHING_MORE, streamHeaders } from '../stream.ts';
import type { Wait, Waiting } from '../waiting.ts';

interface Follower {
  readonly sender: TaskCaller;
  readonly waiting: Waiting;
  readonly requestId: string | undefined;
}

/** `GET /tasks/<id>/events`: the task now, and again whenever it has changed, until it has ended. */
export function eventsReply(
  app: App,
  request: HttpRequest,
  taskId: string,
  { sender, waiting, requestId }: Follower,
): HttpReply {
  const { accept, 'last-event-id': lastId } = request.headers;
  if (lastId === LAST_EVENT_ID) return NOTHING_MORE;
  const type = streamTypeIn(accept) ?? 'text/event-stream';
  const wait = waiting.begin(request);
  const body = new EventBody(type, wait.end);
  void send(app, sender, taskId, body, wait);
  const headers = { ...streamHeaders(app, type), ...(requestId !== undefined && { 'x-request-id': requestId }) };
  return { status: 200, headers: { ...headers, 'cache-control': 'no-store' }, body: body.stream };
}

/** No faster than the client reads: what changes meanwhile is one change. */
async function send(app: App, sender: TaskCaller, taskId: string, body: EventBody, wait: Wait): Promise<void> {
  try {
    for await (const found of followTask(app, sender, taskId, wait.signal)) {
      if (!('ok' in found)) await body.send(body.encode('task', taskBody(app, found), found.outcome !== undefined));
      // Otherwise the client connects again, and hears then whether there is more.
      else if (!found.error.retry) body.end(lastEvent(app.render(found, undefined, app.profile), body.encode));
    }
  } catch (thrown) {
    app.reportError(thrown, { part: 'http' });
  } finally {
    wait.end();
    body.end();
  }
}
