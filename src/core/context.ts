import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Repair } from '../schema/repair.ts';
import type { Asking } from './asking.ts';
import type { FileStore, Files } from './files.ts';

/** The second parameter of every function. */
export interface Context extends Asking {
  readonly operationId: string;
  /** Aborted when the client disconnects or the call times out. */
  readonly signal: AbortSignal;
  /** When the call times out, in milliseconds since 1970; undefined without a time limit. */
  readonly deadline: number | undefined;
  readonly caller: Caller;
  readonly log: Log;
  readonly env: Variables;
  /** Only the files mounted with `--mount`. */
  readonly files: Files;
  /** The repairs made to the caller's arguments. */
  readonly repairs: readonly Repair[];
  /** Adds images, audio, links or text to the result. Profiles without a place for them omit them. */
  attach(...blocks: readonly ContentBlock[]): void;
  /** Reports progress to the caller, on wires that support it. */
  progress(done: number, total?: number, message?: string): void;
}

/** Where a call comes from. */
export interface Caller {
  /** The wire the call came on: `http`, `cli`, …, or `process` for `app.call`. */
  readonly wire: string;
  /** The caller's id for the request, if it sent one. */
  readonly requestId?: string;
  /** W3C trace context, if the caller sent it: `traceparent`, `tracestate`, `baggage`. */
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

/** The variables passed with `--env`, never those of the host. */
export interface Variables {
  get(name: string): string | undefined;
  /** Returns a copy. */
  list(): Record<string, string>;
}

/** Everything of the host that a function can access through its context. */
export interface Environment {
  readonly env: Variables;
  readonly files: FileStore;
}

export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}
