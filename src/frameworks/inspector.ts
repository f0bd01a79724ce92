import { createGuard, guardModes } from '../responses/guard.ts';
import type { GuardMode, Verdict } from '../responses/guard.ts';
import type { Violation } from '../responses/check-response.ts';
import { profileNames } from '../responses/profiles/profile.ts';
import { systemClock } from '../core/clock.ts';
import type { ProfileName } from '../responses/profiles/profile.ts';
import type { Clock } from '../core/clock.ts';
import { createProfiles } from '../responses/profiles/profiles.ts';
import { quietly } from '../core/safely.ts';

export interface CheckResponsesOptions {
  /** What responses must be; `envelope` unless given. */
  readonly profile?: ProfileName;
  /**
   * What to do with one that is not. `enforce` (default): send INVALID_RESPONSE_FORMAT with status 500 instead.
   * `repair`: add what can be derived, and replace it only if that is not enough. `observe`: send it as it is.
   */
  readonly mode?: GuardMode;
  /** Told of every response that breaks a rule; a line on stderr unless given. */
  readonly report?: (report: ResponseReport) => void;
  readonly clock?: Clock;
  /** Rules that are not to be kept, by their ids. */
  readonly ignore?: readonly string[];
}

export interface ResponseReport {
  readonly method: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  readonly did: Verdict['did'];
  readonly violations: readonly Violation[];
}

/** What is to be sent instead of a body. */
export interface Instead {
  readonly body: string;
  /** When it says something else than the original did. */
  readonly replaced?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** Looks at a body on behalf of any framework; undefined when it may go as it is. Never throws. */
export type Inspect = (
  body: string,
  request: { readonly method: string; readonly url: string },
  status: number,
) => Instead | undefined;

export function createInspector(options: CheckResponsesOptions = {}): Inspect {
  const { profile: name = 'envelope', mode = 'enforce', report = complain, clock = systemClock, ignore } = options;
  refuseMistakes(name, mode, report);
  const profile = createProfiles(clock)[name];
  const guard = createGuard(mode, clock);
  const headers = {
    'content-type': profile.failureType ?? 'application/json',
    'cache-control': 'no-store',
    'everywire-error-code': 'INVALID_RESPONSE_FORMAT',
  };
  return (text, { method, url }, status) => {
    const { violations, did, body, failure } = guard(text, { profile, ignore });
    if (violations.length > 0) quietly(() => report({ method, path: pathOf(url), did, violations }));
    if (body === undefined) return undefined;
    // What failed already stays the failure it was.
    return failure ? { body, replaced: { status: status >= 400 ? status : 500, headers } } : { body };
  };
}

/** What TypeScript would have refused, for those who write JavaScript. */
function refuseMistakes(profile: unknown, mode: unknown, report: unknown): void {
  refuseUnlisted('profile', profile, profileNames);
  refuseUnlisted('mode', mode, guardModes);
  if (typeof report !== 'function') throw new TypeError('report must be a function');
}

function refuseUnlisted(option: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value))
    throw new TypeError(`${option} must be one of ${allowed.join(', ')}, not ${String(value)}`);
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? '';
}

function complain({ method, path, did, violations }: ResponseReport): void {
  console.warn(
    `${method} ${path}: response ${did}: ${violations
      .slice(0, 20)
      .map(({ rule, pointer }) => `${rule} ${pointer}`.trim())
      .join(', ')}`,
  );
}

/** What describes a body, and would be wrong of another. */
export const STALE_HEADERS: readonly string[] = [
  'etag',
  'last-modified',
  'content-length',
  'content-md5',
  'digest',
  'transfer-encoding',
  'trailer',
];

/** Whether a response has a JSON body to look at: whole, not encoded, and with a status that allows one. */
export function isInspected(response: {
  readonly method: string;
  readonly status: number;
  readonly type: unknown;
  readonly encoding: unknown;
}): boolean {
  const { method, status, type, encoding } = response;
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200) return false;
  return isJson(type) && (encoding === undefined || encoding === null || encoding === 'identity');
}

function isJson(type: unknown): boolean {
  return typeof type === 'string' && /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}
