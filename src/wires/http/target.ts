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
