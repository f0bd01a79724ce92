import { contentSchema } from '../schema/content-blocks.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import { summarize } from '../schema/problem.ts';
import type { Problem } from '../schema/problem.ts';
import type { Repair } from '../schema/repair.ts';
import type { Parsed } from '../schema/schema.ts';
import type { Asker } from './asking.ts';
import type { Code } from './codes.ts';
import { CallContext } from './context.ts';
import type { Caller, Context, Environment, Log, LogListener, Progress } from './context.ts';
import { failedBy, isFailure, isOutcome, messageOf, refuse } from './failure.ts';
import { isThenable, quietly } from './foreign.ts';
import { Gate } from './gate.ts';
import type { Limits } from './limits.ts';
import { success } from './outcome.ts';
import type { Failed, Outcome } from './outcome.ts';
import type { RegisteredFunction, Registry } from './registry.ts';
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
  readonly log: Log;
  /** For calls that have none of their own. */
  readonly environment: Environment;
  /** Hide the messages of unexpected errors from callers. */
  readonly masked: boolean;
}

/** Ends in exactly one outcome, at once when the function does, and never throws. */
export type Pipeline = (call: Call) => Outcome | Promise<Outcome>;

/**
 * THE pipeline: repair, validate, run, validate the output. The only runner of user code:
 * nothing of the author's runs before the arguments are known to be right.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { registry, limits, middleware, log, masked } = options;
  const gate = new Gate(limits.concurrent, limits.queued);
  const checkContent = compileResults({ kind: 'one', schema: { json: contentSchema, parse: undefined } }, limits.depth);

  return function call(request) {
    try {
      const fn = registry.find(request.name);
      if (!fn) return refuse('FUNCTION_NOT_FOUND', `Function not found: ${request.name}`);
      if (request.refused) return request.refused;
      const admitted = fn.admit(request.input);
      if (request.trace && !admitted.problems) request.trace.repairs = admitted.repairs;
      if (admitted.problems) return invalidArguments(admitted.problems);
      if (request.signal?.aborted) return cancelled();
      return begin(request, fn, admitted.value, admitted.repairs);
    } catch {
      // In process, the input itself may be a Proxy that throws.
      return invalidArguments([{ pointer: '', message: 'cannot be read' }]);
    }
  };

  /** Starts the call, now or when its turn comes, and holds it to its time. */
  function begin(
    call: Call,
    fn: RegisteredFunction,
    input: unknown,
    repairs: readonly Repair[],
  ): Outcome | Promise<Outcome> {
    const { caller, environment = options.environment, timeout: patience = Infinity, onProgress } = call;
    const timeout = shortest(fn.timeout || Infinity, patience);
    const deadline = timeout === Infinity ? undefined : Date.now() + timeout;
    const { asker, onLog } = call;
    const context = new CallContext(
      fn.operationId,
      caller,
      log,
      onLog,
      environment,
      repairs,
      deadline,
      onProgress,
      asker,
      limits,
    );
    if (gate.full) return refuse('UNAVAILABLE', 'Too many calls at once', { retryAfter: 1 });
    let inside = !gate.busy;
    if (inside) gate.enter();
    const turn = inside ? undefined : gate.wait();
    const outcome = turn ? turn.place.then(enter) : start(fn, input, context);
    if (!(outcome instanceof Promise)) {
      gate.leave();
      return outcome;
    }
    return bounded(outcome, context, timeout, call, () => {
      if (inside) gate.leave();
      else turn?.giveUp();
    });

    function enter(): Outcome | Promise<Outcome> {
      inside = !context.ended;
      if (inside) return start(fn, input, context);
      gate.leave();
      return cancelled();
    }
  }

  /** The library's pass over the arguments, then the author's code inside the middleware. */
  function start(fn: RegisteredFunction, input: unknown, context: CallContext): Outcome | Promise<Outcome> {
    try {
      if (!fn.parse) return run(fn, input, context);
      const parsed = fn.parse(input);
      const go = (result: Parsed) =>
        result.problems ? invalidArguments(result.problems) : run(fn, result.value, context);
      return parsed instanceof Promise
        ? parsed.then(go).catch((thrown: unknown) => unexpected(thrown, fn))
        : go(parsed);
    } catch (thrown) {
      return unexpected(thrown, fn);
    }
  }

  function run(fn: RegisteredFunction, input: unknown, context: CallContext): Outcome | Promise<Outcome> {
    if (middleware.length === 0) return execute(fn, input, context);
    return through(0, fn, input, context);
  }

  /** Each middleware gets the next as a promise, and what it answers is checked, its own or not. */
  async function through(
    index: number,
    fn: RegisteredFunction,
    input: unknown,
    context: CallContext,
  ): Promise<Outcome> {
    const layer = middleware[index];
    if (!layer) return execute(fn, input, context);
    try {
      // Once the caller has its answer, nothing new is begun.
      const next = async () => (context.ended ? cancelled() : through(index + 1, fn, input, context));
      const outcome = await layer({ function: fn, input, context }, next);
      if (!isOutcome(outcome)) throw new Error('A middleware answered no outcome');
      if (!outcome.ok) return outcome;
      // Even the outcome of next() may have been changed on the way.
      const confirmed = fn.confirm(outcome.data);
      return confirmed.problems ? invalidOutput(confirmed, fn) : succeed(confirmed.value, outcome.content, fn);
    } catch (thrown) {
      return unexpected(thrown, fn);
    }
  }

  function execute(fn: RegisteredFunction, input: unknown, context: CallContext): Outcome | Promise<Outcome> {
    try {
      const value = fn.definition.run(input, context);
      if (!isThenable(value)) return release(fn, value, context);
      return Promise.resolve(value).then(
        (late) => release(fn, late, context),
        (thrown: unknown) => unexpected(thrown, fn),
      );
    } catch (thrown) {
      return unexpected(thrown, fn);
    }
  }

  function release(fn: RegisteredFunction, value: unknown, context: CallContext): Outcome | Promise<Outcome> {
    if (isFailure(value)) return failedBy(value, fn.definition.errors);
    try {
      const released = fn.release(value);
      if (!(released instanceof Promise))
        return released.problems ? invalidOutput(released, fn) : succeed(released.value, context.attached, fn);
      return released.then(
        (late) => (late.problems ? invalidOutput(late, fn) : succeed(late.value, context.attached, fn)),
        (thrown: unknown) => unexpected(thrown, fn),
      );
    } catch (thrown) {
      return unexpected(thrown, fn);
    }
  }

  /** What the author put beside the data is checked as the data was. */
  function succeed(data: unknown, content: readonly ContentBlock[] | undefined, fn: RegisteredFunction): Outcome {
    if (content === undefined) return success(data);
    const released = checkContent.confirm(content);
    return released.problems ? invalidOutput(released, fn) : success(data, released.value as readonly ContentBlock[]);
  }

  /** An author's failure goes out as it is; anything else is logged, and masked if the app says so. */
  function unexpected(thrown: unknown, fn: RegisteredFunction): Outcome {
    if (isFailure(thrown)) return failedBy(thrown, fn.definition.errors);
    return report('INTERNAL_ERROR', messageOf(thrown), fn, stackOf(thrown));
  }

  function invalidOutput({ problems }: Released & { problems: readonly Problem[] }, fn: RegisteredFunction): Outcome {
    return report('INVALID_OUTPUT', `Invalid output: ${summarize(problems)}`, fn);
  }

  function report(code: Code, message: string, fn: RegisteredFunction, stack?: string): Outcome {
    const errorId = crypto.randomUUID();
    // The author's logger is the author's code too.
    quietly(() => log.error(message, { code, operationId: fn.operationId, errorId, ...(stack && { stack }) }));
    return refuse(code, masked ? `Something went wrong (error id ${errorId})` : message);
  }
}

