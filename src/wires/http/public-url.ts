import type { App } from '../../app/app.ts';
import type { HttpRequest } from './message.ts';
import { withoutSlash } from './resource-metadata.ts';
import { hostInTarget } from './target.ts';

/** The whole URL of a path of the app, for clients; undefined if the request does not say which host it is for. */
export type PublicUrl = (request: HttpRequest, path: string) => string | undefined;

/** A path of the app below the base under which clients reach it: `/api/items/1`. */
export function publicPath({ access }: Pick<App, 'access'>, base: string, path: string): string {
  const url = access?.options.url;
  return withoutSlash(url === undefined ? base : new URL(url).pathname) + path;
}

/** `access.url`, if the app has one; otherwise what the request was sent to. `ownBase` is the path of the wire. */
export function createPublicUrl({ access }: Pick<App, 'access'>, ownBase: string | undefined): PublicUrl {
  const url = access?.options.url;
  if (url !== undefined) return (_request, path) => withoutSlash(url) + path;
  return ({ target, headers, scheme = 'http', base = ownBase ?? '' }, path) => {
    const host = hostInTarget(target) ?? String(headers['host'] ?? '');
    return HOST.test(host) ? `${scheme}://${host}${withoutSlash(base)}${path}` : undefined;
  };
}

/** A name or an address, and a port. Nothing that would lead elsewhere, such as a user name before it. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d+)?$/i;
