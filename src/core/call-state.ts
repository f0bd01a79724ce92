import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Repair } from '../schema/repair.ts';
import { CallQuestions } from './asking.ts';
import { createContext } from './call-context.ts';
import { CallFiles } from './call-files.ts';
import type { Call } from './call.ts';
import type { Context, Environment, Log } from './context.ts';
import type { Files } from './files.ts';
import type { Lifecycle } from './lifecycle.ts';
import type { Limits } from './limits.ts';
import type { CallNested } from './nested-calls.ts';
import type { Outcome } from './outcome.ts';
import type { Principal } from './principal.ts';
import type { AppVariables } from './variables.ts';

/** What all calls of an app share. */
interface AppParts {
  /** Must not throw. */
  readonly log: Log;
  readonly limits: Limits;
  readonly lifecycle: Lifecycle;
  readonly callNested: CallNested;
  readonly variables: AppVariables;
}

/** What a running call was started with. */
interface CallParts {
  readonly operationId: string;
  readonly call: Call;
  /** Who calls, if that is known: given with the call, or recognised. */
  readonly principal: Principal | undefined;
  readonly environment: Environment;
  readonly repairs: readonly Repair[];
  /** In milliseconds since 1970; undefined for a call without a time limit. */
  readonly deadline: number | undefined;
  readonly app: AppParts;
}

/** The calls that a call makes and waits for. Not a member: few calls have any, and each member costs every call. */
const innerCalls = new WeakMap<CallState, Set<CallState>>();

/** A call while it runs. Its context is a view of this. Most members are created on first access. */
export class CallState {
  readonly operationId: string;
  attached: readonly ContentBlock[] | undefined;
  /** The outcome that was sent before the function ended: the call timed out, or the client disconnected. */
  ended: Outcome | undefined;
  #context: Context | undefined;
  #requestId: string | undefined;
  #controller: AbortController | undefined;
  #questions: CallQuestions | undefined;
  #files: Files | undefined;
  #isWaiting = false;
  #onWait: ((isWaiting: boolean) => void) | undefined;
  #onEnd: ((outcome: Outcome) => void)[] | undefined;
  /** Null once the call has its answer. */
  #onStop: (() => void)[] | null | undefined;

  constructor(readonly parts: CallParts) {
    this.operationId = parts.operationId;
  }

  /** How many calls this one is nested in. */
  get depth(): number {
    const { outer } = this.parts.call;
    return outer ? outer.depth + 1 : 0;
  }

  /** Shared by the function and all middleware, unless middleware adds values. */
  get context(): Context {
    return (this.#context ??= createContext(this));
  }

  /** Identifies the call in logs: the caller's id, or a new one on first access. */
  get requestId(): string {
    const { trace, caller } = this.parts.call;
    return (this.#requestId ??= trace?.requestId ?? caller.requestId ?? crypto.randomUUID());
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  get files(): Files {
    return (this.#files ??= new CallFiles(this.parts.environment.files));
  }

  get questions(): CallQuestions {
    const { call, app } = this.parts;
    // Questions are numbered, and a call that is repeated with the answers must find them under the same number.
    if (call.outer) return call.outer.questions;
    return (this.#questions ??= new CallQuestions(call.asker, app.limits, (isWaiting) => this.#wait(isWaiting)));
  }

  /** Reports, now and on every change, whether the call waits for input. That time does not count against its limit. */
  onWait(listener: ((isWaiting: boolean) => void) | undefined): void {
    const { outer } = this.parts.call;
    if (outer) {
      const inner = innerCalls.get(outer) ?? new Set();
      innerCalls.set(outer, inner);
      inner[listener ? 'add' : 'delete'](this);
      this.#isWaiting = outer.#isWaiting;
    }
    this.#onWait = listener;
    listener?.(this.#isWaiting);
  }

  #wait(isWaiting: boolean): void {
    this.#isWaiting = isWaiting;
    this.#onWait?.(isWaiting);
    for (const inner of innerCalls.get(this) ?? []) inner.#wait(isWaiting);
  }

  /** Resolves with the given outcome, or with `ended` if that comes first. */
  untilEnded(outcome: Promise<Outcome>): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      (this.#onEnd ??= []).push(resolve);
      outcome.then(resolve, reject);
    });
  }

  /** Calls back when the call has its answer. False if it has one already. */
  onStop(listener: () => void): boolean {
    if (this.#onStop === null) return false;
    (this.#onStop ??= []).push(listener);
    return true;
  }

  /** The call has its answer: generators that still run are closed. */
  stop(): void {
    const listeners = this.#onStop;
    this.#onStop = null;
    for (const listener of listeners ?? []) listener();
  }

  end(outcome: Outcome, reason: string): void {
    this.ended = outcome;
    for (const resolve of this.#onEnd ?? []) resolve(outcome);
    this.#controller ??= new AbortController();
    this.#controller.abort(new DOMException(reason, 'AbortError'));
  }
}
