import type { Bounds } from '../schema/bounds.ts';
import { suggest } from '../schema/suggest.ts';
import { problemsInRateRules } from './check-rates.ts';
import type { RateRule } from './rate.ts';

/** Limits of an app. docs/limits.md is checked against the defaults. */
export interface Limits extends Bounds {
  /** Size of a request body in bytes. */
  readonly body: number;
  /** Size of all files in one call in bytes, and of a returned file in JSON. */
  readonly file: number;
  /** Time limit of a call in milliseconds, unless the function has its own. */
  readonly timeout: number;
  /** Calls running at once. */
  readonly concurrent: number;
  /** Calls waiting for one of those to end. */
  readonly queued: number;
  /** Size of all request headers in bytes. */
  readonly headers: number;
  /** Milliseconds in which all headers must arrive; 0 for no limit. */
  readonly headersTimeout: number;
  /** Milliseconds in which the whole request must arrive; 0 for no limit. */
  readonly requestTimeout: number;
  /** Milliseconds that a client may take without reading any of its response; 0 for no limit. */
  readonly responseTimeout: number;
  /** Size of one message on MCP stdio in bytes. */
  readonly line: number;
  /** MCP sessions (revision 2025-11-25) kept at once. A new one replaces the one idle for longest. */
  readonly sessions: number;
  /** Milliseconds after which an unused session is closed. */
  readonly sessionIdle: number;
  /** Resources that one MCP client may subscribe to. */
  readonly subscriptions: number;
  /** Size of a task's result in bytes. */
  readonly result: number;
  /** Tasks kept at once, without a store. */
  readonly tasks: number;
  /** Milliseconds that running calls have to finish after the server was asked to stop. */
  readonly drain: number;
}

/** Limits as an author writes them. */
export interface LimitOptions extends Partial<Limits> {
  /** How many calls are admitted in how much time. */
  readonly rate?: RateRule | readonly RateRule[];
}

/** Merges the defaults with the given limits, and adds invalid ones to `problems`. */
export function limitsFrom(given: LimitOptions, problems: string[]): Limits {
  const { rate = [], ...overrides } = given;
  const limits: Record<string, number> = { ...defaultLimits };
  if (typeof given !== 'object') problems.push('limits must be an object');
  problems.push(...problemsInRateRules(rate));
  for (const [name, value] of Object.entries(overrides)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(defaultLimits, name)) problems.push(`limits: unknown limit "${name}"${hint(name)}`);
    // With none at once, every call would wait for ever.
    else if (name === 'concurrent' && value === 0) problems.push('limits: "concurrent" must be at least 1');
    else if (Number.isInteger(value) && value >= 0) limits[name] = value;
    else problems.push(`limits: "${name}" must be a non-negative integer, not ${String(value)}`);
  }
  const { headersTimeout, requestTimeout } = limits as unknown as Limits;
  if (requestTimeout > 0 && headersTimeout > requestTimeout) {
    problems.push('limits: "headersTimeout" must not exceed "requestTimeout"');
  }
  return limits as unknown as Limits;
}

function hint(name: string): string {
  const meant = suggest(name, [...Object.keys(defaultLimits), 'rate']);
  return meant ? ` (did you mean "${meant}"?)` : '';
}

export const defaultLimits: Limits = Object.freeze({
  body: 1024 * 1024,
  file: 16 * 1024 * 1024,
  depth: 64,
  keys: 10_000,
  items: 100_000,
  timeout: 30_000,
  concurrent: 1000,
  queued: 1000,
  headers: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  responseTimeout: 60_000,
  drain: 10_000,
  line: 4 * 1024 * 1024,
  sessions: 1000,
  sessionIdle: 300_000,
  subscriptions: 1000,
  result: 16 * 1024 * 1024,
  tasks: 10_000,
});
