import type { App } from '../../app/app.ts';
import { render } from '../../app/respond.ts';
import type { Answer, RequestedCall } from '../../app/respond.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { LAST_EVENT_ID, lastEvent } from '../stream-events.ts';
import { varyOf } from './codec.ts';
import { EventBody } from './event-body.ts';
import type { HttpReply, HttpRequest } from './message.ts';
import type { StreamType } from './stream-type.ts';

/** How the reply to a call is written. */
interface Format {
  readonly type: StreamType;
  /** Of the result. */
  readonly profile: Profile;
  /** A reply without a stream. */
  readonly encode: (answer: Answer, profile: Profile) => HttpReply;
}

/**
 * Calls a function, and replies with a stream of what it yields. A call that fails before its first event is an ordinary
 * reply with its status.
 */
export async function streamReply(
  app: App,
  call: RequestedCall,
  { method, headers, onClosing }: HttpRequest,
  { type, profile, encode }: Format,
): Promise<HttpReply> {
  // EventSource reconnects when a stream ends, and would call the function again and again.
  if (headers['last-event-id'] === LAST_EVENT_ID) return NOTHING_MORE;
  let isCancelled = false;
  let cancel: () => void = () => (isCancelled = true);
  const body = new EventBody(type, () => cancel());
  const answered = Promise.resolve(
    app.respond(
      {
        ...call,
        // A response to HEAD has no body that could be read.
        ...(method !== 'HEAD' && { onChunk: body.chunk, onProgress: body.progress }),
        onClosing,
        onDisconnect(listener) {
          call.onDisconnect?.(listener);
          cancel = () => listener();
          if (isCancelled) listener();
        },
      },
      profile,
    ),
  );
  // In this order: a function that reports progress and returns at once has begun, too.
  const answer = await Promise.race([body.begun, answered]);
  if (answer) {
    body.discard();
    if (!answer.outcome.ok) return encode(answer, profile);
    const id = answer.requestId === undefined ? {} : { 'x-request-id': answer.requestId };
    return reply(
      { ...streamHeaders(app, type), ...id },
      method === 'HEAD' ? NO_BODY() : lastEvent(answer, body.encode),
    );
  }
  void answered
    .catch((thrown: unknown) => render(app.reportError(thrown, { part: 'http' }), call.fn, profile))
    .then((late) => body.end(lastEvent(late, body.encode)));
  return reply(streamHeaders(app, type), body.stream);
}

const reply = (headers: HttpReply['headers'], body: HttpReply['body']): HttpReply => ({ status: 200, headers, body });

/** nginx would collect the response before it sends it on. */
export const streamHeaders = (app: App, type: StreamType): HttpReply['headers'] => ({
  'content-type': type === 'text/event-stream' ? type : `${type}; charset=utf-8`,
  vary: varyOf(app),
  'cache-control': 'no-cache',
  'x-accel-buffering': 'no',
});

/** Not an empty string, whose length would be sent: that of the response to GET is not known. */
const NO_BODY = () => new ReadableStream<Uint8Array>({ start: (controller) => controller.close() });

/** Tells EventSource not to connect again. */
export const NOTHING_MORE: HttpReply = { status: 204, headers: { 'cache-control': 'no-store' }, body: '' };
