import type { Bounds } from '../schema/bounds.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Repair } from '../schema/repair.ts';
import type { Given, Schema } from '../schema/schema.ts';
import { CallQuestions } from './asking.ts';
import type { AskOptions, Asker, Asking } from './asking.ts';
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

type LogFields = Readonly<Record<string, unknown>>;

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

/** One call's context. Most of it is made only for those who look at it. */
export class CallContext implements Context {
  #controller: AbortController | undefined;
  #asking: CallQuestions | undefined;
  #files: Files | undefined;
  #log: Log | undefined;
  /** Whether the call waits for its caller, whose time is not the function's. */
  isWaiting = false;
  /** Told when that changes. */
  onWait: (() => void) | undefined;
  /** Whether the time was up, or the caller gone, before the function answered. */
  ended = false;
  attached: readonly ContentBlock[] | undefined;

  constructor(
    readonly operationId: string,
    readonly caller: Caller,
    private readonly ownLog: Log,
    private readonly onLog: LogListener | undefined,
    private readonly environment: Environment,
    readonly repairs: readonly Repair[],
    readonly deadline: number | undefined,
    private readonly onProgress: ((progress: Progress) => void) | undefined,
    private readonly asker: Asker | undefined,
    private readonly bounds: Bounds,
  ) {}

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  get log(): Log {
    return (this.#log ??= this.onLog ? withListener(this.ownLog, this.onLog) : this.ownLog);
  }

  get env(): Variables {
    return this.environment.env;
  }

  get files(): Files {
    return (this.#files ??= this.environment.files.open());
  }

  get #questions(): CallQuestions {
    return (this.#asking ??= new CallQuestions(this.asker, this.bounds, (isWaiting) => {
      this.isWaiting = isWaiting;
      this.onWait?.();
    }));
  }

  ask<const S extends Schema>(schema: S, message: string, options?: AskOptions): Promise<Given<S>> {
    return this.#questions.ask(schema, message, options);
  }

  request(method: string, params?: Readonly<Record<string, unknown>>, options?: AskOptions): Promise<unknown> {
    return this.#questions.request(method, params, options);
  }

  canAsk(method?: string): boolean {
    return this.#questions.canAsk(method);
  }

  attach(...blocks: readonly ContentBlock[]): void {
    this.attached = [...(this.attached ?? []), ...blocks];
  }

  progress(done: number, total?: number, message?: string): void {
    this.onProgress?.({ done, ...(total !== undefined && { total }), ...(message !== undefined && { message }) });
  }

  abort(reason: string): void {
    this.ended = true;
    this.#controller ??= new AbortController();
    this.#controller.abort(new DOMException(reason, 'AbortError'));
  }
}

/** A log that tells somebody else, too. */
function withListener(log: Log, listener: LogListener): Log {
  const both = (level: keyof Log) => (message: string, fields?: LogFields) => {
    log[level](message, fields);
    listener(level, message, fields);
  };
  return { debug: both('debug'), info: both('info'), warn: both('warn'), error: both('error') };
}

/** One line of JSON a record, on stderr: stdout belongs to the wires. */
export const consoleLog: Log = {
  debug: (message, fields) => write('debug', message, fields),
  info: (message, fields) => write('info', message, fields),
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
};

function write(level: string, message: string, fields: LogFields = {}): void {
  const record = { level, time: new Date().toISOString(), message, ...fields };
  try {
    console.error(
      JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    );
  } catch {
    // A circle among the fields must not fail the call that logs it.
    console.error(JSON.stringify({ level, time: record.time, message }));
  }
}
