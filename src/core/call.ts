import { contentSchema } from '../schema/content-blocks.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import { summarize } from '../schema/problem.ts';
import type { Problem } from '../schema/problem.ts';
import type { Repair } from '../schema/repair.ts';
import type { Parsed } from '../schema/schema.ts';
import { toJson } from '../schema/to-json.ts';
import type { Asker } from './asking.ts';
import { CallState } from './context.ts';
import type { Caller, Context, Environment, Log, LogListener, Progress } from './context.ts';
import { failedBy, isFailure, isOutcome, messageOf, refuse, sanitized } from './failure.ts';
import { isThenable, quietly } from './safely.ts';
import { Gate } from './gate.ts';
import type { Limits } from './limits.ts';
import { failed, success } from './outcome.ts';
import type { Failed, FailureData, Outcome } from './outcome.ts';
import type { RegisteredFunction, Registry } from './registry.ts';
import { stackOf } from './report.ts';
import type { Report } from './report.ts';
import { compileResults } from './results.ts';
import type { Released } from './results.ts';
import { Stopwatch } from './stopwatch.ts';

/** A decoded request. */
export interface Call {
  readonly name: string;
  /** Undefined when the caller gave no arguments. */
  readonly input?: unknown;
  readonly caller: Caller;
  /** Fires when the caller leaves. */
  readonly signal?: AbortSignal | undefined;
  /** The same for wires that have no signal: making one for every call would cost more than most calls do. */
  readonly onLeave?: ((listener: (how?: Failed) => void) => void) | undefined;
  /** Milliseconds the caller is willing to wait, if less than the function's own timeout. */
  readonly timeout?: number | undefined;
  /** Variables and files, if the call has any. */
  readonly environment?: Environment | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Told of what the function logs, beside the app's own log. */
  readonly onLog?: LogListener | undefined;
  /** How to reach the caller while the function runs, where that can be done. */
  readonly asker?: Asker | undefined;
  /** Why there are no arguments, when the wire could not read them: the call then ends with this. */
  readonly refused?: Failed | undefined;
  /** Filled in on the way, for those who keep records. */
  readonly trace?: CallTrace | undefined;
}

/** What happened on the way to an outcome. */
export interface CallTrace {
  /** By which records and log lines of the call are found. */
  readonly requestId?: string;
  repairs: readonly Repair[];
}

/** Around every call, outermost first; it sees checked arguments and may replace the outcome. */
export type Middleware = (
  call: { readonly function: RegisteredFunction; readonly input: unknown; readonly context: Context },
  next: () => Promise<Outcome>,
) => Outcome | Promise<Outcome>;

export interface PipelineOptions {
  readonly registry: Registry;
  readonly limits: Limits;
  readonly middleware: readonly Middleware[];
  /** One that never throws. */
  readonly log: Log;
  readonly report: Report;
  /** For calls that have none of their own. */
  readonly environment: Environment;
}

/** Ends in exactly one outcome, at once when the function does, and never throws. */
export type Pipeline = (call: Call) => Outcome | Promise<Outcome>;

