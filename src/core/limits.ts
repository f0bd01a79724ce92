import type { Bounds } from '../schema/bounds.ts';

/** What an app refuses rather than tries. docs/limits.md is checked against these defaults. */
export interface Limits extends Bounds {
  /** Bytes of a request body. */
  readonly body: number;
  /** Milliseconds a function may take, unless it says otherwise. */
  readonly timeout: number;
  /** Calls under way at once. */
  readonly concurrent: number;
  /** Calls that wait for one of those to end. */
  readonly queued: number;
  /** Bytes of all request headers together. */
  readonly headers: number;
  /** Milliseconds in which the headers of a request must have come; 0 for no limit. */
  readonly headersTimeout: number;
  /** Milliseconds in which a whole request must have come; 0 for no limit. */
  readonly requestTimeout: number;
  /** Bytes of one message on MCP's stdio. */
  readonly line: number;
  /** Connections of MCP's revision 2025-11-25 that are kept; the longest idle makes room. */
  readonly sessions: number;
  /** Milliseconds after which one that is not used is forgotten. */
  readonly sessionIdle: number;
  /** Resources that one MCP connection may subscribe to. */
  readonly subscriptions: number;
  /** Milliseconds that calls under way are given to end when the server is told to stop. */
  readonly drain: number;
}

/** The defaults with what was given instead; what makes no sense is a problem. */
export function limitsFrom(given: Partial<Limits>, problems: string[]): Limits {
  const limits: Record<string, number> = { ...defaultLimits };
  if (typeof given !== 'object' || given === null) problems.push('limits must be an object');
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(defaultLimits, name)) problems.push(`limits: there is no limit "${name}"`);
    else if (Number.isInteger(value) && value >= 0) limits[name] = value;
    else problems.push(`limits: "${name}" must be a whole number of 0 or more, not ${String(value)}`);
  }
  const { headersTimeout, requestTimeout } = limits as unknown as Limits;
  if (requestTimeout > 0 && headersTimeout > requestTimeout) {
    problems.push('limits: "headersTimeout" cannot be more than "requestTimeout"');
  }
  return limits as unknown as Limits;
}

export const defaultLimits: Limits = Object.freeze({
  body: 1024 * 1024,
  depth: 64,
  keys: 10_000,
  items: 100_000,
  timeout: 30_000,
  concurrent: 1000,
  queued: 1000,
  headers: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  drain: 10_000,
  line: 4 * 1024 * 1024,
  sessions: 1000,
  sessionIdle: 300_000,
  subscriptions: 1000,
});
