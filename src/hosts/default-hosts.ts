import { LOOPBACK_HOSTS } from '../wires/http/origin.ts';

/**
 * The hosts that a server answers to unless told. One that only this machine can reach takes its own names alone: a page
 * that rebinds its name to this machine sends that name. Judged by the address it listens on, which has many spellings
 * before it is one: `localhost`, `127.1`, `0:0:0:0:0:0:0:1`.
 */
export function defaultHosts(given: string, bound: string): readonly string[] | undefined {
  return isLoopback(bound) ? [...LOOPBACK_HOSTS, ...spellings(given), ...spellings(bound)] : undefined;
}

function isLoopback(address: string): boolean {
  return address === '::1' || /^(?:::ffff:)?127(?:\.\d+){3}$/i.test(address);
}

/** A name as it is, and as clients write it that put it in order first; IPv6 in brackets. */
function spellings(host: string): readonly string[] {
  const named = host.includes(':') ? `[${host}]` : host;
  const url = `http://${named}`;
  return URL.canParse(url) ? [named, new URL(url).hostname] : [named];
}
