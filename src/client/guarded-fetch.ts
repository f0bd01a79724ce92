import { Failure } from '../core/failure.ts';
import type { ClientOptions } from './client.ts';

/** More would be a server that goes round in circles. */
const MOST_REDIRECTS = 10;

/**
 * A fetch that gives what it was trusted with to nobody else. `headers` go to the origin that was named, and to those of
 * `allowOrigins`. A redirect to another origin is followed only by what reads, and without any header that could be a
 * credential: fetch itself would take all of them along, and the arguments, but for Authorization.
 */
export function guardedFetch(home: URL, options: ClientOptions): typeof fetch {
  const { headers = {}, allowOrigins = [], fetch: send = fetch } = options;
  const trusted = new Set([home.origin, ...allowOrigins.map((origin) => new URL(origin).origin)]);
  const entrusted = Object.keys(headers).filter((name) => !HARMLESS.has(name.toLowerCase()));

  return async (input, init = {}) => {
    let url = new URL(input instanceof Request ? input.url : input);
    let request = trusted.has(url.origin) ? init : { ...init, headers: without(init.headers, entrusted) };
    // Whoever wants to see redirects, as the MCP client does, follows them on their own.
    if (init.redirect !== undefined) return send(url, request);
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const response = await send(url, { ...request, redirect: 'manual' });
      // A browser shows that there is a redirect, but not where to.
      if (response.type === 'opaqueredirect') throw redirected('somewhere else');
      const next = REDIRECTS.has(response.status) ? targetOf(response, url) : undefined;
      if (!next) return response;
      await response.body?.cancel();
      const stays = next.origin === url.origin || trusted.has(next.origin);
      if (!stays && !isRead(request)) throw redirected(`to ${next.origin}`);
      request = changed(request, response.status);
      if (!stays) request = { ...request, headers: onlyHarmless(request.headers) };
      url = next;
    }
    throw redirected('again and again');
  };
}

/** Say what is sent and wanted, not who sends it. */
const HARMLESS = new Set(['accept', 'content-type']);
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

const isRead = ({ method = 'GET' }: RequestInit) => method === 'GET' || method === 'HEAD';

function targetOf({ headers }: Response, from: URL): URL | undefined {
  const location = headers.get('location');
  if (location === null || !URL.canParse(location, from)) return undefined;
  const to = new URL(location, from);
  if (to.protocol !== 'http:' && to.protocol !== 'https:') throw redirected(`to ${to.protocol}`);
  return to;
}

/** 303 says GET; 301 and 302 are taken to say so by every browser (the standard of fetch, HTTP-redirect fetch). */
function changed(init: RequestInit, status: number): RequestInit {
  const isPost = init.method === 'POST';
  if (status !== 303 && !(isPost && (status === 301 || status === 302))) return init;
  const { body: _, ...rest } = init;
  return { ...rest, method: 'GET', headers: without(init.headers, ['content-type']) };
}

function without(given: RequestInit['headers'], names: readonly string[]): Headers {
  const headers = new Headers(given);
  for (const name of names) headers.delete(name);
  return headers;
}

function onlyHarmless(given: RequestInit['headers']): Headers {
  return new Headers([...new Headers(given)].filter(([name]) => HARMLESS.has(name)));
}

function redirected(where: string): Failure {
  return new Failure('UNAVAILABLE', `The server redirects ${where}; name the address that is meant`, { retry: false });
}