function invalidArguments(problems: readonly Problem[]): Outcome {
  return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${summarize(problems)}`, {
    details: { problems: problems.map(({ pointer, message }) => ({ pointer, message })) },
  });
}

const cancelled = (): Outcome => refuse('CANCELLED', 'Cancelled by the caller');

/** Whichever is first: the outcome, the end of the time, or the caller's leaving. Then `done`, once. */
function bounded(
  outcome: Promise<Outcome>,
  context: CallContext,
  timeout: number,
  { signal, onLeave }: Call,
  done: () => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    let over = false;
    const end = (ended: Outcome, reason?: string) => {
      if (over) return;
      over = true;
      clock.stop();
      context.onWait = undefined;
      signal?.removeEventListener('abort', abort);
      if (reason) context.abort(reason);
      done();
      resolve(ended);
    };
    // A wire that ends a call by itself says how.
    const leave = (how: Outcome = cancelled()) => end(how, 'The caller left');
    const abort = () => leave();
    const late = () => end(refuse('TIMEOUT', `Timed out after ${timeout} ms`), 'The time is up');
    const clock = new Stopwatch(timeout, late);
    // It may have asked already, before anyone looked at the time.
    context.onWait = () => (context.isWaiting ? clock.stop() : clock.go());
    context.onWait();
    if (signal?.aborted) return abort();
    signal?.addEventListener('abort', abort, { once: true });
    onLeave?.(leave);
    outcome.then(end, () => end(refuse('INTERNAL_ERROR', messageOf(undefined))));
  });
}

// Timers count in 31 bits; one of more fires at once.
const LONGEST = 2 ** 31 - 1;

function shortest(own: number, patience: number): number {
  const least = patience >= 0 && patience < own ? patience : own;
  return least === Infinity ? least : Math.min(least, LONGEST);
}

function stackOf(thrown: unknown): string | undefined {
  const stack = quietly(() => (thrown as { stack?: unknown }).stack);
  return typeof stack === 'string' ? stack : undefined;
}
