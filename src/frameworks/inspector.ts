import { createGuard, guardModes } from '../responses/guard.ts';
import type { GuardMode, GuardResult } from '../responses/guard.ts';
import type { Violation } from '../responses/check-response.ts';
import { profileNames } from '../responses/profiles/profile.ts';
import { systemClock } from '../core/clock.ts';
import type { ProfileName } from '../responses/profiles/profile.ts';
import type { Clock } from '../core/clock.ts';
import { createProfiles } from '../responses/profiles/profiles.ts';
import { safely } from '../core/safely.ts';

export interface CheckResponsesOptions {
  /** The profile that responses must follow. Default: `envelope`. */
  readonly profile?: ProfileName;
  /**
   * What to do with a response that breaks a rule. `enforce` (default): send INVALID_RESPONSE_FORMAT with status 500
   * instead. `repair`: add what can be derived, and replace it only if that is not enough. `observe`: send it as it is.
   */
  readonly mode?: GuardMode;
  /** Called for every response that breaks a rule. Default: writes a line to stderr. */
  readonly report?: (report: ResponseReport) => void;
  readonly clock?: Clock;
  /** The ids of rules to skip. */
  readonly ignore?: readonly string[];
}

export interface ResponseReport {
  readonly method: string;
  /** Without the query, which may contain secrets. */
  readonly path: string;
  readonly did: GuardResult['did'];
  readonly violations: readonly Violation[];
}

/** What to send instead of the original body. */
export interface Replacement {
  readonly body: string;
  /** Set if the body is a failure, not a repaired original. */
  readonly failure?: { readonly status: number; readonly headers: Readonly<Record<string, string>> };
}

/** Checks a body, for any framework. Returns undefined if it can be sent as it is. Never throws. */
export type Inspect = (
  body: string,
  request: { readonly method: string; readonly url: string },
  status: number,
) => Replacement | undefined;

export function createInspector(options: CheckResponsesOptions = {}): Inspect {
  const { profile: name = 'envelope', mode = 'enforce', report = warn, clock = systemClock, ignore } = options;
  checkOptions(name, mode, report);
  const profile = createProfiles(clock)[name];
  const guard = createGuard(mode, clock);
  const headers = {
    'content-type': profile.failureType ?? 'application/json',
    'cache-control': 'no-store',
    'everywire-error-code': 'INVALID_RESPONSE_FORMAT',
  };
  return (text, { method, url }, status) => {
    const { violations, did, body, failure } = guard(text, { profile, ignore });
    if (violations.length > 0) safely(() => report({ method, path: pathOf(url), did, violations }));
    if (body === undefined) return undefined;
    // An error status is kept.
    return failure ? { body, failure: { status: status >= 400 ? status : 500, headers } } : { body };
  };
}

/** Rejects what TypeScript would reject, for authors who write JavaScript. */
function checkOptions(profile: unknown, mode: unknown, report: unknown): void {
  requireListed('profile', profile, profileNames);
  requireListed('mode', mode, guardModes);
  if (typeof report !== 'function') throw new TypeError('report must be a function');
}

function requireListed(option: string, value: unknown, allowed: readonly unknown[]): void {
  if (!allowed.includes(value))
    throw new TypeError(`${option} must be one of ${allowed.join(', ')}, not ${String(value)}`);
}

function pathOf(url: string): string {
  return url.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/)[0] ?? '';
}

function warn({ method, path, did, violations }: ResponseReport): void {
  console.warn(
    `${method} ${path}: response ${did}: ${violations
      .slice(0, 20)
      .map(({ rule, pointer }) => `${rule} ${pointer}`.trim())
      .join(', ')}`,
  );
}

/** Headers that describe the original body and would be wrong for another. */
export const STALE_HEADERS: readonly string[] = [
  'etag',
  'last-modified',
  'content-length',
  'content-md5',
  'digest',
  'transfer-encoding',
  'trailer',
];

/** Whether a response has a JSON body to check: not encoded, and with a status that allows a body. */
export function isInspected(response: {
  readonly method: string;
  readonly status: number;
  readonly type: unknown;
  readonly encoding: unknown;
}): boolean {
  const { method, status, type, encoding } = response;
  if (method === 'HEAD' || status === 204 || status === 304 || status < 200) return false;
  return isJsonType(type) && (encoding === undefined || encoding === null || encoding === 'identity');
}

function isJsonType(type: unknown): boolean {
  return typeof type === 'string' && /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type);
}
