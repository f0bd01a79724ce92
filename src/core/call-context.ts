import type { Repair } from '../schema/repair.ts';
import type { Asking } from './asking.ts';
import { CallLog } from './call-log.ts';
import type { CallState } from './call-state.ts';
import type { Caller, Context, Log, Progress, Variables } from './context.ts';
import { toHeader } from './definition-http.ts';
import type { Files } from './files.ts';
import type { CallFunction, CallNested } from './nested-calls.ts';
import { ANONYMOUS } from './principal.ts';
import type { Principal } from './principal.ts';
import { safely } from './safely.ts';
import type { TaskInfo } from './task.ts';

/** The context of a running call, with the values of the middleware around. Spreading works too: `{ ...context, user }`. */
export function createContext(state: CallState, values?: object): Context {
  return new Proxy(values ? new ContextWithValues(state, values) : new CallContext(state), OWN_MEMBERS);
}

const NO_VALUES = Object.freeze({});

/** No member needs `this`, so that destructuring works: `run: (input, { progress }) => …`. */
class CallContext implements Context {
  readonly #state: CallState;

  constructor(state: CallState) {
    this.#state = state;
  }

  get operationId(): string {
    return this.#state.operationId;
  }

  get deps(): object {
    return this.#state.parts.app.lifecycle.deps;
  }

  get values(): object {
    return NO_VALUES;
  }

  get caller(): Caller {
    return this.#state.parts.call.caller;
  }

  get principal(): Principal {
    return this.#state.parts.principal ?? ANONYMOUS;
  }

  get task(): TaskInfo | undefined {
    return this.#state.parts.call.task;
  }

  get repairs(): readonly Repair[] {
    return this.#state.parts.repairs;
  }

  get deadline(): number | undefined {
    return this.#state.parts.deadline;
  }

  get signal(): AbortSignal {
    return this.#state.signal;
  }

  get log(): Log {
    return new CallLog(this.#state);
  }

  get env(): Variables {
    const { app, environment } = this.#state.parts;
    return app.variables.of(environment);
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

  get setHeader(): Context['setHeader'] {
    const { fn, onHeader } = this.#state.parts.call;
    return (name, value) => {
      const header = toHeader(fn?.http.headers, name, value);
      if (onHeader) safely(() => onHeader(...header));
    };
  }

  get raw(): Context['raw'] {
    return this.#state.parts.call.raw;
  }

  get progress(): Context['progress'] {
    const { onProgress } = this.#state.parts.call;
    return (done, total, message) => {
      if (onProgress) report(onProgress, done, total, message);
    };
  }

  get call(): CallFunction {
    const state = this.#state;
    // Not async: its errors then show the line that called it.
    return (target: Parameters<CallNested>[1], input?: unknown): Promise<any> =>
      state.parts.app.callNested(state, target, input);
  }
}

/** Of its own: without middleware that adds some, calls do not pay for them. */
class ContextWithValues extends CallContext {
  readonly #values: object;

  constructor(state: CallState, values: object) {
    super(state);
    this.#values = values;
  }

  override get values(): object {
    return this.#values;
  }
}

/**
 * Lists the getters as own properties, because spreading copies only those. Creating seventeen real properties per call
 * takes as long as a small function runs (0.35 µs, npm run bench).
 */
const OWN_MEMBERS: ProxyHandler<CallContext> = {
  get: (context, name) => context[name as keyof CallContext],
  ownKeys: (context) => [...MEMBERS, ...Reflect.ownKeys(context)],
  getOwnPropertyDescriptor: (context, name) =>
    MEMBERS.has(name)
      ? { value: context[name as keyof CallContext], enumerable: true, configurable: true }
      : Reflect.getOwnPropertyDescriptor(context, name),
};

const MEMBERS = new Set(Reflect.ownKeys(CallContext.prototype).filter((name) => name !== 'constructor'));

/** Characters of a progress message: tasks keep the last one. */
const MAX_MESSAGE = 1000;

/** Progress is informational: invalid numbers are dropped, not reported. */
function report(listener: (progress: Progress) => void, done: number, total: unknown, message: unknown): void {
  if (!Number.isFinite(done)) return;
  safely(() =>
    listener({
      done,
      ...(Number.isFinite(total) && { total: total as number }),
      ...(typeof message === 'string' && { message: message.slice(0, MAX_MESSAGE).toWellFormed() }),
    }),
  );
}
