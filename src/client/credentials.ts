import { Failure, isFailure, messageOf } from '../core/failure.ts';
import type { ClientOptions } from './client.ts';

/** A Bearer token, or an API key for `X-API-Key`. */
export type ClientCredential = string | { readonly apiKey: string };

/**
 * Gets a credential, or none. Called before the first request, and again when a server has refused the last one with 401;
 * `challenge` is then what the server said about it (`WWW-Authenticate`).
 */
export type GetCredential = (refused?: {
  readonly challenge: string | undefined;
}) => ClientCredential | undefined | Promise<ClientCredential | undefined>;

/** Throws a TypeError about what can be seen before the first request. */
export function checkCredentials({ credentials, headers = {} }: Pick<ClientOptions, 'credentials' | 'headers'>): void {
  if (credentials === undefined) return;
  if (typeof credentials !== 'function') toHeader(credentials);
  const other = Object.keys(headers).find((name) => /^(?:authorization|x-api-key)$/i.test(name));
  if (other !== undefined) throw new TypeError(`Give either credentials or the header ${other}, not both`);
}

type Header = readonly [name: string, value: string] | undefined;

/** Sends a credential, to these origins only. */
export function withCredentials(
  send: typeof fetch,
  credentials: ClientCredential | GetCredential,
  trusted: ReadonlySet<string>,
): typeof fetch {
  if (typeof credentials !== 'function') {
    const header = toHeader(credentials);
    return (input, init) => send(input, isFor(input, trusted) ? withHeader(init, header) : init);
  }
  let current: Promise<Header> | undefined;
  const ask = (...refused: Parameters<GetCredential>) => {
    const asked = getHeader(credentials, refused);
    current = asked;
    // The next request tries again.
    asked.catch(() => current === asked && (current = undefined));
    return asked;
  };
  return async (input, init) => {
    if (!isFor(input, trusted)) return send(input, init);
    const used = current ?? ask();
    const response = await send(input, withHeader(init, await used));
    if (response.status !== 401) return response;
    // Of several requests that were refused at once, the first asks for all.
    const again = current && current !== used ? current : ask({ challenge: challengeOf(response) });
    const header = await again;
    if (!header) return response;
    await response.body?.cancel();
    return send(input, withHeader(init, header));
  };
}

const isFor = (input: string | URL | Request, trusted: ReadonlySet<string>) =>
  trusted.has(new URL(input instanceof Request ? input.url : input).origin);

const challengeOf = ({ headers }: Response) => headers.get('www-authenticate') ?? undefined;

async function getHeader(get: GetCredential, refused: Parameters<GetCredential>): Promise<Header> {
  try {
    const credential = await get(...refused);
    return credential === undefined ? undefined : toHeader(credential);
  } catch (thrown) {
    if (isFailure(thrown)) throw thrown;
    throw new Failure('UNAUTHENTICATED', `No credential: ${messageOf(thrown)}`);
  }
}

const VISIBLE = /^[!-~]+$/;

/** The value is not in the message: it may be a secret with a line break at its end. */
function toHeader(credential: ClientCredential): Header {
  const isKey = typeof credential === 'object' && credential !== null;
  const value: unknown = isKey ? credential.apiKey : credential;
  if (typeof value !== 'string' || !VISIBLE.test(value))
    throw new TypeError('credentials must be a token or { apiKey }, of visible ASCII characters, or a function');
  return isKey ? ['x-api-key', value] : ['authorization', `Bearer ${value}`];
}

function withHeader(init: RequestInit | undefined, header: Header): RequestInit | undefined {
  if (!header) return init;
  const headers = new Headers(init?.headers);
  headers.set(...header);
  return { ...init, headers };
}
