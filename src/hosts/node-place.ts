import type { IncomingMessage } from 'node:http';
import { splitTarget, targetBelow } from '../wires/http/target.ts';
import type { Place } from './node-exchange.ts';

/** What Express, Connect and others add to a request when they remove the path that a handler is mounted at. */
export interface MountedRequest extends IncomingMessage {
  readonly originalUrl?: string;
  readonly baseUrl?: string;
}

/**
 * Where a request is below a base path; without one, below the path that the framework has removed. Undefined if it is
 * elsewhere.
 */
export function placeOf(request: MountedRequest, base: string | undefined): Place | undefined {
  const { url = '/', originalUrl = url, headers } = request;
  const removed = request.baseUrl ?? removedFrom(originalUrl, url);
  if (base === undefined || base === removed) return { target: url, base: publicPath(removed), headers };
  const target = targetBelow(originalUrl, base);
  return target === undefined ? undefined : { target, base, headers };
}

/** `/api` for `/api/openapi.json` and `/openapi.json`. Nothing if the path was rewritten in another way. */
function removedFrom(originalUrl: string, url: string): string {
  if (originalUrl === url) return '';
  const [original, path] = [splitTarget(originalUrl).path, splitTarget(url).path];
  if (path === '/' && !original.endsWith('/')) return original;
  return original.endsWith(path) ? original.slice(0, -path.length) : '';
}

/** As sent by the client: `//a.example` would lead clients of the OpenAPI document to another server. */
function publicPath(path: string): string {
  return path.replace(/^\/{2,}/, '/').replaceAll(/[^\w.~!$&'()*+,;=:@%/-]/g, encodeURIComponent);
}