/**
 * THE pipeline: repair, validate, run, validate the output. The only runner of user code:
 * nothing of the author's runs before the arguments are known to be right.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { registry, limits, middleware, log, report } = options;
  const gate = new Gate(limits.concurrent, limits.queued);
  const checkContent = compileResults({ kind: 'one', schema: { json: contentSchema, parse: undefined } }, limits.depth);

  return function call(request) {
    try {
      const fn = registry.find(request.name);
      if (!fn) return refuse('FUNCTION_NOT_FOUND', `Function not found: ${request.name}`);
      if (request.refused) return request.refused;
      const admitted = admit(fn, request.input);
      if (request.trace && !admitted.problems) request.trace.repairs = admitted.repairs;
      if (admitted.problems) return invalidArguments(admitted.problems);
      if (request.signal && isAborted(request.signal)) return cancelled();
      return begin(request, fn, admitted.value, admitted.repairs);
    } catch (thrown) {
      return report.thrown(thrown, { operationId: request.name, requestId: request.caller.requestId });
    }
  };

  /** In process, the input itself may be a Proxy that throws: that is the caller's mistake, and anything else ours. */
  function admit(fn: RegisteredFunction, input: unknown): ReturnType<RegisteredFunction['admit']> {
    try {
      return fn.admit(input);
    } catch (thrown) {
      const { problem } = toJson(input, limits.depth);
      if (problem) return { problems: [problem] };
      throw thrown;
    }
  }

  /** Starts the call, now or when its turn comes, and holds it to its time. */
  function begin(
    call: Call,
    fn: RegisteredFunction,
    input: unknown,
    repairs: readonly Repair[],
  ): Outcome | Promise<Outcome> {
    const { environment = options.environment, timeout: patience = Infinity } = call;
    const timeout = shortest(fn.timeout || Infinity, patience);
    const deadline = timeout === Infinity ? undefined : Date.now() + timeout;
    const state = new CallState(fn.operationId, call, log, environment, repairs, deadline, limits);
    if (gate.busy) return inTurn(call, fn, input, state, timeout);
    gate.enter();
    const outcome = start(fn, input, state);
    if (outcome instanceof Promise) return bounded(outcome, state, timeout, call, report, () => gate.leave());
    gate.leave();
    return outcome;
  }

  /** Waits in line for a place, with the clock running. */
  function inTurn(
    call: Call,
    fn: RegisteredFunction,
    input: unknown,
    state: CallState,
    timeout: number,
  ): Outcome | Promise<Outcome> {
    if (gate.full) return refuse('UNAVAILABLE', 'Too many calls at once', { retryAfter: 1 });
    const turn = gate.wait();
    let inside = false;
    const outcome = turn.place.then(() => {
      inside = !state.ended;
      if (inside) return start(fn, input, state);
      gate.leave();
      return cancelled();
    });
    return bounded(outcome, state, timeout, call, report, () => (inside ? gate.leave() : turn.giveUp()));
  }

  /** The library's pass over the arguments, then the author's code inside the middleware. */
  function start(fn: RegisteredFunction, input: unknown, state: CallState): Outcome | Promise<Outcome> {
    try {
      if (!fn.parse) return run(fn, input, state);
      const parsed = fn.parse(input);
      const go = (result: Parsed) =>
        result.problems ? invalidArguments(result.problems) : run(fn, result.value, state);
      return parsed instanceof Promise
        ? parsed.then(go).catch((thrown: unknown) => unexpected(thrown, fn, state))
        : go(parsed);
    } catch (thrown) {
      return unexpected(thrown, fn, state);
    }
  }

  function run(fn: RegisteredFunction, input: unknown, state: CallState): Outcome | Promise<Outcome> {
    if (middleware.length === 0) return execute(fn, input, state);
    const approved = new Approved();
    return through(0, { fn, input, state, approved }).then((outcome) => {
      // A middleware may have changed it in place, after it was approved.
      return approved.isUnchanged(outcome) ? outcome : checked(outcome, { fn, input, state, approved });
    });
  }

  /** Each middleware gets the next as a promise; what it returns instead of the next one's outcome is checked. */
  async function through(index: number, around: Around): Promise<Outcome> {
    const { fn, input, state, approved } = around;
    const layer = middleware[index];
    if (!layer) return approved.add(await execute(fn, input, state));
    try {
      // Once the caller has its answer nothing new is begun, and that answer is what became of the rest.
      const next = async () => state.ended ?? state.untilEnded(through(index + 1, around));
      const outcome = await layer({ function: fn, input, context: state.context }, next);
      return approved.has(outcome) || outcome === state.ended ? outcome : checked(outcome, around);
    } catch (thrown) {
      return approved.add(unexpected(thrown, fn, state));
    }
  }

  function checked(outcome: Outcome, { fn, state, approved }: Around): Outcome {
    try {
      if (!isOutcome(outcome)) throw new Error('A middleware answered no outcome');
      if (!outcome.ok) return approved.add(failedAnew(outcome.error, fn, state, approved));
      const confirmed = fn.confirm(outcome.data);
      return approved.add(
        confirmed.problems ? invalidOutput(confirmed, state) : succeed(confirmed.value, outcome.content, state),
      );
    } catch (thrown) {
      return approved.add(unexpected(thrown, fn, state));
    }
  }

  /** A middleware's failure is built anew, so that nothing leaves with it that does not belong to one. */
  function failedAnew(error: FailureData, fn: RegisteredFunction, state: CallState, approved: Approved): Failed {
    const { code, details, retry } = error;
    const retryAfter = error.retryAfter as number;
    // Of what an Error says, paths and stacks are for the log.
    const message = error instanceof Error ? messageOf(error) : error.message;
    if (isUnexpected(code) && !approved.hasFailure(code, message))
      return report.wrong(code, message, state, stackOf(error));
    return failed(sanitized({ code, message, details, retry, retryAfter }, fn.definition.errors));
  }

  function execute(fn: RegisteredFunction, input: unknown, state: CallState): Outcome | Promise<Outcome> {
    try {
      const value = fn.definition.run(input, state.context);
      if (!isThenable(value)) return release(fn, value, state);
      return Promise.resolve(value).then(
        (late) => release(fn, late, state),
        (thrown: unknown) => unexpected(thrown, fn, state),
      );
    } catch (thrown) {
      return unexpected(thrown, fn, state);
    }
  }

  function release(fn: RegisteredFunction, value: unknown, state: CallState): Outcome | Promise<Outcome> {
    if (isFailure(value)) return failedBy(value, fn.definition.errors);
    try {
      const released = fn.release(value);
      if (!(released instanceof Promise))
        return released.problems ? invalidOutput(released, state) : succeed(released.value, state.attached, state);
      return released.then(
        (late) => (late.problems ? invalidOutput(late, state) : succeed(late.value, state.attached, state)),
        (thrown: unknown) => unexpected(thrown, fn, state),
      );
    } catch (thrown) {
      return unexpected(thrown, fn, state);
    }
  }

  /** What the author put beside the data is checked as the data was. */
  function succeed(data: unknown, content: readonly ContentBlock[] | undefined, state: CallState): Outcome {
    if (content === undefined) return success(data);
    const released = checkContent.confirm(content);
    return released.problems
      ? invalidOutput(released, state)
      : success(data, released.value as readonly ContentBlock[]);
  }

  /** An author's failure goes out as it is; anything else is logged, and masked if the app says so. */
  function unexpected(thrown: unknown, fn: RegisteredFunction, state: CallState): Outcome {
    if (isFailure(thrown)) return failedBy(thrown, fn.definition.errors);
    return report.thrown(thrown, state);
  }

  function invalidOutput({ problems }: Released & { problems: readonly Problem[] }, state: CallState): Outcome {
    return report.wrong('INVALID_OUTPUT', `Invalid output: ${summarize(problems)}`, state);
  }
}

