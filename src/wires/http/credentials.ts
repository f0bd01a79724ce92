import type { App } from '../../app/app.ts';
import { Credentials } from '../../core/credentials.ts';
import type { CredentialParts } from '../../core/credentials.ts';
import { Verified } from '../../core/verified.ts';
import type { HttpRequest } from './message.ts';

/** Reads what a request presents; undefined if it presents nothing. */
export type ReadCredentials = (request: HttpRequest) => Credentials | undefined;

/** Undefined if the app has no access rules: then nobody looks at these headers. */
export function createCredentialsReader({ access }: Pick<App, 'access'>): ReadCredentials | undefined {
  if (!access) return undefined;
  const takesUser = access.options.user !== undefined;
  // Clients send the same header with every request, and to check each character of a JWT takes 0.7 µs (npm run bench).
  const bearers = new Verified<Credentials>();
  const keys = new Verified<Credentials>();
  return (request) => {
    const { headers, outer } = request;
    // The web server has checked the header that the user sent.
    const user = takesUser ? request.user : undefined;
    if (user) return new Credentials({ outer, user });
    const { authorization, 'x-api-key': apiKey } = headers;
    const sent = authorization ?? apiKey;
    if (sent === undefined) return outer && new Credentials({ outer });
    if (outer) return new Credentials({ outer, ...partsOf(request) });
    const known = apiKey === undefined ? bearers : keys;
    const value = String(sent);
    const seen = isAmbiguous(request) ? undefined : known.get(value);
    if (seen) return seen;
    const credentials = new Credentials(partsOf(request));
    if (!credentials.malformed && !credentials.otherScheme) known.keep(value, credentials, Infinity);
    return credentials;
  };
}

/** RFC 6750, section 2.1. The scheme is case-insensitive. */
const BEARER = /^bearer +([\w.~+/-]+=*)$/i;
const OTHER_SCHEME = /^(?!bearer(?: |$))[\w!#$%&'*+.^`|~-]+(?: |$)/i;
const KEY = /^[!-~]+$/;

/** Longer tokens exist only to keep us busy. */
const MAX_LENGTH = 8192;

const MALFORMED: CredentialParts = { malformed: true };

/** Which of two is meant? A proxy in front might have checked the other one. */
function isAmbiguous({ headers: { authorization, 'x-api-key': apiKey }, rawHeaders }: HttpRequest): boolean {
  if (authorization === undefined) return false; // several keys were joined, with a space that no key has
  return apiKey !== undefined || (rawHeaders !== undefined && isRepeated(rawHeaders));
}

function partsOf(request: HttpRequest): CredentialParts {
  if (isAmbiguous(request)) return MALFORMED;
  const { authorization, 'x-api-key': apiKey } = request.headers;
  const value = authorization ?? apiKey;
  if (typeof value !== 'string' || value.length > MAX_LENGTH) return MALFORMED;
  if (apiKey !== undefined) return KEY.test(value) ? { apiKey: value } : MALFORMED;
  const bearer = BEARER.exec(value)?.[1];
  if (bearer !== undefined) return { bearer };
  return OTHER_SCHEME.test(value) ? { otherScheme: true } : MALFORMED;
}

/** Whether there are several Authorization headers, of which Node keeps only the first. */
function isRepeated(rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!;
    if (name.length === 'authorization'.length && name.toLowerCase() === 'authorization') count++;
  }
  return count > 1;
}
