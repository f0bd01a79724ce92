import type { CorsOptions } from '../../app/cors-options.ts';
import type { Failed } from '../../core/outcome.ts';
import type { HttpHeaders, HttpRequest } from './message.ts';
import { hostNotServed, originNotAllowed } from './refusals.ts';
import { hostInTarget } from './target.ts';

export interface OriginRules {
  /** Host names to serve; undefined for any. Ports are ignored. */
  readonly hosts?: readonly string[] | undefined;
  /**
   * Pages of other origins that may call. Each field replaces that of the app. `outer`: the server around this one checks
   * the Origin header and adds the headers of CORS.
   */
  readonly cors?: CorsOptions | 'outer' | undefined;
}

/** The host names that a server on a loopback address serves. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const;

/** `sender` has the scheme, if it is known. */
export type OriginCheck = (target: string, headers: HttpHeaders, sender?: Sender) => Failed | undefined;

type Sender = Pick<HttpRequest, 'scheme'>;

/**
 * Refuses requests with a wrong Host (DNS rebinding) or Origin (cross-site requests): a page of another site must not
 * reach a server on this machine.
 */
export function createOriginCheck(
  rules: Pick<OriginRules, 'hosts'>,
  isAllowed: (headers: HttpHeaders, sender?: Sender) => boolean,
): OriginCheck {
  let isServed: ReturnType<typeof compileHosts> | undefined;
  return (target, headers, sender) => {
    // On first use: the hosts may be known only once the server listens.
    isServed ??= rules.hosts ? compileHosts(rules.hosts) : () => true;
    // A host in the target takes precedence over the Host header.
    const named = hostInTarget(target);
    if (named !== undefined && !isServed(named)) return hostNotServed(named);
    if (!isServed(headers['host'])) return hostNotServed(headers['host']);
    if (headers['origin'] === undefined || isAllowed(headers, sender)) return undefined;
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

/** Tests origins, as browsers send them. `https://*.app.example` stands for its subdomains, of any depth. */
export function compileOrigins(origins: readonly string[]): (origin: string) => boolean {
  if (origins.includes('*')) return () => true;
  const exact = new Set(origins.filter((origin) => !origin.includes('*')));
  const patterns = origins.filter((origin) => origin.includes('*')).map((pattern) => pattern.split('*'));
  return (origin) =>
    exact.has(origin) ||
    patterns.some(
      ([scheme = '', domain = '']) =>
        origin.startsWith(scheme) &&
        origin.endsWith(domain) &&
        SUBDOMAIN.test(origin.slice(scheme.length, origin.length - domain.length)),
    );
}

/** Nothing that could end the host early, such as a slash or a colon. */
const SUBDOMAIN = /^[\w-]+(?:\.[\w-]+)*$/;

/** A page that came over HTTP is of another origin than a server of HTTPS. Not the reverse: a proxy may have ended TLS. */
export function isSameOrigin(headers: HttpHeaders, sender?: Sender): boolean {
  const host = String(headers['host'] ?? '').toLowerCase();
  const origin = String(headers['origin']).toLowerCase();
  if (host === '') return false;
  return origin === `https://${host}` || (origin === `http://${host}` && sender?.scheme !== 'https');
}
