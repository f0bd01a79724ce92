import { DEEPEST } from '../schema/bounds.ts';
import { isRecord } from '../schema/json-schema.ts';
import { toJson } from '../schema/to-json.ts';
import { factsOf } from './codes.ts';
import type { Code, CodeFacts, DeclaredErrors } from './codes.ts';
import { quietly } from './safely.ts';
import { failed } from './outcome.ts';
import type { Failed, FailureData, Outcome } from './outcome.ts';

export interface FailureOptions {
  /** Anything JSON that helps the caller: which id, which alternatives. */
  readonly details?: unknown;
  /** Whether the same call may succeed later; the code says so when this does not. */
  readonly retry?: boolean;
  /** Seconds after which to try again. */
  readonly retryAfter?: number;
}

// Two copies of the package may meet in one process (the command's and the app's), so instanceof is not enough.
const BRAND: unique symbol = Symbol.for('everywire.failure') as never;

/** An expected failure, thrown or returned by a function: `throw new Failure('NOT_FOUND', 'No such place')`. */
export class Failure<C extends string = string> extends Error {
  override readonly name = 'Failure';
  readonly [BRAND] = true;
  readonly code: C;
  readonly options: FailureOptions;

  constructor(code: C | Code, message: string, options: FailureOptions = {}) {
    super(message);
    if (!isCode(code))
      throw new TypeError(
        `A failure's code is made of letters, digits and "_", and is not OK: ${JSON.stringify(code)}`,
      );
    this.code = code as C;
    this.options = options;
  }
}

/** Codes travel in headers and on terminals, where not everything may stand. In records, OK is no failure. */
export function isCode(code: unknown): boolean {
  return typeof code === 'string' && /^\w{1,100}$/.test(code) && code !== 'OK';
}

// Not enumerable, so that outcomes look and compare as ever; global, for the same reason as the brand above.
const REFUSED: unique symbol = Symbol.for('everywire.refused') as never;

/** Marks a failure, an outcome or one to be thrown, as the framework's own. */
export function asRefused<T extends Failed | Failure>(thrownOrFailed: T): T {
  return Object.defineProperty(thrownOrFailed, REFUSED, { value: true });
}

/** A failure of the framework's own. */
export function refuse(code: Code, message: string, options: FailureOptions = {}): Failed {
  return asRefused(failed(describe(code, message, options)));
}

/**
 * How a failed call leaves. The table's MCP channel and exit code are for the framework's own failures; a code that an
 * author raises, in a function or in middleware, is an answer like any other, whatever the code is called.
 */
export function factsOfFailed(outcome: Failed, declared?: DeclaredErrors): CodeFacts {
  const facts = factsOf(outcome.error.code, declared);
  return REFUSED in outcome ? facts : { ...facts, mcp: 'result', exit: 1 };
}

/** A failure as data: what a `Failure` becomes, for those who do not throw. */
export function failure<const C extends string>(code: C, message: string, options: FailureOptions = {}): Failed<C> {
  return failed(fromFailure(new Failure<C>(code, message, options)) as FailureData<C>);
}

function describe(code: string, message: string, { details, retry, retryAfter }: FailureOptions): FailureData {
  return {
    code,
    message: message.toWellFormed(),
    ...(details !== undefined && { details }),
    retry: typeof retry === 'boolean' ? retry : factsOf(code).retry,
    ...(isSeconds(retryAfter) && { retryAfter }),
  };
}

function isSeconds(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}

/** Whether a value, thrown or returned, is an author's failure. A Proxy may throw from any look at it. */
export function isFailure(value: unknown): value is Failure {
  try {
    return typeof value === 'object' && value !== null && BRAND in value && isCode((value as Failure).code);
  } catch {
    return false;
  }
}

/** Whether a value is an outcome: `ok` with `data`, or not `ok` with an `error` that has a code and a message. */
export function isOutcome(value: unknown): value is Outcome {
  if (!isRecord(value)) return false;
  const { ok, error } = value;
  if (ok === true) return 'data' in value || Object.keys(value).length === 1;
  return ok === false && isRecord(error) && isCode(error['code']) && typeof error['message'] === 'string';
}

/** The author's failure as data. Its details go out like any other data, or not at all. */
export function fromFailure(thrown: Failure, declared?: DeclaredErrors): FailureData {
  try {
    const { code, message, options } = thrown;
    return sanitized({ ...options, code, message }, declared);
  } catch {
    // Even a failure can be tampered with until it throws when looked at.
    return describe('INTERNAL_ERROR', UNKNOWN, {});
  }
}

/** A failure that somebody else built: what belongs to one, as far as it is right, and nothing else. */
export function sanitized(error: FailureOptions & { code: string; message: unknown }, declared?: DeclaredErrors) {
  const { code, message, details, retry, retryAfter } = error;
  const carried = details === undefined ? undefined : toJson(details, DEEPEST);
  return describe(code, typeof message === 'string' ? message : UNKNOWN, {
    details: carried && !carried.problem ? carried.value : undefined,
    retry: typeof retry === 'boolean' ? retry : factsOf(code, declared).retry,
    ...(isSeconds(retryAfter) && { retryAfter }),
  });
}

/** A failure that user code threw or returned, as an outcome. */
export function failedBy(thrown: Failure, declared?: DeclaredErrors): Failed {
  const outcome = failed(fromFailure(thrown, declared));
  // Even a Proxy may be a failure, and throw from any look at it.
  return quietly(() => REFUSED in thrown) ? asRefused(outcome) : outcome;
}

/** One readable sentence from whatever was thrown: no stack, no path of the host, and no second throw. */
export function messageOf(thrown: unknown): string {
  const text = textOf(thrown);
  return text === undefined ? UNKNOWN : withoutPaths(withoutStack(text)).trim() || UNKNOWN;
}

const UNKNOWN = 'Unknown error';

function textOf(thrown: unknown): string | undefined {
  try {
    if (typeof thrown === 'string') return thrown;
    if (typeof thrown !== 'object' || thrown === null) return undefined;
    const { message } = thrown as { message?: unknown };
    return typeof message === 'string' ? message : undefined;
  } catch {
    return undefined;
  }
}

/** Long enough for any message meant to be read, short enough to be searched. */
const LONGEST = 10_000;

function withoutStack(text: string): string {
  const lines = text.slice(0, LONGEST).toWellFormed().split('\n');
  const frame = lines.findIndex((line, i) => i > 0 && /^[ \t]+at \S/.test(line));
  return (frame === -1 ? lines : lines.slice(0, frame)).join('\n');
}

/**
 * Paths of the host: in quotes, whatever they contain; else a run of parts on either kind of system. An
 * address such as https://host/a/b is matched first, as a whole, and stays; its scheme is looked for only where a word
 * begins, or a long word would be searched again from each of its letters. Made when it is needed: to look up what
 * letters there are takes V8 longer than most of a short process.
 */
const paths = () =>
  /(?<![a-z+.-])[a-z][a-z+.-]*:\/\/(?!\/)[^\s'"]*|(['"`])(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]|\\\\)[^'"`\n]*\1|(?<![\p{L}\p{N}_.\\/-])(?:file:\/\/)?(?:(?:\/[\p{L}\p{N}_.@~+-]+){2,}\/?|[A-Za-z]:[\\/][^\s'":]+|\\\\[^\s'":]+)/giu;

function withoutPaths(text: string): string {
  return text.replace(paths(), (found, quote: string | undefined) => {
    if (/^(?!file:)[a-z][a-z+.-]*:\/\/[^/]/i.test(found)) return found;
    return quote ? `${quote}<path>${quote}` : '<path>';
  });
}
