import type { Repair } from '../schema/repair.ts';
import type { Parsed } from '../schema/schema.ts';
import { toJson } from '../schema/to-json.ts';
import type { Access } from './access.ts';
import type { CallEvent } from './call-event.ts';
import { createCallGates } from './call-gates.ts';
import type { Call } from './call.ts';
import { CallState } from './call-state.ts';
import type { Environment, Log } from './context.ts';
import { createExecution } from './execution.ts';
import { isFailure, refuse } from './failure.ts';
import { refuseFiles } from './file-sizes.ts';
import type { Gate } from './gate.ts';
import { invalidArguments } from './invalid-arguments.ts';
import { stopping } from './lifecycle.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Limits } from './limits.ts';
import { createMiddlewareChain } from './middleware.ts';
import type { Middleware } from './middleware.ts';
import type { CallNested } from './nested-calls.ts';
import { functionNotFound } from './not-found.ts';
import type { Observers } from './observers.ts';
import type { Failed, Outcome } from './outcome.ts';
import type { Principal } from './principal.ts';
import type { RateLimits } from './rate.ts';
import type { RegisteredFunction } from './registered-function.ts';
import type { Report } from './report.ts';
import { safely } from './safely.ts';
import { becomesTask } from './task.ts';
import type { TaskStarter } from './task.ts';
import { cancelled, shorterTimeout } from './time-limit.ts';
import type { AppVariables } from './variables.ts';

export interface PipelineOptions {
  readonly limits: Limits;
  readonly middleware: readonly Middleware[];
  /** Must not throw. */
  readonly log: Log;
  readonly report: Report;
  readonly events: Observers<CallEvent>;
  /** For calls without one of their own. */
  readonly environment: Environment;
  readonly lifecycle: Lifecycle;
  readonly callNested: CallNested;
  readonly variables: AppVariables;
  /** Who may call what; undefined if everybody may call everything. */
  readonly access?: Access | undefined;
  /** How often; undefined if nothing is counted. */
  readonly rates?: RateLimits | undefined;
  readonly tasks: TaskStarter;
  /** How many calls run at once. Pipelines may share it. */
  readonly gate: Gate;
}

/** Returns exactly one outcome, synchronously if the function is synchronous, and never throws. */
export type Pipeline = (call: Call) => Outcome | Promise<Outcome>;

/**
 * THE pipeline: repair, validate, run, validate the output. Nothing else runs user code, and no user code runs before
 * the arguments are valid.
 */
