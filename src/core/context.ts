import type { Bounds } from '../schema/bounds.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Repair } from '../schema/repair.ts';
import { CallQuestions } from './asking.ts';
import type { Asker, Asking } from './asking.ts';
import { CallFiles } from './call-files.ts';
import type { FileStore, Files } from './files.ts';
import { quietly } from './safely.ts';
import type { Outcome } from './outcome.ts';

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

/** What a context is made from, of a call. */
interface ContextSource {
  readonly caller: Caller;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  readonly onLog?: LogListener | undefined;
  readonly asker?: Asker | undefined;
  readonly trace?: { readonly requestId?: string | undefined } | undefined;
}

/** One call while it runs: what its context is a view of. Most of it is made only when it is looked at. */
export class CallState {
  attached: readonly ContentBlock[] | undefined;
  /** How the call was answered before the function ended: the time was up, or the caller gone. */
  ended: Outcome | undefined;
  #context: Context | undefined;
  #requestId: string | undefined;
  #controller: AbortController | undefined;
  #questions: CallQuestions | undefined;
  #files: Files | undefined;
  #isWaiting = false;
  #onWait: ((isWaiting: boolean) => void) | undefined;
  #onEnd: ((outcome: Outcome) => void)[] | undefined;

  constructor(
    readonly operationId: string,
    readonly source: ContextSource,
    readonly appLog: Log,
    readonly environment: Environment,
    readonly repairs: readonly Repair[],
    readonly deadline: number | undefined,
    private readonly bounds: Bounds,
  ) {}

  /** One for the function and all middleware. */
  get context(): Context {
    return (this.#context ??= new Proxy(new CallContext(this), LISTED));
  }

  /** By which the call is found in logs: the caller's id for it, or one made when it is first needed. */
  get requestId(): string {
    const { trace, caller } = this.source;
    return (this.#requestId ??= trace?.requestId ?? caller.requestId ?? crypto.randomUUID());
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    return this.#controller.signal;
  }

  get files(): Files {
    return (this.#files ??= new CallFiles(this.environment.files));
  }

  get questions(): CallQuestions {
    return (this.#questions ??= new CallQuestions(this.source.asker, this.bounds, (isWaiting) => {
      this.#isWaiting = isWaiting;
      this.#onWait?.(isWaiting);
    }));
  }

  /** Calls back, now and when it changes, with whether the call waits for its caller, whose time is not the function's. */
  onWait(listener: ((isWaiting: boolean) => void) | undefined): void {
    this.#onWait = listener;
    listener?.(this.#isWaiting);
  }

  /** An outcome, or how the call was answered if that happens first. */
  untilEnded(outcome: Promise<Outcome>): Promise<Outcome> {
    return new Promise((resolve, reject) => {
      (this.#onEnd ??= []).push(resolve);
      outcome.then(resolve, reject);
    });
  }

  end(outcome: Outcome, reason: string): void {
    this.ended = outcome;
    for (const tellEnd of this.#onEnd ?? []) tellEnd(outcome);
    this.#controller ??= new AbortController();
    this.#controller.abort(new DOMException(reason, 'AbortError'));
  }
}

/** The author's view of a call. No member needs `this`, so that each works taken out: `run: (input, { progress }) => …`. */
class CallContext implements Context {
  readonly #state: CallState;

  constructor(state: CallState) {
    this.#state = state;
  }

  get operationId(): string {
    return this.#state.operationId;
  }

  get caller(): Caller {
    return this.#state.source.caller;
  }

  get repairs(): readonly Repair[] {
    return this.#state.repairs;
  }

  get deadline(): number | undefined {
    return this.#state.deadline;
  }

  get signal(): AbortSignal {
    return this.#state.signal;
  }

  get log(): Log {
    return new CallLog(this.#state);
  }

  get env(): Variables {
    return this.#state.environment.env;
  }

  get files(): Files {
    return this.#state.files;
  }

  get ask(): Asking['ask'] {
    const state = this.#state;
    return (schema, message, options) => state.questions.ask(schema, message, options);
  }

  get request(): Asking['request'] {
    const state = this.#state;
    return (method, params, options) => state.questions.request(method, params, options);
  }

  get canAsk(): Asking['canAsk'] {
    const state = this.#state;
    return (method) => state.questions.canAsk(method);
  }

  get attach(): Context['attach'] {
    const state = this.#state;
    return (...blocks) => {
      state.attached = [...(state.attached ?? []), ...blocks];
    };
  }

  get progress(): Context['progress'] {
    const { onProgress } = this.#state.source;
    return (done, total, message) => {
      if (onProgress) tell(onProgress, done, total, message);
    };
  }
}

/**
 * Lists the getters of a context as members of its own, so that a copy has them: `{ ...context, user }`. Members that
 * are made for each call would take as long as a small function takes to run.
 */
const LISTED: ProxyHandler<CallContext> = {
  get: (context, name) => context[name as keyof CallContext],
  ownKeys: (context) => [...MEMBERS, ...Reflect.ownKeys(context)],
  getOwnPropertyDescriptor: (context, name) =>
    MEMBERS.has(name)
      ? { value: context[name as keyof CallContext], enumerable: true, configurable: true }
      : Reflect.getOwnPropertyDescriptor(context, name),
};

const MEMBERS = new Set(Reflect.ownKeys(CallContext.prototype).filter((name) => name !== 'constructor'));

/** Progress is only shown: what is no number is not worth failing for. */
function tell(listener: (progress: Progress) => void, done: number, total: unknown, message: unknown): void {
  if (!Number.isFinite(done)) return;
  quietly(() =>
    listener({
      done,
      ...(Number.isFinite(total) && { total: total as number }),
      ...(typeof message === 'string' && { message: message.toWellFormed() }),
    }),
  );
}

/** The app's log for one call: every record says to which it belongs. */
class CallLog implements Log {
  readonly #state: CallState;

  constructor(state: CallState) {
    this.#state = state;
  }

  get debug(): Log['debug'] {
    return (message, fields) => this.#write('debug', message, fields);
  }

  get info(): Log['info'] {
    return (message, fields) => this.#write('info', message, fields);
  }

  get warn(): Log['warn'] {
    return (message, fields) => this.#write('warn', message, fields);
  }

  get error(): Log['error'] {
    return (message, fields) => this.#write('error', message, fields);
  }

  #write(level: keyof Log, message: string, fields: LogFields | undefined): void {
    const { operationId, requestId, appLog, source } = this.#state;
    appLog[level](message, { operationId, requestId, ...fields });
    quietly(() => source.onLog?.(level, message, fields));
  }
}
