import type { App } from '../../app/app.ts';
import { refuse } from '../../core/failure.ts';
import type { CallFunction, Encoder } from '../http/codec.ts';
import { etagOf, isKnown } from '../http/etag.ts';
import type { Handler } from '../http/find-route.ts';
import type { HttpReply, HttpRequest } from '../http/message.ts';
import { notAcceptable } from '../http/refusals.ts';
import { decodeQuery, takesProfile } from './decode.ts';

/** GET and DELETE: the arguments are in the query. The response to GET has an ETag. */
export function createQueryFunction(
  app: App,
  { choose, offered, encodeFailure }: Encoder,
  callFunction: CallFunction,
): Handler {
  return async (request, query, { values }, found) => {
    const fn = found!; // the table has a row for each function
    const profile =
      choose(takesProfile(fn) ? '' : query, request.headers) ?? (fn.returnsFile ? app.profile : undefined);
    if (!profile) return withHeaders(encodeFailure(notAcceptable(offered), app.profile), NOT_STORED);
    const decoded = request.body.byteLength > 0 ? withBody(request) : decodeQuery(query, values, fn, app.limits);
    const reply = await callFunction(request, fn.name, fn, decoded, profile);
    if (reply.headers['cache-control'] !== undefined || request.method === 'DELETE') return reply; // a stream
    // Caches may store a 404 or a 410 unless they are told not to.
    return reply.status === 200 ? revalidated(reply, request, fn.http.cacheControl) : withHeaders(reply, NOT_STORED);
  };
}

const withBody = ({ method }: HttpRequest) =>
  refuse('BAD_REQUEST', `${method} has no body; send the arguments in the query, or use POST`);
const NOT_STORED = { 'cache-control': 'no-store' };

async function revalidated(reply: HttpReply, request: HttpRequest, cacheControl: string): Promise<HttpReply> {
  // A file is not read to see whether the client has it.
  if (typeof reply.body !== 'string') return withHeaders(reply, { 'cache-control': cacheControl });
  const { 'content-type': type = '', ...others } = reply.headers;
  // Two profiles may have the same body, with different types.
  const etag = await etagOf(`${type}\n${reply.body}`);
  const headers = { ...others, 'cache-control': cacheControl, etag };
  return isKnown(etag, request) ? { status: 304, headers, body: '' } : withHeaders(reply, headers);
}

function withHeaders(reply: HttpReply, headers: HttpReply['headers']): HttpReply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
