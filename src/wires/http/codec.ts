import type { App } from '../../app/app.ts';
import { render } from '../../app/respond.ts';
import type { Answer, RequestedCall } from '../../app/respond.ts';
import { tooMany } from '../../core/call-gates.ts';
import { statusOf } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { createNegotiation } from '../../responses/negotiate.ts';
import type { Profile, ProfileName } from '../../responses/profiles/profile.ts';
import { createCallerReader } from './caller.ts';
import { createChallenge } from './challenge.ts';
import { createCredentialsReader } from './credentials.ts';
import { decodeBody } from './decode-body.ts';
import type { Decoded } from './decode-body.ts';
import type { Handler } from './find-route.ts';
import type { HttpHeaders, HttpRequest, HttpReply } from './message.ts';
import { notAcceptable } from './refusals.ts';
import { isStreamType, streamTypeIn } from './stream-type.ts';
import { publicPath } from './public-url.ts';
import type { PublicUrl } from './public-url.ts';
import type { Waiting } from './waiting.ts';
import type { HttpWireOptions } from './wire.ts';

/** Calls a function with decoded arguments, and encodes the answer. */
export type CallFunction = (
  request: HttpRequest,
  name: string,
  fn: RegisteredFunction | undefined,
  decoded: Decoded,
  profile: Profile,
  isCounted?: boolean,
) => HttpReply | Promise<HttpReply>;

/** The handlers of functions: decode, call, encode. */
export function createFunctionHandlers(
  app: App,
  { environment, name: wire }: Pick<HttpWireOptions, 'environment' | 'name' | 'base'>,
  encoder: Encoder,
  forTasks: { readonly publicUrl: PublicUrl; readonly waiting: Waiting },
  extend?: (call: RequestedCall, request: HttpRequest) => RequestedCall,
): { readonly callFunction: Handler; readonly queryFunction: Handler } {
  const { choose, offered, encode, encodeFailure } = encoder;
  const readCaller = createCallerReader(app, wire);
  const readCredentials = createCredentialsReader(app);
  const callFunction: CallFunction = (request, name, fn, decoded, profile, isCounted) => {
    const call = {
      name,
      fn,
      input: 'ok' in decoded ? undefined : decoded.input,
      refused: 'ok' in decoded ? decoded : undefined,
      caller: readCaller(request),
      credentials: readCredentials?.(request),
      environment,
      onDisconnect: request.onDisconnect,
      isCounted,
    };
    if (!fn || fn.task === 'never') return callNow(request, call, profile);
    return import('./tasks/deferrable-call.ts').then(({ callDeferrable }) =>
      callDeferrable(app, {
        request,
        call: { ...call, fn },
        profile,
        encoder,
        ...forTasks,
        callNow: (checked) => callNow(request, checked, profile),
      }),
    );
  };
  const callNow = (request: HttpRequest, decoded: RequestedCall, profile: Profile) => {
    const call = extend ? extend(decoded, request) : decoded;
    const type = streamTypeIn(request.headers['accept']);
    if (type) return import('./stream.ts').then((it) => it.streamReply(app, call, request, { type, profile, encode }));
    if (call.fn?.returnsFile) {
      return import('../files/file-reply.ts').then(({ replyWithFile }) =>
        replyWithFile(app, request, call, profile, encoder),
      );
    }
    const answered = app.respond(call, profile);
    return answered instanceof Promise ? answered.then((late) => encode(late, profile)) : encode(answered, profile);
  };
  let receiving = 0;
  /** Checks who calls and how often before reading an upload, so that strangers cannot fill the disk. */
  async function receiveFiles(
    request: HttpRequest,
    query: string,
    values: readonly string[],
    fn: RegisteredFunction,
    profile: Profile,
  ): Promise<HttpReply> {
    const { name } = fn;
    const call = { name, fn, caller: readCaller(request), credentials: readCredentials?.(request) };
    const refused = (await app.refuseUpload(call, fn)) ?? (receiving < app.limits.concurrent ? undefined : tooMany());
    // The pipeline refuses it again, and so it is recorded like any other call.
    if (refused) return callFunction(request, name, fn, refused, profile, true);
    receiving++;
    const received = (async () => decodeBody(request, query, values, fn, app.limits))();
    const decoded = await received.finally(() => receiving--);
    return callFunction(request, name, fn, decoded, profile, true);
  }

  return {
    callFunction(request, query, { parameter, values }, fn) {
      // A file has a media type of its own.
      const profile = choose(query, request.headers) ?? (fn?.returnsFile ? app.profile : undefined);
      if (!profile) return encodeFailure(notAcceptable(offered), app.profile);
      const name = fn?.name ?? parameter;
      if (request.upload && fn) return receiveFiles(request, query, values, fn, profile);
      const decoded = decodeBody(request, query, values, fn, app.limits);
      return decoded instanceof Promise
        ? decoded.then((late) => callFunction(request, name, fn, late, profile))
        : callFunction(request, name, fn, decoded, profile);
    },
    async queryFunction(...parameters) {
      const { createQueryFunction } = await import('../query/query-function.ts');
      return createQueryFunction(app, encoder, callFunction)(...parameters);
    },
  };
}

