import type { Known } from '../core/unknown-options.ts';
import { unknownOptions } from '../core/unknown-options.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** What `jwt` and `introspection` have in common. */
export interface TokenOptions {
  /** For whom tokens must be issued: this app, or its addresses. Otherwise a token for any other service would do here. */
  readonly audience: string | readonly string[];
  /** The scopes of a token; those in its claim `scope` or `scp` by default. */
  readonly scopes?: (claims: Claims) => readonly string[];
  /** Claims that functions do not see; `scopes` does. */
  readonly secretClaims?: readonly string[];
  /** The `kind` of its principals. Two authenticators need two names: both may know somebody with the same id. */
  readonly name?: string;
}

/** By how many seconds clocks may differ. */
export const CLOCK_SKEW = 30;

/** Throws a TypeError that lists every mistake. */
export function checkTokenOptions<Options extends TokenOptions>(
  place: string,
  options: Options,
  known: Known<Options>,
  more: readonly (string | false)[],
): void {
  const { audience, scopes, secretClaims = [], name = place } = options;
  const problems = [
    ...unknownOptions(options, known),
    !areNames([audience].flat()) &&
      'audience is missing: the name or the URL of this app, as the authorization server puts it into tokens',
    scopes !== undefined && typeof scopes !== 'function' && 'scopes must be a function of the claims',
    !(Array.isArray(secretClaims) && secretClaims.every(isName)) && 'secretClaims must be a list of names',
    (!isName(name) || RESERVED.has(name)) && `name must be a string, and none of ${[...RESERVED].join(', ')}`,
    ...more,
  ].filter((problem) => problem !== false);
  if (problems.length > 0) throw new TypeError(`${place}: ${problems.join('; ')}`);
}

/** Kinds of principals that no token can be. */
export const RESERVED: ReadonlySet<string> = new Set(['anonymous', 'key', 'local', 'user']);

export const isName = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

const areNames = (values: readonly unknown[]) => values.length > 0 && values.every(isName);

/** Whether a number of seconds is given that makes sense. */
export const isSeconds = (value: unknown, most: number): boolean =>
  typeof value === 'number' && value >= 0 && value <= most;

/** HTTPS, except on this machine: who can change the answer decides who gets in. */
export function isSafeUrl(text: unknown): text is string {
  if (typeof text !== 'string' || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  if (username !== '' || password !== '' || hash !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** With and without a slash at the end: people write both, and mean the same. */
export function spellings(name: string): readonly string[] {
  return name.endsWith('/') ? [name, name.slice(0, -1)] : [name, `${name}/`];
}
