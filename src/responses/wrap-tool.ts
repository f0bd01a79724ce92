import { MAX_DEPTH } from '../schema/bounds.ts';
import { isFailure, isOutcome, refuse } from '../core/failure.ts';
import { safely } from '../core/safely.ts';
import { success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import { isRecord } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import { toJson } from '../schema/to-json.ts';
import { checkResponse, messageFor } from './check-response.ts';
import type { Violation } from './check-response.ts';
import { isErrorValue } from './complete-response.ts';
import { fromThrown } from './outcome-tools.ts';
import type { Envelope } from './profiles/envelope.ts';
import type { ToolResult } from './profiles/mcp.ts';
import { systemClock } from '../core/clock.ts';
import type { Clock } from '../core/clock.ts';
import { readError } from './profiles/unknown-error.ts';
import { readResponse } from './read-response.ts';
import { isBareJson } from './rules/bare-json.ts';
import { wrapFormats } from './wrap-formats.ts';
import type { RenderContext, WrapFormat } from './wrap-formats.ts';

/** The responses of wrapped tools, by profile. */
export interface WrappedResponses {
  envelope: Envelope;
  mcp: ToolResult;
}

export interface WrapOptions<P extends keyof WrappedResponses> {
  /** Default: `envelope`. */
  readonly profile?: P;
  /** Returns text for people, made from the data. */
  readonly describe?: (data: any) => string;
  readonly clock?: Clock;
  /** Called with exceptions that are no `Failure`, and for results that cannot be read. Default: writes to stderr. */
  readonly onError?: (thrown: unknown) => void;
}

/**
 * Wraps a tool so that it always returns a valid response. The function may return data, an outcome, an envelope, a
 * tool result, a part of one of them, or throw.
 */
export function wrapTool<A extends readonly unknown[], P extends keyof WrappedResponses = 'envelope'>(
  fn: (...args: A) => unknown,
  options: WrapOptions<P> = {},
): (...args: A) => Promise<WrappedResponses[P]> {
  const { describe, clock = systemClock, onError = logThrown } = options;
  const format = wrapFormats[options.profile ?? 'envelope'];
  if (!format) throw new TypeError(`A tool can be wrapped as envelope or mcp, not as ${String(options.profile)}`);
  const context = {
    clock,
    describeResult: (data: unknown) =>
      readableText(
        safely(() => describe?.(data)),
        data,
      ),
  };
  return async (...args) => {
    let returned: unknown;
    try {
      // Tools without parameters are often called without arguments.
      const given = args[0] === undefined ? [{}, ...args.slice(1)] : args;
      returned = await fn(...(given as unknown as A));
    } catch (thrown) {
      if (!isFailure(thrown)) safely(() => onError(thrown));
      return format.render(fromThrown(thrown), context) as WrappedResponses[P];
    }
    return checked(returned, format, context, onError) as WrappedResponses[P];
  };
}

/** A response that follows the rules, whatever was returned. */
function checked(
  returned: unknown,
  format: WrapFormat,
  context: RenderContext,
  onError: (thrown: unknown) => void,
): object {
  const report = (thrown: unknown) => safely(() => onError(thrown));
  // Content that cannot be converted to the other format throws.
  const response =
    safely(() => respond(returned, format, context), report) ?? invalid('what the tool returned cannot be read');
  if ('ok' in response) return format.render(response as Outcome, context);
  const violations = checkResponse(response, { profile: format.profile });
  return violations.length === 0 ? response : format.render(invalid(messageFor(violations), violations), context);
}

function invalid(message: string, violations?: readonly Violation[]): Failed {
  return refuse('INVALID_RESPONSE_FORMAT', message, violations && { details: { violations } });
}

/** Completes a response in the wanted format, converts one from the other format; anything else is data. */
function respond(returned: unknown, format: WrapFormat, context: RenderContext): object {
  if (isFailure(returned) || returned instanceof Error) return fromThrown(returned);
  if (returned === undefined) return format.render(success(undefined), context);
  const json = toJson(returned, MAX_DEPTH);
  if (json.problem) return refuse('INVALID_OUTPUT', `Invalid output: ${summarize([json.problem])}`);
  const body = isRecord(json.value) ? settled(json.value) : undefined;
  const given = body && Object.values(wrapFormats).find(({ recognises }) => recognises(body));
  if (!given) return format.render(outcomeOf(json.value), context);
  const response = given.complete(body, context.clock);
  if (given === format) return response;
  const violations = checkResponse(response, { profile: given.profile });
  return violations.length > 0
    ? invalid(messageFor(violations), violations)
    : format.render(given.read(response), context, response);
}

/** The author's text, if it is text for people. */
function readableText(text: unknown, data: unknown): string | undefined {
  const isReadable = typeof text === 'string' && text.trim() !== '' && !isBareJson(text, data);
  return isReadable ? text.toWellFormed() : undefined;
}

/** A success with an error becomes a failure: showing the error loses less than hiding it. */
function settled(body: Record<string, unknown>): Record<string, unknown> {
  const contradicts = body['success'] === true && isErrorValue(body['error']);
  return contradicts ? { ...body, success: false } : body;
}

/** Data, unless it has the form of an outcome or is a bare `{error}`. */
function outcomeOf(value: unknown): Outcome {
  if (!isRecord(value)) return success(value);
  const { status, ok, error, ...rest } = value;
  const isAlone = Object.keys(rest).length === 0;
  const isStatus = (status === 'SUCCESS' && Object.keys(rest).every((name) => name === 'data')) || status === 'ERROR';
  const isBareError = typeof error === 'string' && isAlone && status === undefined && ok === undefined;
  const isFailed = ok === false && isErrorValue(error);
  if (isFailed) return readError(error);
  return isOutcome(value) || isStatus || isBareError ? readResponse(value) : success(value);
}

function logThrown(thrown: unknown): void {
  console.error('A tool threw:', thrown);
}
