/**
 * What is wrong with an origin that should be allowed, and how to write it: undefined if nothing is. Browsers send origins
 * in one spelling only, so that any other would silently never match.
 */
export function mistakeInOrigin(origin: unknown): string | undefined {
  if (typeof origin !== 'string') return `expected a string, not ${typeof origin}`;
  if (origin === '*') return undefined;
  const given = JSON.stringify(origin);
  // A page of any site can have it: in a sandboxed frame, or after a redirect.
  if (origin === 'null') return '"null" is the origin of sandboxed pages of every site; write "*" if all may call';
  const right = spell(origin);
  if (right === undefined) return `${given} is not an origin; ${EXPECTED}`;
  return (
    mistakeInPattern(right) ??
    (right === origin ? undefined : `${given} is not an origin that browsers send; write "${right}"`)
  );
}

const EXPECTED = 'write a scheme and a host, such as "https://app.example" or "http://localhost:5173"';

/** The origin of a URL, as browsers send it: lower case, no default port, no path. A missing scheme is guessed. */
function spell(origin: string): string | undefined {
  const url = origin.includes('://') ? origin : `${LOCAL.test(origin) ? 'http' : 'https'}://${origin}`;
  if (/\s/.test(url) || !URL.canParse(url)) return undefined;
  const { protocol, host } = new URL(url);
  // Extensions and desktop apps have schemes of their own. A WebSocket has the origin of its page.
  return host === '' ? undefined : `${protocol.replace(/^ws/, 'http')}//${host}`;
}

const LOCAL = /^(?:localhost|.*\.localhost|127(?:\.\d+)*|\[::1?\])(?:[:/]|$)/i;

/** A `*` stands for subdomains. Those of `com` belong to everybody. */
function mistakeInPattern(origin: string): string | undefined {
  if (!origin.includes('*')) return undefined;
  const [, domain] = /:\/\/\*\.([^*:]+)(?::\d+)?$/.exec(origin) ?? [];
  if (domain === undefined)
    return `"${origin}": only "*" alone, or subdomains as in "https://*.app.example", can be allowed`;
  if (domain.includes('.') || domain === 'localhost') return undefined;
  return `"${origin}" would allow every site in .${domain}; name a domain of your own, as in "https://*.app.${domain}"`;
}
