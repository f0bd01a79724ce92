import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Repair } from '../schema/repair.ts';
import type { Asking } from './asking.ts';
import type { FileStore, Files } from './files.ts';

/** What a function receives beside its arguments. */
export interface Context extends Asking {
  readonly operationId: string;
  /** Fires when the caller leaves or the time is up. */
  readonly signal: AbortSignal;
  /** When the time is up, in milliseconds since 1970; undefined when there is no limit. */
  readonly deadline: number | undefined;
  readonly caller: Caller;
  readonly log: Log;
  readonly env: Variables;
  /** The files that were mounted with `--mount`, and no others. */
  readonly files: Files;
  /** What was repaired in the caller's arguments. */
  readonly repairs: readonly Repair[];
  /** Puts a picture, a sound, a link or some prose beside the data, for profiles that have a place for it. */
  attach(...blocks: readonly ContentBlock[]): void;
  /** Tells the caller how far the work is, on wires that can. */
  progress(done: number, total?: number, message?: string): void;
}

/** Who calls. */
export interface Caller {
  /** The wire the call came on: `http`, `cli`, …, or `process` for `app.call`. */
  readonly wire: string;
  /** The caller's own name for the request, where it gave one. */
  readonly requestId?: string;
  /** W3C trace context, where the caller sent it: `traceparent`, `tracestate`, `baggage`. */
  readonly trace?: Readonly<Record<string, string>>;
}

export interface Log {
  debug(message: string, fields?: LogFields): void;
  info(message: string, fields?: LogFields): void;
  warn(message: string, fields?: LogFields): void;
  error(message: string, fields?: LogFields): void;
}

export type LogFields = Readonly<Record<string, unknown>>;

export type LogListener = (level: keyof Log, message: string, fields: object | undefined) => void;

/** The variables of the virtual environment: those given with `--env`, never the host's own. */
export interface Variables {
  get(name: string): string | undefined;
  /** A copy of all of them. */
  list(): Record<string, string>;
}

/** All that a function can reach of the host through its context. */
export interface Environment {
  readonly env: Variables;
  readonly files: FileStore;
}

export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}
