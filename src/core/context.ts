import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Repair } from '../schema/repair.ts';
import type { Asking } from './asking.ts';
import type { FileStore, Files } from './files.ts';
import type { CallFunction } from './nested-calls.ts';
import type { Principal } from './principal.ts';
import type { TaskInfo } from './task.ts';

/** The second parameter of every function. `defineWith` types `deps` and `values`. */
export interface Context<Deps extends object = {}, Values extends object = {}> extends Asking {
  readonly operationId: string;
  /** What the app's `start` returned. */
  readonly deps: Deps;
  /** What middleware passed to `next`. */
  readonly values: Readonly<Values>;
  /** Aborted when the client disconnects or the call times out. */
  readonly signal: AbortSignal;
  /** When the call times out, in milliseconds since 1970; undefined without a time limit. */
  readonly deadline: number | undefined;
  readonly caller: Caller;
  /** Who calls. */
  readonly principal: Principal;
  /** If the call runs as a task. */
  readonly task: TaskInfo | undefined;
  readonly log: Log;
  readonly env: Variables;
  /** Only the files mounted with `--mount`. */
  readonly files: Files;
  /** The repairs made to the caller's arguments. */
  readonly repairs: readonly Repair[];
  /** Adds images, audio, links or text to the result. Profiles without a place for them omit them. */
  readonly attach: (...blocks: readonly ContentBlock[]) => void;
  /** Sets a header of the response, one of `http.headers`; sent with a success over HTTP and CGI, and dropped elsewhere. */
  readonly setHeader: (name: string, value: string | number) => void;
  /** The request as it was sent, for functions with `http.rawBody`; undefined on wires other than HTTP and CGI. */
  readonly raw: RawRequest | undefined;
  /** Reports progress to the caller, on wires that support it. */
  readonly progress: (done: number, total?: number, message?: string) => void;
  /**
   * Calls another function of the app, for the same caller: `await context.call(getPrice, { sku })`. Returns its data, or
   * throws its Failure. Ends when this call ends.
   */
  readonly call: CallFunction;
}

/** A request as it was sent, for checking a signature. */
export interface RawRequest {
  readonly body: Uint8Array;
  /** By lower-case name; several of one name are joined with `, `. */
  readonly headers: Readonly<Record<string, string>>;
}

/** What a function expects of the app that serves it: the types of `context.deps` and `context.values`. */
export interface Needs {
  readonly deps: object;
  readonly values: object;
}

export interface NoNeeds extends Needs {
  readonly deps: {};
  readonly values: {};
}

/** Where a call comes from. */
export interface Caller {
  /** The wire the call came on: `http`, `cli`, …, or `process` for `app.call`. */
  readonly wire: string;
  /** Whether the caller started this process, or is in it. */
  readonly isLocal?: boolean;
  /** The address that the request came from, if the wire knows it. */
  readonly address?: string | undefined;
  /** How the client connected, if the wire knows it. */
  readonly scheme?: 'http' | 'https' | undefined;
  /** The request headers that the app asked for with `access.headers`. */
  readonly headers?: Readonly<Record<string, string>>;
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

/** What an app's `start` gets. */
export interface StartContext {
  readonly env: Variables;
  readonly files: Files;
  readonly log: Log;
}

export interface Progress {
  readonly done: number;
  readonly total?: number;
  readonly message?: string;
}