export interface Encoder {
  /** The profile that a request asks for; undefined if none of them is acceptable. */
  readonly choose: (query: string, headers: HttpHeaders) => Profile | undefined;
  /** The media types that can be asked for. */
  readonly offered: readonly string[];
  /** The response to a call. */
  readonly encode: (answer: Answer, profile: Profile) => HttpReply;
  /** The response to a request that did not become a call; in the app's own profile if none is given. */
  readonly encodeFailure: (failure: Failed, profile: Profile | undefined) => HttpReply;
}

/** From outcomes to responses, in the profile that the request asks for. */
export function createEncoder(app: App): Encoder {
  const { profiles } = app;
  const { choose, typeOf, offered } = createNegotiation(profiles, app.profile);
  const challenge = createChallenge(app, '');
  const typeHeaders = new Map(
    Object.values(profiles).map((profile) => [
      profile,
      { true: headersOf(profile, true), false: headersOf(profile, false) },
    ]),
  );
  return {
    choose(query, headers) {
      // For clients that cannot set a header. It wins over Accept, which many clients always send.
      const name = query === '' ? null : new URLSearchParams(query).get('profile');
      if (name === null) {
        const accept = headers['accept'] as string | undefined;
        return choose(accept) ?? (streamTypeIn(accept) && app.profile);
      }
      return Object.hasOwn(profiles, name) ? profiles[name as ProfileName] : undefined;
    },
    offered,
    encode,
    encodeFailure: (failure, profile = app.profile) => encode(render(failure, undefined, profile), profile),
  };

  function headersOf(profile: Profile, ok: boolean): HttpReply['headers'] {
    return Object.freeze({ 'content-type': typeOf(profile, ok), vary: varyOf(app) });
  }

  function encode({ outcome, body, fn, requestId }: Answer, profile: Profile): HttpReply {
    const typed = typeHeaders.get(profile)![`${outcome.ok}`];
    if (outcome.ok && requestId === undefined) return { status: 200, headers: typed, body };
    const headers: Record<string, string> = { ...typed };
    if (requestId !== undefined) headers['x-request-id'] = requestId;
    if (outcome.ok) return { status: 200, headers, body };
    const { code, retryAfter } = outcome.error;
    headers['everywire-error-code'] = code;
    const challenged = challenge?.(outcome);
    if (challenged !== undefined) headers['www-authenticate'] = challenged;
    if (retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(retryAfter));
    return { status: statusOf(outcome, fn?.definition.errors), headers, body };
  }
}

/**
 * The handlers of functions that declare a status, headers or `rawBody`. Others have handlers that know nothing of these, so
 * that their calls do not pay for them.
 */
export function createHandlersWithHttp(
  ...parameters: Parameters<typeof createFunctionHandlers>
): ReturnType<typeof createFunctionHandlers> {
  const [app, options, encoder, forTasks] = parameters;
  const set = new WeakMap<HttpRequest, Record<string, string>>();
  const { callFunction, queryFunction } = createFunctionHandlers(app, options, encoder, forTasks, (call, request) => {
    if (request.isParsed && call.fn?.http.rawBody) throw new Error(PARSED);
    const headers: Record<string, string> = {};
    set.set(request, headers);
    return {
      ...call,
      onHeader(name, value) {
        // `//host` is another server.
        const isOwnPath = name === 'location' && /^\/(?!\/)/.test(value);
        headers[name] = isOwnPath ? publicPath(app, request.base ?? options.base ?? '', value) : value;
      },
      ...(call.fn?.http.rawBody && { raw: { body: request.body, headers: joined(request.headers) } }),
    };
  });
  const finish = (reply: HttpReply, request: HttpRequest, fn: RegisteredFunction | undefined): HttpReply => {
    const { status, headers: own } = { status: fn?.http.status ?? 200, headers: set.get(request) };
    // Failures have a status of their own, and so have streams and tasks.
    if (reply.status !== 200 || isStreamType(reply.headers['content-type'])) return reply;
    const { 'content-type': type, ...others } = reply.headers;
    if (status === 204) return { status, headers: { ...own, ...others }, body: '' };
    return { ...reply, status, headers: { ...own, ...others, ...(type !== undefined && { 'content-type': type }) } };
  };
  const finished =
    (handle: Handler): Handler =>
    async (request, query, match, fn) =>
      finish(await handle(request, query, match, fn), request, fn);
  return { callFunction: finished(callFunction), queryFunction: finished(queryFunction) };
}

/** Otherwise every signature would be wrong, and nothing would say why. */
const PARSED =
  'http.rawBody needs the bytes of the body, which a parser has read before. ' +
  'Mount the app before the body parser, or let that leave the bytes in request.body.';

function joined(headers: HttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}

/** For contents with a media type of the author: in a browser, a page among them must not run as if it were ours. */
export const NOT_A_PAGE = Object.freeze({
  'x-content-type-options': 'nosniff',
  'content-security-policy': "sandbox; default-src 'none'",
});

/** What a response depends on: with access rules, a cache must not send one caller's response to another. */
export function varyOf({ access }: Pick<App, 'access'>): string {
  return access ? ['Accept', 'Authorization', 'X-API-Key', ...(access.options.headers ?? [])].join(', ') : 'Accept';
}
