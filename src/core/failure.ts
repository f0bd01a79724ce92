import { MAX_DEPTH } from '../schema/bounds.ts';
import { isRecord } from '../schema/json-schema.ts';
import { toJson } from '../schema/to-json.ts';
import { codeOfStatus, factsOf } from './codes.ts';
import type { Code, CodeFacts, DeclaredErrors, ThrownOptions } from './codes.ts';
import { safely } from './safely.ts';
import { failed } from './outcome.ts';
import type { Failed, FailureData, Outcome } from './outcome.ts';

export interface FailureOptions {
  /** Any JSON that helps the caller, such as ids or alternatives. */
  readonly details?: unknown;
  /** Whether the same call may succeed later; by default as the code says. */
  readonly retry?: boolean;
  /** Seconds after which to try again. */
  readonly retryAfter?: number;
}

// Two copies of the package may be loaded in one process (the command's and the app's), where instanceof fails.
const BRAND: unique symbol = Symbol.for('everywire.failure') as never;

/** An expected failure, thrown or returned by a function: `throw new Failure('NOT_FOUND', 'No such place')`. */
export class Failure<C extends Code | (string & {}) = string> extends Error {
  override readonly name = 'Failure';
  readonly [BRAND] = true;
  readonly code: C;
  readonly options: FailureOptions;

  constructor(code: C, message: string, options: FailureOptions = {}) {
    super(message);
    if (!isCode(code))
      throw new TypeError(
        `The code of a Failure may only contain letters, digits and "_", and must not be OK: ${JSON.stringify(code)}`,
      );
    this.code = code;
    this.options = options;
  }
}

/** Codes are sent in headers and printed on terminals, so few characters are allowed. OK means success in records. */
export function isCode(code: unknown): boolean {
  return typeof code === 'string' && /^\w{1,100}$/.test(code) && code !== 'OK';
}

// Marks the framework's own failures. Global, for the same reason as the brand above.
const BY_FRAMEWORK: unique symbol = Symbol.for('everywire.refused') as never;

/** A failure of the framework that user code may catch, such as a cancelled question. */
export class FrameworkError extends Failure {
  get [BY_FRAMEWORK](): true {
    return true;
  }
}

// Marks failures of what the framework gives to functions. Callers see them like those of the function itself.
const BY_CONTEXT: unique symbol = Symbol.for('everywire.context-failure') as never;

/** A failure of `context.files` or `context.ask`, which a function need not declare. */
export class ContextFailure extends Failure {
  get [BY_CONTEXT](): true {
    return true;
  }
}

/** Whether a failure was not raised by an author. */
export function isFromFramework(failure: FailureParts): boolean {
  return BY_CONTEXT in failure || BY_FRAMEWORK in failure;
}

