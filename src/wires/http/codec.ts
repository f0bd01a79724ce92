import type { App } from '../../app/app.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { factsOf } from '../../core/codes.ts';
import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import { createNegotiation } from '../../responses/negotiate.ts';
import type { Profile, ProfileName } from '../../responses/profiles/profile.ts';
import { decodeJson } from '../json-body.ts';
import { callerOf } from './caller.ts';
import type { HttpHeaders, HttpRequest, HttpReply } from './message.ts';
import { notAcceptable } from './refusals.ts';
import type { Handler } from './router.ts';
import type { HttpWireOptions } from './wire.ts';

/** `POST /functions/<name>`: decode, call, encode. */
export function createCallFunction(
  app: App,
  { environment, name: wire }: Pick<HttpWireOptions, 'environment' | 'name'>,
  { choose, offered, encode, encodeFailure }: Encoder,
): Handler {
  return (request, query, { parameter: name, fn }) => {
    const profile = choose(query, request.headers);
    if (!profile) return encodeFailure(notAcceptable(offered), app.profile);
    const decoded = decodeArguments(request, app.limits.depth);
    const answered = app.respond(
      {
        name,
        fn,
        input: 'ok' in decoded ? undefined : decoded.input,
        refused: 'ok' in decoded ? decoded : undefined,
        caller: callerOf(request.headers, wire),
        environment,
        onDisconnect: request.onDisconnect,
      },
      profile,
    );
    return answered instanceof Promise ? answered.then((late) => encode(late, profile)) : encode(answered, profile);
  };
}

/** The arguments in a request's body: undefined when it is empty. */
function decodeArguments({ headers, body }: HttpRequest, depth: number): { readonly input: unknown } | Failed {
  const encoded = refuseEncoded(headers);
  if (encoded) return encoded;
  const type = headers['content-type'];
  if (type !== undefined && type !== 'application/json' && !isJsonType(String(type))) {
    return refuse('UNSUPPORTED_MEDIA_TYPE', `Unsupported media type: ${String(type)} (send application/json in UTF-8)`);
  }
  return decodeJson(body, depth);
}

/** Refuses compressed bodies: a small one can decompress to a thousand times its size. */
export function refuseEncoded(headers: HttpHeaders): Failed | undefined {
  const encoding = headers['content-encoding'];
  if (encoding === undefined) return undefined;
  const names = String(encoding).split(',');
  if (names.every((name) => /^\s*(?:identity)?\s*$/i.test(name))) return undefined;
  return refuse(
    'UNSUPPORTED_MEDIA_TYPE',
    `Unsupported content encoding: ${String(encoding)} (send the body uncompressed)`,
  );
}

/** An empty type means JSON. Parameters other than charset are ignored. */
function isJsonType(header: string): boolean {
  const [type = '', ...parameters] = header
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  return (type === '' || /^application\/(?:[\w.-]+\+)?json$/.test(type)) && !parameters.some(isForeignCharset);
}

function isForeignCharset(parameter: string): boolean {
  return parameter.startsWith('charset') && !/^charset="?utf-?8"?$/.test(parameter);
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
      if (name === null) return choose(headers['accept'] as string | undefined);
      return Object.hasOwn(profiles, name) ? profiles[name as ProfileName] : undefined;
    },
    offered,
    encode,
    encodeFailure: (failure, profile = app.profile) => encode(render(failure, undefined, profile), profile),
  };

  function headersOf(profile: Profile, ok: boolean): HttpReply['headers'] {
    return Object.freeze({ 'content-type': typeOf(profile, ok), vary: 'Accept' });
  }

  function encode({ outcome, body, fn, requestId }: Answer, profile: Profile): HttpReply {
    const typed = typeHeaders.get(profile)![`${outcome.ok}`];
    if (outcome.ok && requestId === undefined) return { status: 200, headers: typed, body };
    const headers: Record<string, string> = { ...typed };
    if (requestId !== undefined) headers['x-request-id'] = requestId;
    if (outcome.ok) return { status: 200, headers, body };
    const { code, retryAfter } = outcome.error;
    headers['everywire-error-code'] = code;
    if (retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(retryAfter));
    return { status: factsOf(code, fn?.definition.errors).status, headers, body };
  }
}
