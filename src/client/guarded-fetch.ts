import { Failure } from '../core/failure.ts';
import type { ClientOptions } from './client.ts';
import { withCredentials } from './credentials.ts';

/** More are taken for a redirect loop. */
const MAX_REDIRECTS = 10;

/**
 * A fetch that does not leak credentials. `headers` are sent only to the origin of the address and to `allowOrigins`.
 * Only GET and HEAD follow redirects to other origins, without headers that could be credentials. Plain fetch would
 * send the body and all headers except Authorization to the other origin.
 */
export function guardedFetch(home: URL, options: ClientOptions): typeof fetch {
  const { headers = {}, allowOrigins = [], credentials: presented } = options;
  const trusted = new Set([home.origin, ...allowOrigins.map((origin) => new URL(origin).origin)]);
  const plain = options.fetch ?? fetch;
  const send = presented === undefined ? plain : withCredentials(plain, presented, trusted);
  const credentials = Object.keys(headers).filter((name) => !NEVER_CREDENTIALS.has(name.toLowerCase()));

  return async (input, init = {}) => {
    let url = new URL(input instanceof Request ? input.url : input);
    let request = trusted.has(url.origin) ? init : { ...init, headers: without(init.headers, credentials) };
    // The MCP SDK handles redirects itself.
    if (init.redirect !== undefined) return send(url, request);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await send(url, { ...request, redirect: 'manual' });
      // Browsers hide the target of a redirect.
      if (response.type === 'opaqueredirect') throw redirected('somewhere else');
      const next = REDIRECTS.has(response.status) ? targetOf(response, url) : undefined;
      if (!next) return response;
      await response.body?.cancel();
      const isTrusted = next.origin === url.origin || trusted.has(next.origin);
      if (!isTrusted && !isRead(request)) throw redirected(`to ${next.origin}`);
      request = followed(request, response.status);
      if (!isTrusted) request = { ...request, headers: withoutCredentials(request.headers) };
      url = next;
    }
    throw redirected('again and again');
  };
}

/** Headers that are never credentials. */
const NEVER_CREDENTIALS = new Set(['accept', 'content-type']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const isRead = ({ method = 'GET' }: RequestInit) => method === 'GET' || method === 'HEAD';

function targetOf({ headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (location === null || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') throw redirected(`to ${to.protocol}`);
  return to;
}

/** 303 changes the method to GET; so do 301 and 302 after POST (Fetch standard, "HTTP-redirect fetch"). */
function followed(init: RequestInit, status: number): RequestInit {
  const isPost = init.method === 'POST';
  if (status !== 303 && !(isPost && (status === 301 || status === 302))) return init;
  const { body: _, ...rest } = init;
  return { ...rest, method: 'GET', headers: without(init.headers, ['content-type']) };
}

function without(all: RequestInit['headers'], names: readonly string[]): Headers {
  const headers = new Headers(all);
  for (const name of names) headers.delete(name);
  return headers;
}

function withoutCredentials(all: RequestInit['headers']): Headers {
  return new Headers([...new Headers(all)].filter(([name]) => NEVER_CREDENTIALS.has(name)));
}

function redirected(where: string): Failure {
  return new Failure('UNAVAILABLE', `The server redirects ${where}; use the final address instead`, { retry: false });
}
