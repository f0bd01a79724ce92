const ABSOLUTE = /^https?:\/\/([^/?#]*)/i;

/** Path and query of a request target. */
export function splitTarget(target: string): { readonly path: string; readonly query: string } {
  // Proxies may send a whole URL.
  const local = target.startsWith('/') ? target : rooted(target.replace(ABSOLUTE, ''));
  const mark = local.indexOf('?');
  return mark === -1 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark + 1) };
}

/** The host in a target that is a whole URL. */
export function hostInTarget(target: string): string | undefined {
  return target.startsWith('/') ? undefined : ABSOLUTE.exec(target)?.[1];
}

/** A URL may end after its host, or go on with a query. */
function rooted(rest: string): string {
  return rest === '' || rest.startsWith('?') ? `/${rest}` : rest;
}

/** A target without the base path before it; undefined if it is elsewhere: `/v10` is not below `/v1`. */
export function targetBelow(target: string, base: string): string | undefined {
  const [host = ''] = target.startsWith('/') ? [] : (ABSOLUTE.exec(target) ?? []);
  if (!target.startsWith(base, host.length)) return undefined;
  const rest = rooted(target.slice(host.length + base.length));
  return rest.startsWith('/') ? host + rest : undefined;
}

const BASE = /^(?:\/[\w.~!$&'()*+,;=:@%-]+)+$/;
const DOTS = /\/\.\.?(?:\/|$)/;

/** A base path as the rest of the code expects it: `/api`, empty for the root. Throws if it is no path. */
export function parseBase(base: unknown, name = 'base'): string {
  const path = typeof base === 'string' && base.endsWith('/') ? base.slice(0, -1) : base;
  if (path === '' || (typeof path === 'string' && BASE.test(path) && !DOTS.test(path))) return path;
  throw new TypeError(`${name} must be a path such as "/api", not ${JSON.stringify(base)}`);
}
