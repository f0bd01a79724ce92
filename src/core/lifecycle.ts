import { CallFiles } from './call-files.ts';
import type { Environment, Log, StartContext } from './context.ts';
import { isFailure, refuse, userFailure } from './failure.ts';
import type { Gate } from './gate.ts';
import type { Failed } from './outcome.ts';
import type { Report } from './report.ts';
import { shorterTimeout } from './time-limit.ts';
import type { AppVariables } from './variables.ts';

/** The author's functions. What `start` returns is `context.deps`. */
interface LifecycleHooks {
  readonly start?: ((context: StartContext) => unknown) | undefined;
  /** Gets `{}` if `start` failed. */
  readonly stop?: ((deps: any) => unknown) | undefined;
}

interface LifecycleOptions extends LifecycleHooks {
  /** Milliseconds that calls under way, and then `stop`, have to end. */
  readonly drain: number;
  /** Must not throw. */
  readonly log: Log;
  readonly report: Report;
  readonly variables: AppVariables;
}

/** One run of the author's `start`. */
interface Attempt {
  /** Rejects with what it threw. */
  readonly done: Promise<void>;
  /** What all calls that waited for it are answered with, if it failed. */
  failed?: Failed;
  /** Whether `stop` did not wait for it. */
  isAbandoned: boolean;
}

const NO_DEPS: object = Object.freeze({});

/** Runs an app's `start` once, before the first call, and its `stop` once, after the last one. */
export class Lifecycle {
  /** Whether functions may run: from the beginning, without hooks and variables that must be there. */
  isReady: boolean;
  /** Whether new calls are refused. */
  isStopping = false;
  deps = NO_DEPS;
  readonly #options: LifecycleOptions;
  /** Those through which calls of the app pass. */
  readonly #gates: Gate[] = [];
  #attempt: Attempt | undefined;
  #stopped: Promise<boolean> | undefined;
  /** Whether `start` was called, which makes the caller responsible for `stop`. */
  #isHeld = false;

  constructor(options: LifecycleOptions) {
    this.#options = options;
    this.isReady = !this.#mustStart;
  }

  get hasHooks(): boolean {
    return this.#options.start !== undefined || this.#options.stop !== undefined;
  }

  get #mustStart(): boolean {
    return this.hasHooks || this.#options.variables.areRequired;
  }

  watch(gate: Gate): void {
    this.#gates.push(gate);
  }

  /**
   * Starts the app, also after `stop`. Rejects with what the author's `start` threw. Resolves to whether the caller is the
   * one who has to stop it.
   */
  async start(environment: Environment): Promise<boolean> {
    const stopped = this.#stopped;
    if (stopped) {
      await stopped;
      // Unless it was stopped again meanwhile.
      if (this.#stopped === stopped) this.#stopped = undefined;
      return this.start(environment);
    }
    this.isStopping = false;
    if (!this.#mustStart) return false;
    const isFirst = !this.#isHeld;
    this.#isHeld = true;
    try {
      await this.#begin(environment).done;
    } catch (thrown) {
      this.#isHeld = false;
      throw thrown;
    }
    return isFirst;
  }

  /** For a call that needs the app: starts it, or waits until it has started. Returns the failure, if it could not. */
  async ready(environment: Environment): Promise<Failed | undefined> {
    // A late call must not open again what `stop` has closed.
    if (this.isStopping && !this.#attempt) return stopping();
    let attempt: Attempt | undefined;
    try {
      attempt = this.#begin(environment);
      await attempt.done;
    } catch (thrown) {
      if (!attempt) return this.#report(thrown);
      return (attempt.failed ??= this.#report(thrown));
    }
    return this.isReady ? undefined : stopping();
  }

  /** Refuses new calls, waits for those under way, and runs the author's `stop`. Resolves to whether all went well. */
  stop(): Promise<boolean> {
    return (this.#stopped ??= this.#end());
  }

  #begin(environment: Environment): Attempt {
    if (this.#attempt) return this.#attempt;
    // Not a part of the attempt, which calls with another environment may wait for.
    this.#options.variables.require(environment.env);
    // Later: a call that `start` makes must find the attempt, and not begin another.
    const done = Promise.resolve().then(() => this.#run(environment, attempt));
    const attempt: Attempt = { done, isAbandoned: false };
    return (this.#attempt = attempt);
  }

  async #run(environment: Environment, attempt: Attempt): Promise<void> {
    const { start, log, variables } = this.#options;
    try {
      const [env, files] = [variables.of(environment), new CallFiles(environment.files)];
      const deps: unknown = (await start?.({ env, files, log })) ?? NO_DEPS;
      if (typeof deps !== 'object') throw new TypeError(`start must return an object, not a ${typeof deps}`);
      // The app is stopped, or was started again: what this one has opened must not stay open.
      if (attempt.isAbandoned) return void (await this.#runStop(deps as object));
      this.deps = deps as object;
      this.isReady = true;
    } catch (thrown) {
      await this.#runStop(NO_DEPS);
      if (!attempt.isAbandoned) this.#attempt = undefined; // the next call tries again
      throw thrown;
    }
  }

  /** A Failure is sent as it is, as from a function. */
  #report(thrown: unknown): Failed {
    const failed = this.#options.report.thrown(thrown, { part: 'start' });
    return isFailure(thrown) ? userFailure(thrown) : failed;
  }

  async #end(): Promise<boolean> {
    const { drain, log } = this.#options;
    this.isStopping = true;
    const starting = this.#attempt?.done.catch(() => {}); // the calls that wait for it report the error
    const isIdle = await within(drain, Promise.all([starting, ...this.#gates.map((gate) => gate.idle())]));
    if (!isIdle) log.error(`The app stops, although some calls did not end within ${drain} ms`, { part: 'stop' });
    this.#isHeld = false;
    if (!this.#attempt) return isIdle; // never started
    if (this.isReady) return (await this.#close()) && isIdle;
    // `start` hangs. The next one must not wait for it.
    this.#attempt.isAbandoned = true;
    this.#attempt = undefined;
    return false;
  }

  async #close(): Promise<boolean> {
    if (!this.isReady) return true;
    this.isReady = false;
    this.#attempt = undefined;
    return this.#runStop(this.deps);
  }

  /** Returns false if the author's `stop` fails, or does not end in time. */
  async #runStop(deps: object): Promise<boolean> {
    const { stop, drain, log, report } = this.#options;
    let isClean = true;
    const end = async () => stop?.(deps);
    const ended = end().catch((thrown: unknown) => {
      isClean = false;
      report.thrown(thrown, { part: 'stop' });
    });
    if (await within(drain, ended)) return isClean;
    log.error(`stop did not end within ${drain} ms`, { part: 'stop' });
    return false;
  }
}

/** For calls that come too late. */
export function stopping(): Failed {
  return refuse('UNAVAILABLE', 'The app is stopping', { retryAfter: 1 });
}

/** Whether a promise, which never rejects, settles in time. */
async function within(milliseconds: number, promise: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), shorterTimeout(milliseconds, Infinity));
  });
  const isInTime = await Promise.race([promise.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
