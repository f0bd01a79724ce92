import type { CallState } from './call-state.ts';
import { refuse } from './failure.ts';
import { FunctionGates } from './function-gates.ts';
import { Gate } from './gate.ts';
import type { Passage } from './function-gates.ts';
import type { Outcome } from './outcome.ts';
import type { PipelineOptions } from './pipeline.ts';
import type { RegisteredFunction } from './registered-function.ts';
import { becomesTask } from './task.ts';
import { cancelled, limitTime } from './time-limit.ts';

/** Runs a call whose arguments are valid. */
export type StartCall = (fn: RegisteredFunction, input: unknown, state: CallState) => Outcome | Promise<Outcome>;

export interface CallGates {
  /** Starts a call, now or when the gates admit it, and limits its time, waiting included. */
  enter(fn: RegisteredFunction, input: unknown, state: CallState, timeout: number): Outcome | Promise<Outcome>;
  /** Makes room when the task of a call exists: its caller may wait long for the end, and must not keep others from starting. */
  onTask(state: CallState): void;
}

/** The gates of an app: how many of its calls run at once, and of each function with `concurrent`. */
export function createCallGates(
  { gate, limits, lifecycle, report }: Pick<PipelineOptions, 'gate' | 'limits' | 'lifecycle' | 'report'>,
  start: StartCall,
): CallGates {
  const functionGates = new FunctionGates(limits.queued, lifecycle);
  // A call that becomes a task waits for its turn as a task: its caller gets the id also while as many run as may.
  const starting = new Gate(limits.concurrent, limits.queued);
  lifecycle.watch(starting);
  const hasLeftStarting = new WeakSet<CallState>();

  return {
    enter(fn, input, state, timeout) {
      const { call } = state.parts;
      if (fn.task !== 'never' && becomesTask(fn, call)) return enter(starting, fn, input, state, timeout);
      const { outer } = call;
      const passage = fn.definition.concurrent === undefined ? undefined : functionGates.passage(fn, outer, gate);
      if (passage) return pass(passage, fn, input, state, timeout);
      if (outer) {
        // Not through the gate: the outer call is inside, and would wait for itself if the gate is full.
        const inner = start(fn, input, state);
        return inner instanceof Promise ? limitTime(inner, state, timeout, report, () => {}) : inner;
      }
      return enter(gate, fn, input, state, timeout);
    },
    onTask: (state) => leave(starting, state),
  };

  function leave(gateOfCall: Gate, state: CallState): void {
    if (gateOfCall === starting) {
      if (hasLeftStarting.has(state)) return;
      hasLeftStarting.add(state);
    }
    gateOfCall.leave();
  }

  /** Starts a call inside a gate, now or later. */
  function enter(
    into: Gate,
    fn: RegisteredFunction,
    input: unknown,
    state: CallState,
    timeout: number,
  ): Outcome | Promise<Outcome> {
    if (into.busy) return queue(into, fn, input, state, timeout);
    into.enter();
    const outcome = start(fn, input, state);
    if (outcome instanceof Promise) return limitTime(outcome, state, timeout, report, () => leave(into, state));
    leave(into, state);
    return outcome;
  }

  /** Waits for a gate. */
  function queue(
    into: Gate,
    fn: RegisteredFunction,
    input: unknown,
    state: CallState,
    timeout: number,
  ): Outcome | Promise<Outcome> {
    if (into.full) return tooMany();
    const turn = into.wait();
    let inside = false;
    const outcome = turn.place.then(() => {
      inside = !state.ended;
      if (inside) return start(fn, input, state);
      into.leave();
      return cancelled();
    });
    const end = () => void (inside ? leave(into, state) : turn.giveUp());
    return limitTime(outcome, state, timeout, report, end, () => inside);
  }

  /** Waits for the gate of the function, and for that of the app, unless it is a nested call. */
  function pass(
    passage: Passage,
    fn: RegisteredFunction,
    input: unknown,
    state: CallState,
    timeout: number,
  ): Promise<Outcome> {
    let inside = false;
    const outcome = passage.enter().then((hasEntered) => {
      if (!hasEntered) return state.ended ?? tooMany();
      inside = true;
      return start(fn, input, state);
    });
    return limitTime(
      outcome,
      state,
      timeout,
      report,
      () => passage.leave(),
      () => inside,
    );
  }
}

export const tooMany = () => refuse('UNAVAILABLE', 'Too many calls at once', { retryAfter: 1 });
