import type { App } from '../../../app/app.ts';
import type { RequestedCall } from '../../../app/respond.ts';
import { refuse } from '../../../core/failure.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { RegisteredFunction } from '../../../core/registered-function.ts';
import { becomesTask } from '../../../core/task.ts';
import type { Deferral } from '../../../core/task.ts';
import type { Profile } from '../../../responses/profiles/profile.ts';
import type { Encoder } from '../codec.ts';
import type { HttpHeaders, HttpReply, HttpRequest } from '../message.ts';
import type { PublicUrl } from '../public-url.ts';
import type { Waiting } from '../waiting.ts';
import { readPreferences } from './preferences.ts';
import { acceptedReply } from './task-reply.ts';

/** What HTTP callers can answer while a task runs: `POST /tasks/<id>/input`. */
const ASKABLE = ['elicitation/create'];

interface DeferrableCall {
  readonly request: HttpRequest;
  readonly call: RequestedCall & { readonly fn: RegisteredFunction };
  readonly profile: Profile;
  readonly encoder: Encoder;
  readonly publicUrl: PublicUrl;
  readonly waiting: Waiting;
  /** Makes a call that does not become a task. */
  readonly callNow: (call: RequestedCall) => HttpReply | Promise<HttpReply>;
}

/**
 * Calls a function that may become a task. One that does is never a stream, also if the request asks for one: the answer comes
 * later, from `/tasks/<id>/events`.
 */
export async function callDeferrable(app: App, deferrable: DeferrableCall): Promise<HttpReply> {
  const { request, profile, encoder, publicUrl, waiting, callNow } = deferrable;
  const { respondAsync, wait } = readPreferences(request.headers);
  const caller = respondAsync ? 'prefers' : 'accepts';
  const { call } = deferrable;
  const { fn } = call;
  const deferral: Deferral = { caller, wait, askable: ASKABLE, idempotencyKey: keyIn(request.headers) };
  if (!becomesTask(fn, { ...call, caller: call.caller!, deferral })) return callNow({ ...call, deferral });

  const files = fn.returnsFile ? await import('../../files/file-reply.ts') : undefined;
  const waited = wait > 0 ? waiting.begin(request) : undefined;
  const takesFile = files && !files.wantsJson(request, fn);
  const refused = call.refused ?? refuseKey(request.headers);
  const started = { ...call, refused, takesFile, deferral: { ...deferral, signal: waited?.signal } };
  const responding = async () => app.respond(started, profile);
  const answer = await responding().finally(() => waited?.end());
  const { outcome, requestId } = answer;
  if (outcome.ok && outcome.task) {
    const reply = acceptedReply(app, request, outcome.task, publicUrl, requestId);
    if (!respondAsync) return reply;
    return { ...reply, headers: { ...reply.headers, 'preference-applied': 'respond-async' } };
  }
  return files && takesFile ? files.fileReply(app, answer, profile, encoder) : encoder.encode(answer, profile);
}

const KEY = /^[ -~]{1,255}$/;

function keyIn({ 'idempotency-key': key }: HttpHeaders): string | undefined {
  return key === undefined ? undefined : String(key);
}

function refuseKey(headers: HttpHeaders): Failed | undefined {
  const key = keyIn(headers);
  return key === undefined || KEY.test(key) ? undefined : BAD_KEY;
}

const BAD_KEY = refuse('BAD_REQUEST', 'Idempotency-Key must be 1 to 255 printable ASCII characters');
