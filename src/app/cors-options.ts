import { unknownOptions } from '../core/unknown-options.ts';
import type { Known } from '../core/unknown-options.ts';
import { isRecord } from '../schema/json-schema.ts';
import { mistakeInOrigin } from './origin-mistake.ts';

/** Which pages of other origins may call, and what they may send. */
export interface CorsOptions {
  /** `https://app.example`, `https://*.app.example` for its subdomains, or `*` for every origin; none by default. */
  readonly origins?: string | readonly string[] | undefined;
  /** Request headers that pages may send, in addition to those that everywire reads. */
  readonly headers?: readonly string[] | undefined;
  /** Whether browsers may send cookies and other credentials of the user. */
  readonly credentials?: boolean | undefined;
  /** Seconds that a browser may keep the response to a preflight request; 600 by default. */
  readonly maxAge?: number | undefined;
}

/** The mistakes in `cors`: each a sentence that says what to write. */
export function problemsInCors(cors: unknown): string[] {
  if (!isRecord(cors)) return ['cors must be an object, such as { origins: ["https://app.example"] }'];
  const { origins = [], headers = [], credentials = false, maxAge = 0 } = cors;
  const listed: readonly unknown[] = [origins].flat();
  const problems = [
    ...unknownOptions(cors, FIELDS, 'cors'),
    ...listed.flatMap((origin) => mistakeInOrigin(origin) ?? []).map((mistake) => `cors.origins: ${mistake}`),
  ];
  if (!Array.isArray(headers) || headers.some((name) => !isHeaderName(name))) {
    problems.push('cors.headers must be a list of header names, such as ["X-Tenant"]');
  }
  if (typeof credentials !== 'boolean') problems.push('cors.credentials must be true or false');
  // Any page could then act as the user; browsers refuse it, too.
  if (credentials === true && listed.includes('*')) {
    problems.push('cors.credentials needs a list of origins: with "*", any page could act as the user');
  }
  if (!Number.isInteger(maxAge) || (maxAge as number) < 0) {
    problems.push('cors.maxAge must be a whole number of seconds, 0 or more');
  }
  return problems;
}

const FIELDS = { origins: true, headers: true, credentials: true, maxAge: true } satisfies Known<CorsOptions>;

/** `*` is a valid name, but browsers take it for all headers or for one, depending on credentials. */
function isHeaderName(name: unknown): boolean {
  return typeof name === 'string' && /^[\w!#$%&'+.^`|~-]+$/.test(name);
}
