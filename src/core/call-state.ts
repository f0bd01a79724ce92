import type { Bounds } from '../schema/bounds.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Repair } from '../schema/repair.ts';
import { CallQuestions } from './asking.ts';
import { createContext } from './call-context.ts';
import { CallFiles } from './call-files.ts';
import type { Call } from './call.ts';
import type { Context, Environment, Log } from './context.ts';
import type { Files } from './files.ts';
import type { Outcome } from './outcome.ts';

/** What a running call was started with. */
interface CallParts {
  readonly operationId: string;
  readonly call: Call;
  readonly environment: Environment;
  readonly repairs: readonly Repair[];
  /** In milliseconds since 1970; undefined for a call without a time limit. */
  readonly deadline: number | undefined;
  /** The app's log. */
  readonly log: Log;
  readonly bounds: Bounds;
}

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

  /** Shared by the function and all middleware. */
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
    const { call, bounds } = this.parts;
    return (this.#questions ??= new CallQuestions(call.asker, bounds, (isWaiting) => {
      this.#isWaiting = isWaiting;
      this.#onWait?.(isWaiting);
    }));
  }

  /** Reports, now and on every change, whether the call waits for input. That time does not count against its limit. */
  onWait(listener: ((isWaiting: boolean) => void) | undefined): void {
    this.#onWait = listener;
    listener?.(this.#isWaiting);
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
