import type { Repair } from '../schema/repair.ts';
import type { Asker } from './asking.ts';
import type { CallState } from './call-state.ts';
import type { Credentials } from './credentials.ts';
import type { Caller, Environment, LogListener, Progress, RawRequest } from './context.ts';
import type { Failed } from './outcome.ts';
import type { Principal } from './principal.ts';
import type { RegisteredFunction } from './registered-function.ts';
import type { Deferral, TaskInfo } from './task.ts';

/** A decoded request. */
export interface Call {
  readonly name: string;
  /** The function with that name, if there is one. */
  readonly fn: RegisteredFunction | undefined;
  /** Undefined if the caller sent no arguments. */
  readonly input?: unknown;
  readonly caller: Caller;
  /** What the caller presents to be recognised. */
  readonly credentials?: Credentials | undefined;
  /** Who calls, if that is known: from the code that calls in this process, or from an outer server. */
  readonly principal?: Principal | undefined;
  /** Aborted when the client disconnects. */
  readonly signal?: AbortSignal | undefined;
  /** The same as a listener, for wires without a signal: an AbortController costs more than most calls do. */
  readonly onDisconnect?: ((listener: (outcome?: Failed) => void) => void) | undefined;
  /** The caller's time limit in milliseconds, if shorter than the function's own. */
  readonly timeout?: number | undefined;
  /** Variables and files, if the call has any. */
  readonly environment?: Environment | undefined;
  /** Called when everything is checked and the function is about to run. */
  readonly onStart?: (() => void) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Receives the headers that the function sets; undefined if the wire has none. */
  readonly onHeader?: ((name: string, value: string) => void) | undefined;
  /** The request as it was sent, for functions that want it. */
  readonly raw?: RawRequest | undefined;
  /** Receives what a generator yields. The generator is resumed when the returned promise settles. */
  readonly onChunk?: ((chunk: unknown) => void | Promise<void>) | undefined;
  /** Called if the call ended before its generator did. The promise settles when its `finally` is done. Never rejects. */
  readonly onClosing?: ((closed: Promise<void>) => void) | undefined;
  /** Receives the function's log messages in addition to the app's log. */
  readonly onLog?: LogListener | undefined;
  /** Sends questions to the caller while the function runs; undefined if the wire cannot. */
  readonly asker?: Asker | undefined;
  /** Set if the wire could not read the arguments: the outcome of the call. */
  readonly refused?: Failed | undefined;
  /** Whether its rate limits have counted it already. */
  readonly isCounted?: boolean | undefined;
  /**
   * Whether the wire sends a returned file as it is; `memory`: as a `File` that can be read more than once. Otherwise the
   * file is read, and the data is its JSON form.
   */
  readonly takesFile?: boolean | 'memory' | undefined;
  /** Whether the caller takes a task instead of an answer; undefined: it waits, however long that takes. */
  readonly deferral?: Deferral | undefined;
  /** The task that this call is a run of. */
  readonly task?: TaskInfo | undefined;
  /** The call that makes this one with `context.call`. */
  readonly outer?: CallState | undefined;
  /** Filled in while the call runs, for audit records. */
  readonly trace?: CallTrace | undefined;
}

/** What an audit record needs to know about a running call. */
export interface CallTrace {
  /** Identifies the call in audit records and logs. */
  readonly requestId?: string;
  repairs: readonly Repair[];
  /** Who calls, once that is known; also of a call that is refused. */
  principal?: Principal;
  /** The trace context of the call itself, for what it causes elsewhere. */
  readonly context?: (() => Readonly<Record<string, string>>) | undefined;
}
