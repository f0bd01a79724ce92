import { LOOPBACK_HOSTS } from '../wires/http/origin.ts';

/**
 * The Host names to serve by default. On a loopback address these are only its own names, against DNS rebinding: a page
 * whose name now points to this machine sends that name. Decided by the bound address, since the given one has many
 * spellings: `localhost`, `127.1`, `0:0:0:0:0:0:0:1`.
 */
export function defaultHosts(given: string, bound: string): readonly string[] | undefined {
  return isLoopback(bound) ? [...LOOPBACK_HOSTS, ...spellings(given), ...spellings(bound)] : undefined;
}

export function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127(?:\.\d+){3}$/i.test(address);
}

/** A host as given, and as clients normalize it; IPv6 in brackets. */
function spellings(host: string): readonly string[] {
  const literal = host.includes(':') ? `[${host}]` : host;
  const url = `http://${literal}`;
  return URL.canParse(url) ? [literal, new URL(url).hostname] : [literal];
}
