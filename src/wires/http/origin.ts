import type { Failed } from '../../core/outcome.ts';
import type { HttpHeaders } from './message.ts';
import { hostNotServed, originNotAllowed } from './refusals.ts';
import { hostInTarget } from './target.ts';

export interface OriginRules {
  /** Host names to serve; undefined for any. Ports are ignored. */
  readonly hosts?: readonly string[] | undefined;
  /** Other origins whose pages may call, such as `https://app.example`; `*` for all. */
  readonly origins?: readonly string[] | undefined;
}

/** The host names that a server on a loopback address serves. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const;

export type OriginCheck = (target: string, headers: HttpHeaders) => Failed | undefined;

/**
 * Refuses requests with a wrong Host (DNS rebinding) or Origin (cross-site requests): a page of another site must not
 * reach a server on this machine.
 */
export function createOriginCheck(rules: OriginRules, cors?: 'outer'): OriginCheck {
  let isServed: ReturnType<typeof compileHosts> | undefined;
  return (target, headers) => {
    // On first use: the hosts may be known only once the server listens.
    isServed ??= rules.hosts ? compileHosts(rules.hosts) : () => true;
    // A host in the target takes precedence over the Host header.
    const named = hostInTarget(target);
    if (named !== undefined && !isServed(named)) return hostNotServed(named);
    if (!isServed(headers['host'])) return hostNotServed(headers['host']);
    if (headers['origin'] === undefined || cors === 'outer' || isAllowedOrigin(headers, rules.origins))
      return undefined;
    return originNotAllowed(headers['origin']);
  };
}

/** Tests the Host of a request. Ports, case and a trailing dot are ignored. */
function compileHosts(hosts: readonly string[]): (host: HttpHeaders[string]) => boolean {
  const served = new Set(hosts.map(plainHost));
  let last: HttpHeaders[string];
  let result = false;
  return (host) => {
    // Nearly every request has the same Host as the previous one.
    if (host !== last) result = served.has(plainHost(String(host ?? '')));
    last = host;
    return result;
  };
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

function isAllowedOrigin(headers: HttpHeaders, origins: readonly string[] = []): boolean {
  const origin = String(headers['origin']);
  return origins.includes(origin) || origins.includes('*') || isSameOrigin(headers);
}

export function isSameOrigin(headers: HttpHeaders): boolean {
  const host = String(headers['host'] ?? '').toLowerCase();
  const origin = String(headers['origin']).toLowerCase();
  return host !== '' && (origin === `http://${host}` || origin === `https://${host}`);
}
