type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface OriginRules {
  /** Host names that are served; undefined for any. Ports do not matter. */
  readonly hosts?: readonly string[] | undefined;
  /** Foreign origins whose pages may call, such as `https://app.example`; `*` for all. */
  readonly origins?: readonly string[] | undefined;
}

/** The names a server bound to this machine alone answers to. */
export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'] as const;

/** A test for hosts as a request names them. Ports, letter case and the dot of a full name do not matter. */
export function compileHosts(hosts: readonly string[]): (host: Headers[string]) => boolean {
  const served = new Set(hosts.map(plainHost));
  let last: Headers[string];
  let verdict = false;
  return (host) => {
    // Nearly every request has the same Host as the one before it.
    if (host !== last) verdict = served.has(plainHost(String(host ?? '')));
    last = host;
    return verdict;
  };
}

function plainHost(host: string): string {
  return host.toLowerCase().replace(/:\d*$/, '').replace(/\.$/, '');
}

export function allowedOrigin(headers: Headers, origins: readonly string[] = []): boolean {
  const origin = String(headers['origin']);
  return origins.includes(origin) || origins.includes('*') || isSameOrigin(headers);
}

function isSameOrigin(headers: Headers): boolean {
  const host = String(headers['host'] ?? '').toLowerCase();
  const origin = String(headers['origin']).toLowerCase();
  return host !== '' && (origin === `http://${host}` || origin === `https://${host}`);
}

/** What lets a page of an allowed foreign origin read the reply. */
export function crossOriginHeaders(headers: Headers): Record<string, string> {
  if (isSameOrigin(headers)) return { vary: 'origin' };
  return {
    vary: 'origin',
    'access-control-allow-origin': String(headers['origin']),
    'access-control-expose-headers':
      'everywire-error-code, retry-after, x-request-id, mcp-session-id, mcp-protocol-version',
  };
}

export function preflightHeaders(methods: readonly string[]): Record<string, string> {
  const allow = [...methods, 'OPTIONS'].join(', ');
  return {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': READ_HEADERS.join(', '),
  };
}

/** The headers that are looked at, on any path. */
const READ_HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'traceparent',
  'tracestate',
  'baggage',
  'x-request-id',
  'mcp-protocol-version',
  'mcp-session-id',
  'mcp-method',
  'mcp-name',
  'last-event-id',
];