/** The framework's own failures. Their messages may repeat what a caller sent, such as the name of a function. */
export function refuse(code: Code, message: string, options: FailureOptions = {}): Failed {
  const text = message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH).toWellFormed()}…` : message;
  return byFramework(failed(toData(code, text, options)));
}

/** A failure that was stored as data. */
export function restoreFailed(error: FailureData, isOurs: boolean, status?: number): Failed {
  return isOurs ? byFramework(failed(error)) : failed({ ...error, ...withStatus(status) });
}

/** What user code threw or returned: a Failure, or the parts of one. */
export function userFailure(failure: FailureParts, declared?: DeclaredErrors): Failed {
  const outcome = failed(toSafeData(failure, declared));
  // A Proxy may throw on any access.
  return safely(() => BY_FRAMEWORK in failure) ? byFramework(outcome) : outcome;
}

export type FailureParts = Pick<Failure, 'code' | 'message' | 'options'>;

/** Prototypes of an error that are looked at: one may have itself as its prototype, by means of a Proxy. */
const MAX_CLASSES = 50;

/**
 * Compiles the step from a thrown error to the code that is declared for its class, or that it brings itself, if its class may;
 * undefined if there are no such classes. The nearest class counts. Names are for classes that only the source of a function
 * names.
 */
export function compileThrown(
  declared: DeclaredErrors = {},
  ownCodes: ThrownOptions['ownCodes'] = [],
): ((thrown: unknown) => FailureParts | undefined) | undefined {
  const codes = new Map<unknown, string>();
  for (const [code, error] of Object.entries(declared)) if (error?.class) codes.set(error.class, code);
  if (codes.size + ownCodes.length === 0) return undefined;
  const find = (thrown: unknown): FailureParts | undefined => {
    if (!(thrown instanceof Error) || isFailure(thrown)) return undefined;
    let prototype: unknown = Object.getPrototypeOf(thrown);
    for (let level = 0; prototype && level < MAX_CLASSES; level++) {
      const { constructor: own } = prototype as { constructor: { name?: unknown } };
      const code = codes.get(own) ?? codes.get(own?.name);
      if (code !== undefined) return { code, message: messageOf(thrown), options: {} };
      const isOwn = ownCodes.includes(own as never) || ownCodes.includes(own?.name as string);
      const parts = isOwn ? ownParts(thrown, declared) : undefined;
      if (parts) return parts;
      prototype = Object.getPrototypeOf(prototype);
    }
    return undefined;
  };
  // A Proxy may throw on any access.
  return (thrown) => safely(() => find(thrown));
}

/** A code that an error brings. Narrower than the code of a Failure, which only authors create. */
const OWN_CODE = /^[A-Z][A-Z0-9_]{0,99}$/;

/** Reads the code and the status of an error. A status of a server error is none: its message may not be meant for callers. */
function ownParts(thrown: Error, declared: DeclaredErrors): FailureParts | undefined {
  const { code: given, status, statusCode } = thrown as Error & Record<'code' | 'status' | 'statusCode', unknown>;
  const own = [status, statusCode].find((one) => one !== undefined);
  const code =
    typeof given === 'string' && OWN_CODE.test(given) && isCode(given)
      ? given
      : isOwnStatus(own)
        ? codeOfStatus(own)
        : undefined;
  if (code === undefined) return undefined;
  const message = messageOf(thrown);
  if (Object.hasOwn(declared, code)) return { code, message, options: {} };
  if (own === undefined) return factsOf(code).status < 500 ? { code, message, options: {} } : undefined;
  return isOwnStatus(own) ? { code, message, options: withStatus(own) } : undefined;
}

/**
 * The key of the status that an error brought: no other part of a failure depends on the code alone. A symbol, so that copies
 * have it, and bodies do not.
 */
const OWN_STATUS: unique symbol = Symbol.for('everywire.status') as never;

interface WithStatus {
  readonly [OWN_STATUS]?: unknown;
}

const isOwnStatus = (status: unknown): status is number =>
  Number.isInteger(status) && (status as number) >= 400 && (status as number) < 500;

/** The part of a failure that carries a status, if that is one. */
export const withStatus = (status: unknown): {} => (isOwnStatus(status) ? { [OWN_STATUS]: status } : {});

/** The status that the error of a failed call brought. */
export function ownStatusOf(error: FailureData): number | undefined {
  const status = (error as WithStatus)[OWN_STATUS];
  return isOwnStatus(status) ? status : undefined;
}

/** The HTTP and CGI status of a failed call. */
export function statusOf({ error }: Failed, declared?: DeclaredErrors): number {
  return ownStatusOf(error) ?? factsOf(error.code, declared).status;
}

/** Whether the framework refused a call, and not user code. */
export function isByFramework(outcome: Failed): boolean {
  return BY_FRAMEWORK in outcome;
}

/** Not enumerable, so that the mark does not show in outcomes. */
function byFramework(outcome: Failed): Failed {
  return Object.defineProperty(outcome, BY_FRAMEWORK, { value: true });
}

/**
 * What each wire makes of a failed call. MCP channel and exit code in the table are for the framework's own failures. A
 * failure from user code is a result with exit code 1, even if its code is one of the framework's.
 */
export function wireFactsOf(outcome: Failed, declared?: DeclaredErrors): CodeFacts {
  const facts = factsOf(outcome.error.code, declared);
  return isByFramework(outcome) ? facts : { ...facts, status: statusOf(outcome, declared), mcp: 'result', exit: 1 };
}

/** Copies the known fields as far as they are valid; details are dropped if JSON cannot represent them. */
function toSafeData(failure: FailureParts, declared: DeclaredErrors | undefined): FailureData {
  try {
    const { code, message, options } = failure;
    const { details, ...retrying }: FailureOptions = { ...options };
    const carried = details === undefined ? undefined : toJson(details, MAX_DEPTH);
    const safe = carried && !carried.problem ? { ...retrying, details: carried.value } : retrying;
    return toData(code, typeof message === 'string' ? message : UNKNOWN, safe, declared);
  } catch {
    // A Failure can be manipulated so that it throws on access.
    return toData('INTERNAL_ERROR', UNKNOWN, {});
  }
}

function toData(
  code: string,
  message: string,
  { details, retry, retryAfter, [OWN_STATUS]: status }: FailureOptions & WithStatus,
  declared?: DeclaredErrors,
): FailureData {
  const isDeclared = declared !== undefined && Object.hasOwn(declared, code);
  return {
    code,
    message: message.toWellFormed(),
    ...(details !== undefined && { details }),
    retry: typeof retry === 'boolean' ? retry : factsOf(code, declared).retry,
    ...(isSeconds(retryAfter) && { retryAfter }),
    ...(!isDeclared && withStatus(status)),
  };
}

function isSeconds(value: unknown): value is number {
  return Number.isFinite(value) && (value as number) >= 0;
}

/** Whether a thrown or returned value is a Failure. A Proxy may throw on any access. */
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

/** A readable message from any thrown value, without stack and host paths. Never throws. */
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

/** Characters of a message. Also bounds the time that the regular expressions below take. */
export const MAX_LENGTH = 10_000;

function withoutStack(text: string): string {
  const lines = text.slice(0, MAX_LENGTH).toWellFormed().split('\n');
  const frame = lines.findIndex((line, i) => i > 0 && /^[ \t]+at \S/.test(line));
  return (frame === -1 ? lines : lines.slice(0, frame)).join('\n');
}

/**
 * Host paths: quoted ones with any content, unquoted ones in POSIX or Windows form. URLs such as https://host/a/b are
 * matched first, as a whole, and kept. A scheme must start at a word boundary; otherwise a long word takes quadratic
 * time. Compiled on first use: Unicode classes take V8 longer than most of a CGI request.
 */
const paths = () =>
  /(?<![a-z+.-])[a-z][a-z+.-]*:\/\/(?!\/)[^\s'"]*|(['"`])(?:file:\/\/)?(?:\/|[A-Za-z]:[\\/]|\\\\)[^'"`\n]*\1|(?<![\p{L}\p{N}_.\\/-])(?:file:\/\/)?(?:(?:\/[\p{L}\p{N}_.@~+-]+){2,}\/?|[A-Za-z]:[\\/][^\s'":]+|\\\\[^\s'":]+)/giu;

function withoutPaths(text: string): string {
  return text.replace(paths(), (found, quote: string | undefined) => {
    if (/^(?!file:)[a-z][a-z+.-]*:\/\/[^/]/i.test(found)) return found;
    return quote ? `${quote}<path>${quote}` : '<path>';
  });
}
