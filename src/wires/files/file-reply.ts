import type { App } from '../../app/app.ts';
import type { Answer, RequestedCall } from '../../app/respond.ts';
import { convertFile } from '../../core/file-results.ts';
import type { FileHandle } from '../../core/file-handle.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { NOT_A_PAGE, varyOf } from '../http/codec.ts';
import type { Encoder } from '../http/codec.ts';
import type { HttpReply, HttpRequest } from '../http/message.ts';
import { splitTarget } from '../http/target.ts';
import { takesProfile } from '../query/decode.ts';
import { contentDisposition } from './content-disposition.ts';

/** Calls a function that returns a file, and sends the file as it is, unless the request asks for JSON. */
export async function replyWithFile(
  app: App,
  request: HttpRequest,
  call: RequestedCall,
  profile: Profile,
  encoder: Encoder,
): Promise<HttpReply> {
  const takesFile = !wantsJson(request, call.fn);
  const answer = await app.respond({ ...call, takesFile }, profile);
  return takesFile ? fileReply(app, answer, profile, encoder) : encoder.encode(answer, profile);
}

/** Sends the file of an answer, as it is. */
export function fileReply(app: App, answer: Answer, profile: Profile, { encode }: Encoder): HttpReply {
  const { outcome, requestId } = answer;
  return outcome.ok ? sendFile(app, outcome.data as FileHandle, requestId) : encode(answer, profile);
}

/** The same for a file that was stored in its JSON form. */
export async function storedFileReply(app: App, data: unknown, requestId: string | undefined): Promise<HttpReply> {
  return sendFile(app, (await convertFile(data, app.limits.file)) as FileHandle, requestId);
}

function sendFile(app: App, file: FileHandle, requestId: string | undefined): HttpReply {
  return {
    status: 200,
    headers: {
      'content-type': file.type || 'application/octet-stream',
      'content-disposition': contentDisposition(file.name),
      ...(file.size !== undefined && { 'content-length': String(file.size) }),
      ...NOT_A_PAGE,
      vary: varyOf(app),
      ...(requestId !== undefined && { 'x-request-id': requestId }),
    },
    body: file.stream(),
  };
}

/** Whether a request names JSON, and nothing that it likes better. `fn` is what it calls, if it is a call. */
export function wantsJson({ method, target, headers }: HttpRequest, fn?: RegisteredFunction): boolean {
  const { query } = splitTarget(target);
  const isArgument = fn !== undefined && IN_QUERY.has(method) && takesProfile(fn);
  if (query !== '' && !isArgument && new URLSearchParams(query).has('profile')) return true;
  let [json, others] = [0, 0];
  for (const range of String(headers['accept'] ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    const quality = weight === undefined ? 1 : Number(weight) || 0;
    if (type === 'application/json') json = Math.max(json, quality);
    else others = Math.max(others, quality);
  }
  return json > 0 && json >= others;
}

/** Methods whose arguments are in the query. */
const IN_QUERY = new Set(['GET', 'HEAD', 'DELETE']);
