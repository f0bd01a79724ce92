import type { Environment, Log } from '../core/context.ts';
import { FrameworkError } from '../core/failure.ts';
import type { Limits } from '../core/limits.ts';
import { createQuietReport } from '../core/quiet-report.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Report } from '../core/report.ts';
import type { TaskStarter } from '../core/task.ts';
import { createEnvironment } from '../env/environment.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { FindFunction } from '../tasks/task-runner.ts';
import type { Tasks } from '../tasks/tasks.ts';
import { variable } from './app-store.ts';
import type { AppStore } from './app-store.ts';

/** The tasks of an app. Callers reach single tasks through `app.operations`; this is for hosts and operators. */
export interface AppTasks extends Pick<Tasks, 'listen' | 'stats' | 'dead' | 'isReachable'> {
  /** Whether calls of some function may become tasks. */
  readonly isUsed: boolean;
  /** Begins to work on tasks in this process. Without a store, the first task does that. */
  work(options?: WorkOptions): Promise<void>;
  /** For a process that ends with its answer: without a store, tasks are refused. */
  requireStore(): void;
}

export interface WorkOptions extends EnvironmentOptions {
  /** Tasks that are worked on at once; 4 by default. */
  readonly concurrency?: number | undefined;
}

/** Also what the pipeline and the operations use. */
export interface LazyTasks extends AppTasks, TaskStarter {
  readonly load: () => Promise<Tasks>;
  close(grace: number): Promise<void>;
}

interface LazyTasksOptions {
  readonly app: string;
  readonly functions: readonly RegisteredFunction[];
  readonly store: AppStore;
  readonly limits: Limits;
  readonly log: Log;
  readonly report: Report;
  readonly find: FindFunction;
}

/** What runs tasks is loaded with the first of them: most apps have none. */
export function createLazyTasks(options: LazyTasksOptions): LazyTasks {
  const { app, functions, store, limits, log } = options;
  const report = createQuietReport(options.report);
  const isUsed = functions.some(({ task }) => task !== 'never');
  let needsStore = false;
  let environment: Environment | undefined;
  let opened: Promise<Tasks> | undefined;

  return {
    isUsed,
    load,
    async start(fn, call, principal, onCreated) {
      const tasks = await load();
      if (store.url === undefined) await tasks.work(concurrencyInMemory(limits));
      return tasks.start(fn, call, principal, onCreated);
    },
    async work({ concurrency, env, files } = {}) {
      if (env || files) environment = createEnvironment({ env, files });
      await (await load()).work(concurrency);
    },
    requireStore() {
      needsStore = true;
    },
    listen: async (id, listener) => (await load()).listen(id, listener),
    stats: async () => (await load()).stats(),
    dead: async (limit) => (await load()).dead(limit),
    isReachable: async () => (store.url === undefined ? true : (await load()).isReachable()),
    async close(grace) {
      const closing = opened;
      opened = undefined;
      const tasks = await closing?.catch(() => undefined); // the caller that opened it has got the error
      if (!tasks) return;
      await tasks.close(grace);
      if (store.url === undefined) await warnOfLosses(tasks);
    },
  };

  async function load(): Promise<Tasks> {
    if (needsStore && store.url === undefined) throw new FrameworkError('UNAVAILABLE', NO_STORE);
    const opening = (opened ??= open());
    try {
      return await opening;
    } catch (thrown) {
      if (opened === opening) opened = undefined; // the next one tries again
      report.thrown(thrown, { part: 'tasks' });
      throw new FrameworkError('UNAVAILABLE', 'Tasks cannot be reached at the moment', { retryAfter: 1 });
    }
  }

  async function open(): Promise<Tasks> {
    const [{ Tasks }, { openTasks }, { createVault }] = await Promise.all([
      import('../tasks/tasks.ts'),
      import('../tasks/open-store.ts'),
      import('../tasks/vault.ts'),
    ]);
    const vault = createVault(variable('EVERYWIRE_TASK_KEY'));
    const onError = (thrown: unknown) => void report.thrown(thrown, { part: 'tasks' });
    const parts = await openTasks(
      store.url,
      app,
      { records: limits.tasks, bytes: MEMORY, reserve: Math.min(limits.result, MEMORY / 2) },
      onError,
    );
    return new Tasks({ ...parts, vault, limits, log, report, find });
  }

  /** A task in memory keeps the environment of its caller. One from a store gets that of the worker. */
  function find(name: string): ReturnType<FindFunction> {
    const call = options.find(name);
    return call && ((task) => call({ ...task, environment: task.environment ?? environment }));
  }

  async function warnOfLosses(tasks: Tasks): Promise<void> {
    const { byStatus } = await tasks.stats();
    const lost = byStatus.working + byStatus.input_required;
    if (lost > 0) log.warn(`${lost} unfinished tasks are lost: without a store, they end with their process`);
  }
}

/** Tasks run in the process that serves, and may take long: half of its places are left to calls. */
const concurrencyInMemory = ({ concurrent }: Limits) => Math.max(1, Math.floor(concurrent / 2));

/** All tasks of a process without a store together: arguments and results, in bytes. */
const MEMORY = 256 * 1024 * 1024;

const MIN_KEY = 32;

/** A key that is too short must not look like encryption. */
export function problemsInTaskKey(): string[] {
  const keys =
    variable('EVERYWIRE_TASK_KEY')
      ?.split(',')
      .map((key) => key.trim()) ?? [];
  // Behind the first key, a word may stand for tasks that have none.
  if (keys.every((key, i) => key.length >= MIN_KEY || (i > 0 && key === 'unencrypted'))) return [];
  return [`EVERYWIRE_TASK_KEY must be a string of at least ${MIN_KEY} characters; several are separated by commas`];
}

const NO_STORE =
  'Tasks need a store that outlives this process: --store redis://localhost:6379, or the variable EVERYWIRE_STORE';