export function createPipeline(options: PipelineOptions): Pipeline {
  const { limits, report, events, lifecycle, access, rates } = options;
  const { execute, confirm, threw, unexpected } = createExecution(options);
  const run = createMiddlewareChain(options.middleware, { execute, confirm, unexpected, report });
  const gates = createCallGates(options, start);

  return function call(request) {
    try {
      const { fn } = request;
      if (!fn) return access ? refuseUnknown(request, access) : functionNotFound(request.name);
      const { principal } = request;
      if (!access) return rates ? count(request, fn, principal, rates) : check(request, fn, principal);
      const admitted = access.admit(request, fn);
      if (!(admitted instanceof Promise)) return enter(request, fn, admitted);
      return admitted.then((late) => enter(request, fn, late)).catch((thrown: unknown) => fault(thrown, request));
    } catch (thrown) {
      return fault(thrown, request);
    }
  };

  /** Only for callers that are recognised: otherwise hidden names could be told from unknown ones. */
  function refuseUnknown(request: Call, rules: Access): Failed | Promise<Failed> {
    const refused = rules.refuseUnknown(request);
    return refused instanceof Promise ? refused.catch((thrown: unknown) => fault(thrown, request)) : refused;
  }

  /** An error in our own code: the call must be answered all the same. */
  function fault(thrown: unknown, { name, caller }: Call, part?: string): Failed {
    return report.thrown(thrown, { operationId: name, requestId: caller.requestId, ...(part && { part }) });
  }

  function enter(request: Call, fn: RegisteredFunction, admitted: Principal | Failed): Outcome | Promise<Outcome> {
    if ('ok' in admitted) return admitted;
    return rates ? count(request, fn, admitted, rates) : check(request, fn, admitted);
  }

  /** Before the arguments are looked at: also calls with invalid ones are work. */
  function count(
    request: Call,
    fn: RegisteredFunction,
    principal: Principal | undefined,
    limited: RateLimits,
  ): Outcome | Promise<Outcome> {
    // A task was counted when it was started, an upload before it was received, and asking for news of one is no call.
    if (request.isCounted || request.task || fn.kind === 'task') return check(request, fn, principal);
    const failed = (thrown: unknown) => fault(thrown, request, 'rate');
    try {
      const refused = limited.take(request, fn, principal);
      if (refused instanceof Promise)
        return refused.then((late) => late ?? check(request, fn, principal)).catch(failed);
      return refused ?? check(request, fn, principal);
    } catch (thrown) {
      return failed(thrown);
    }
  }

  /** Checks the arguments, and begins. */
  function check(request: Call, fn: RegisteredFunction, principal: Principal | undefined): Outcome | Promise<Outcome> {
    try {
      if (request.refused) return request.refused;
      if (request.deferral?.caller === 'refuses' && fn.task === 'always') return taskRequired(fn);
      if (lifecycle.isStopping && !request.outer) return stopping();
      const admitted = admit(fn, request.input);
      if (request.trace && !admitted.problems) request.trace.repairs = admitted.repairs;
      if (admitted.problems) return invalidArguments(admitted.problems);
      const tooLarge = fn.takesFiles ? refuseFiles(admitted.value, limits.file) : undefined;
      if (tooLarge) return tooLarge;
      if (request.signal && isAborted(request.signal)) return cancelled();
      return begin(request, fn, principal, admitted.value, admitted.repairs);
    } catch (thrown) {
      return fault(thrown, request);
    }
  }

  /** In process, the input may be a Proxy that throws. That is the caller's mistake; any other error is ours. */
  function admit(fn: RegisteredFunction, input: unknown): ReturnType<RegisteredFunction['admit']> {
    try {
      return fn.admit(input);
    } catch (thrown) {
      const { problem } = toJson(input, limits.depth);
      if (problem) return { problems: [problem] };
      throw thrown;
    }
  }

  /** Starts the call, as soon as there is room for it. */
  function begin(
    call: Call,
    fn: RegisteredFunction,
    principal: Principal | undefined,
    input: unknown,
    repairs: readonly Repair[],
  ): Outcome | Promise<Outcome> {
    const { environment = options.environment, timeout: callersTimeout = Infinity, outer } = call;
    const timeout = shorterTimeout(ownTimeout(fn, call), callersTimeout);
    const ownDeadline = timeout === Infinity ? undefined : Date.now() + timeout;
    const deadline = outer ? earlier(ownDeadline, outer.parts.deadline) : ownDeadline;
    const state = new CallState({
      operationId: fn.operationId,
      call,
      principal,
      environment,
      repairs,
      deadline,
      app: options,
    });
    return gates.enter(fn, input, state, timeout);
  }

  /** Parses the arguments with the schema library, then runs the function inside the middleware. */
  function start(fn: RegisteredFunction, input: unknown, state: CallState): Outcome | Promise<Outcome> {
    if (!lifecycle.isReady) return startApp(fn, input, state);
    if (events.isObserved) {
      const { wire } = state.parts.call.caller;
      events.emit({ step: 'called', wire, subject: fn.operationId });
    }
    try {
      if (!fn.parse) return approve(fn, input, state);
      const parsed = fn.parse(input);
      const go = (result: Parsed) =>
        result.problems ? invalidArguments(result.problems) : approve(fn, result.value, state);
      return parsed instanceof Promise
        ? parsed.then(go).catch((thrown: unknown) => unexpected(thrown, fn, state))
        : go(parsed);
    } catch (thrown) {
      return unexpected(thrown, fn, state);
    }
  }

  /** The scopes that depend on the arguments, and the policy. */
  function approve(fn: RegisteredFunction, input: unknown, state: CallState): Outcome | Promise<Outcome> {
    if (!access?.dependsOnInput(fn)) return proceed(fn, input, state);
    return access.approve(fn, input, state).then(
      (refused) => refused ?? state.ended ?? proceed(fn, input, state),
      (thrown: unknown) => unexpected(thrown, fn, state),
    );
  }

  /** Everything is checked: runs the function, or lets the call become a task. */
  function proceed(fn: RegisteredFunction, input: unknown, state: CallState): Outcome | Promise<Outcome> {
    const { call } = state.parts;
    if (becomesTask(fn, call)) return defer(fn, input, state);
    if (call.onStart) safely(call.onStart);
    return run(fn, input, state);
  }

  async function defer(fn: RegisteredFunction, input: unknown, state: CallState): Promise<Outcome> {
    try {
      const { beforeTask } = fn.definition;
      // Who cannot be asked now can be asked later, by the task.
      const returned: unknown =
        beforeTask && state.questions.canAsk() ? await beforeTask(input, state.context) : undefined;
      if (isFailure(returned)) return threw(returned, fn, state);
      const { call, principal } = state.parts;
      return state.ended ?? (await options.tasks.start(fn, call, principal, () => gates.onTask(state)));
    } catch (thrown) {
      return threw(thrown, fn, state);
    }
  }

  /** The first call. The time limit includes the author's `start`. */
  async function startApp(fn: RegisteredFunction, input: unknown, state: CallState): Promise<Outcome> {
    const failed = await lifecycle.ready(state.parts.environment);
    return failed ?? state.ended ?? start(fn, input, state);
  }
}

const taskRequired = ({ name }: RegisteredFunction) =>
  refuse('TASK_REQUIRED', `${name} always runs as a task, which this client does not support`);

/** A function that always runs as a task may take long, also if somebody waits for it. */
function ownTimeout(fn: RegisteredFunction, { task, deferral }: Call): number {
  const isLong = task !== undefined || (fn.task === 'always' && !deferral);
  return (isLong ? (fn.definition.taskTimeout ?? 0) : fn.timeout) || Infinity;
}

const earlier = (a = Infinity, b = Infinity) => (a === Infinity && b === Infinity ? undefined : Math.min(a, b));

/** In process, the signal may be anything. */
function isAborted(signal: AbortSignal): boolean {
  if (typeof signal.addEventListener !== 'function') throw new TypeError('signal must be an AbortSignal');
  return signal.aborted;
}
