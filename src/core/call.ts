import type { Repair } from '../schema/repair.ts';
import type { Asker } from './asking.ts';
import type { Caller, Environment, LogListener, Progress } from './context.ts';
import type { Failed } from './outcome.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** A decoded request. */
export interface Call {
  readonly name: string;
  /** What was found by that name. */
  readonly fn: RegisteredFunction | undefined;
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
