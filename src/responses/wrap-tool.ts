import { fromFailure, isFailure, isOutcome, refuse } from '../core/failure.ts';
import { quietly } from '../core/foreign.ts';
import { failed, success } from '../core/outcome.ts';
import type { Outcome } from '../core/outcome.ts';
import { isRecord } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import { toJson } from '../schema/to-json.ts';
import { checkResponse, messageFor } from './check-response.ts';
import { fromThrown } from './outcome-tools.ts';
import type { Envelope } from './profiles/envelope.ts';
import type { ToolResult } from './profiles/mcp.ts';
import { systemClock } from './profiles/profile.ts';
import type { Clock } from './profiles/profile.ts';
import { readResponse } from './read-response.ts';
import { wrappedForms } from './wrapped-forms.ts';
import type { Words, WrappedForm } from './wrapped-forms.ts';

/** The responses a wrapped tool can give. */
export interface WrappedResponses {
  envelope: Envelope;
  mcp: ToolResult;
}

export interface WrapOptions<P extends keyof WrappedResponses> {
  /** `envelope` unless given. */
  readonly profile?: P;
  /** What people read, made from the data. */
  readonly describe?: (data: any) => string;
  readonly clock?: Clock;
  /** Told of what was thrown and was no `Failure`; written to stderr unless given. */
  readonly onError?: (thrown: unknown) => void;
}

/**
 * A tool that always answers in a valid form, whatever the function does: returns data, an outcome, an envelope, a
 * tool's result, half of one of them, or throws.
 */
export function wrapTool<A extends readonly unknown[], P extends keyof WrappedResponses = 'envelope'>(
  fn: (...args: A) => unknown,
  options: WrapOptions<P> = {},
): (...args: A) => Promise<WrappedResponses[P]> {
  const { describe, clock = systemClock, onError = complain } = options;
  const form = wrappedForms[options.profile ?? 'envelope'];
  const words = { clock, inWords: (data: unknown) => quietly(() => describe?.(data)) };
  return async (...args) => {
    let returned: unknown;
    try {
      // A tool that takes nothing is often called with nothing at all.
      const given = args[0] === undefined ? [{}, ...args.slice(1)] : args;
      returned = await fn(...(given as unknown as A));
    } catch (thrown) {
      if (!isFailure(thrown)) quietly(() => onError(thrown));
      return form.render(fromThrown(thrown), words) as WrappedResponses[P];
    }
    return respond(returned, form, words) as WrappedResponses[P];
  };
}

const DEEPEST = 64;

function respond(returned: unknown, form: WrappedForm, words: Words): object {
  if (isFailure(returned)) return form.render(failed(fromFailure(returned)), words);
  if (returned === undefined) return form.render(success(undefined), words);
  const carried = toJson(returned, DEEPEST);
  if (carried.problem) {
    return form.render(refuse('INVALID_OUTPUT', `Invalid output: ${summarize([carried.problem])}`), words);
  }
  const body = isRecord(carried.value) ? settled(carried.value) : undefined;
  const given = body && Object.values(wrappedForms).find(({ recognises }) => recognises(body));
  if (!given) return form.render(outcomeOf(carried.value), words);
  const response = given.complete(body, words.clock);
  const violations = checkResponse(response, { profile: given.profile });
  if (violations.length > 0) {
    return form.render(refuse('INVALID_RESPONSE_FORMAT', messageFor(violations), { details: { violations } }), words);
  }
  return given === form ? response : form.render(given.read(response), words, response);
}

/** A success with an error: to show the error loses less than to hide it. */
function settled(body: Record<string, unknown>): Record<string, unknown> {
  const contradicts = body['success'] === true && body['error'] !== undefined && body['error'] !== null;
  return contradicts ? { ...body, success: false } : body;
}

/** Data stays data, unless it says of itself that it is an outcome. */
function outcomeOf(value: unknown): Outcome {
  if (!isRecord(value)) return success(value);
  const { status, ...rest } = value;
  const isSuccess = status === 'SUCCESS' && Object.keys(rest).every((name) => name === 'data');
  const isError = status === 'ERROR' && isRecord(rest['error']);
  return isOutcome(value) || isSuccess || isError ? readResponse(value) : success(value);
}

function complain(thrown: unknown): void {
  console.error('A tool threw:', thrown);
}