/** What a chain of middleware works on. */
interface Around {
  readonly fn: RegisteredFunction;
  readonly input: unknown;
  readonly state: CallState;
  readonly approved: Approved;
}

/** The outcomes of one call that were checked already, as they were then. */
class Approved {
  readonly #texts = new Map<unknown, string | undefined>();

  add<O extends Outcome>(outcome: O): O {
    this.#texts.set(outcome, textOf(outcome));
    return outcome;
  }

  has(outcome: unknown): outcome is Outcome {
    return this.#texts.has(outcome);
  }

  isUnchanged(outcome: Outcome): boolean {
    const text = this.#texts.get(outcome);
    return text !== undefined && text === textOf(outcome);
  }

  hasFailure(code: string, message: string): boolean {
    return [...this.#texts.keys()].some((known) => {
      const { ok, error } = known as Failed;
      return !ok && error.code === code && error.message === message;
    });
  }
}

/** Undefined when it is no longer what JSON can carry. */
function textOf(outcome: Outcome): string | undefined {
  try {
    return JSON.stringify(outcome);
  } catch {
    return undefined; // it is checked again then, which says what is wrong with it
  }
}

/** Codes whose messages say what went wrong inside of the app. */
function isUnexpected(code: string): code is 'INTERNAL_ERROR' | 'INVALID_OUTPUT' {
  return code === 'INTERNAL_ERROR' || code === 'INVALID_OUTPUT';
}

function invalidArguments(problems: readonly Problem[]): Outcome {
  return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${summarize(problems)}`, {
    details: { problems: problems.map(({ pointer, message }) => ({ pointer, message })) },
  });
}

/** In process, it may be anything. */
function isAborted(signal: AbortSignal): boolean {
  if (typeof signal.addEventListener !== 'function') throw new TypeError('signal must be an AbortSignal');
  return signal.aborted;
}

const cancelled = (): Outcome => refuse('CANCELLED', 'Cancelled by the caller');

/** Whichever is first: the outcome, the end of the time, or the caller's leaving. Then `done`, once. */
function bounded(
  outcome: Promise<Outcome>,
  state: CallState,
  timeout: number,
  { signal, onLeave }: Call,
  report: Report,
  done: () => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let over = false;
    const end = (ended: Outcome, reason?: string) => {
      if (over) return;
      over = true;
      clock.stop();
      state.onWait(undefined);
      signal?.removeEventListener('abort', abort);
      if (reason) state.end(ended, reason);
      done();
      resolve(ended);
    };
    // A wire that ends a call by itself says how.
    const leave = (how: Outcome = cancelled()) => end(how, 'The caller left');
    const abort = () => leave();
    const late = () => end(refuse('TIMEOUT', `Timed out after ${timeout} ms`), 'The time is up');
    const clock = new Stopwatch(timeout, late);
    // It may have asked already, before anyone looked at the time.
    state.onWait((isWaiting) => (isWaiting ? clock.stop() : clock.go()));
    outcome.then(end, (thrown: unknown) => end(report.thrown(thrown, state)));
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    quietly(() => onLeave?.(leave)); // else nobody would answer
  });
}

// Timers count in 31 bits; one of more fires at once.
const LONGEST = 2 ** 31 - 1;

function shortest(own: number, patience: number): number {
  const least = patience >= 0 && patience < own ? patience : own;
  return least === Infinity ? least : Math.min(least, LONGEST);
}
