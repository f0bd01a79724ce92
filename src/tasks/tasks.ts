import type { Call } from '../core/call.ts';
import { FrameworkError, refuse } from '../core/failure.ts';
import type { Limits } from '../core/limits.ts';
import { taskNotFound } from '../core/not-found.ts';
import type { Log } from '../core/context.ts';
import type { Outcome } from '../core/outcome.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Report } from '../core/report.ts';
import { cancelled } from '../core/time-limit.ts';
import type { Principal } from '../core/principal.ts';
import type { TaskStarter } from '../core/task.ts';
import { News } from './news.ts';
import { TaskChanges } from './task-changes.ts';
import { endOf } from './task-end.ts';
import { fromStored } from './task-payloads.ts';
import type { StoredAnswers, StoredOutcome, StoredQuestions } from './task-payloads.ts';
import type { TaskQueue } from './task-queue.ts';
import { ENVIRONMENT, isFinal } from './task-record.ts';
import type { TaskHead, TaskRecord } from './task-record.ts';
import { TaskRecords } from './task-records.ts';
import type { TaskStats, TaskStore } from './task-store.ts';
import { TaskCreator, isTaskId } from './task-creator.ts';
import { toTask } from './task-view.ts';
import type { TaskView } from './task-view.ts';
import type { FindFunction } from './task-runner.ts';
import { TaskWorker } from './task-worker.ts';
import type { Vault } from './vault.ts';

export interface TasksOptions {
  readonly store: TaskStore;
  readonly queue: TaskQueue;
  readonly vault: Vault;
  readonly limits: Limits;
  readonly log: Log;
  readonly report: Report;
  readonly find: FindFunction;
}

/** The longest wait for an answer, in milliseconds: proxies close connections that are silent for longer. */
const MAX_WAIT = 60_000;

/** The tasks of an app. Methods throw Failures that callers may see: TASK_NOT_FOUND, or UNAVAILABLE. */
export class Tasks implements TaskStarter {
  readonly #records: TaskRecords;
  readonly #changes: TaskChanges;
  readonly #worker: TaskWorker;
  readonly #creator: TaskCreator;

  constructor(private readonly options: TasksOptions) {
    const { store, vault } = options;
    this.#records = new TaskRecords(store, vault);
    this.#changes = new TaskChanges(store);
    this.#creator = new TaskCreator(this.#records, options.limits.file);
    this.#worker = new TaskWorker({ ...options, records: this.#records, changes: this.#changes });
  }

  /** Creates a task, durably, and queues it; or finds the one with the same idempotency key. */
  async start(
    fn: RegisteredFunction,
    call: Call,
    principal?: Principal,
    onCreated: () => void = () => {},
  ): Promise<Outcome> {
    const { queue, log } = this.options;
    const startedAt = performance.now();
    const created = await this.#reach(() => this.#creator.create(fn, call, principal));
    if (created.isNew) {
      // The task exists, so its caller must hear of it: workers look for tasks that are not queued.
      await queue
        .add(created.record)
        .catch((thrown: unknown) =>
          log.warn('A new task could not be queued; workers will find it', { part: 'tasks', reason: String(thrown) }),
        );
    } else if (!(await this.#reach(() => this.#creator.hasInput(created.record, fn, call))))
      return refuse('IDEMPOTENCY_MISMATCH', 'The idempotency key was used before, with other arguments');
    onCreated();
    const { id, owner } = created.record;
    // The task exists: whatever happens to the store now, the caller must get its id.
    const view = await this.#awaitEnd(id, owner, fn, call, startedAt).catch(() => undefined);
    if (view?.outcome) return fromStored(view.outcome);
    return { ok: true, data: undefined, task: view?.task ?? toTask(created.record) };
  }

  /** One task, as its owner sees it. */
  async get(id: string, owner: string): Promise<TaskView> {
    return this.#toView(await this.#find(id, owner));
  }

  /** Answers to what a task waits for. Unknown keys, and those that were answered before, have no effect. */
  async answer(id: string, owner: string, responses: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#find(id, owner);
    let isNext = false;
    const record = await this.#reach(() =>
      this.#records.change(id, async (found) => {
        isNext = false;
        if (found.status !== 'input_required') return undefined;
        const questions = { ...(await this.#records.open<StoredQuestions>(found, 'questions')) };
        const answers = (await this.#records.open<StoredAnswers>(found, 'answers'))!;
        const keys = Object.keys(responses).filter((key) => Object.hasOwn(questions, key));
        if (keys.length === 0) return undefined;
        const given = Object.fromEntries(keys.map((key) => [questions[key]!.name, responses[key]]));
        for (const key of keys) delete questions[key];
        isNext = Object.keys(questions).length === 0;
        return {
          answers: await this.#records.seal(found, 'answers', { ...answers, given: { ...answers.given, ...given } }),
          questions: isNext ? '' : await this.#records.seal(found, 'questions', questions),
          ...(isNext && { status: 'working', leg: found.leg + 1, attempts: 0 }),
          what: 'answered',
        };
      }),
    );
    if (isNext && record) await this.#reach(() => this.options.queue.add(record));
  }

  /** Ends a task. One that has ended before stays as it is. */
  async cancel(id: string, owner: string): Promise<TaskView> {
    await this.#find(id, owner);
    const record = await this.#reach(() =>
      this.#records.change(id, async (found) =>
        isFinal(found.status) ? undefined : endOf(cancelled(), this.#records, found, Infinity),
      ),
    );
    if (!record) throw taskNotFound(id);
    return this.#toView(record);
  }

  /** The newest first. */
  async list(owner: string, limit: number): Promise<readonly TaskView[]> {
    const heads = await this.#reach(() => this.options.store.list({ owner, limit }));
    return heads.map((head) => ({ task: toTask(head), version: head.version, name: head.name }));
  }

  /** For operators: tasks that were given up, with their history, the newest first. */
  async dead(limit = 100): Promise<readonly TaskHead[]> {
    const heads = await this.#reach(() => this.options.store.list({ isDead: true, limit }));
    return heads.map((head) => ({ ...head, [ENVIRONMENT]: undefined })); // it may hold secrets
  }

  /** Calls back when a task may have changed. */
  async listen(id: string, listener: () => void): Promise<() => void> {
    return this.#reach(() => this.#changes.listen(id, listener));
  }

  async stats(): Promise<TaskStats & { readonly waiting: number; readonly active: number }> {
    const { store, queue } = this.options;
    const [stats, counts] = await this.#reach(() => Promise.all([store.stats(), queue.counts()]));
    return { ...stats, ...counts };
  }

  /** Begins to work on tasks in this process. */
  work(concurrency?: number): Promise<void> {
    return this.#reach(() => this.#worker.start(concurrency));
  }

  isReachable(): Promise<boolean> {
    return this.options.store.isReachable();
  }

  /** Waits for the running legs for so many milliseconds, then gives them back. */
  async close(grace: number): Promise<void> {
    const { store, queue, report } = this.options;
    try {
      await this.#worker.stop(grace);
      await this.#changes.close();
      await queue.close();
      await store.close();
    } catch (thrown) {
      report.thrown(thrown, { part: 'tasks' });
    }
  }

  /** Waits for the end, if the caller wants that; not longer than the call may take. */
  async #awaitEnd(
    id: string,
    owner: string,
    { timeout }: RegisteredFunction,
    call: Call,
    startedAt: number,
  ): Promise<TaskView | undefined> {
    const wait = Math.min(call.deferral?.wait ?? 0, MAX_WAIT);
    // A slow store must not use up the time of the call: its caller would not get the id.
    const until = Math.min(performance.now() + wait, timeout === 0 ? Infinity : startedAt + timeout * 0.8);
    if (!(until > performance.now())) return undefined;
    const signal = call.deferral?.signal ?? call.signal;
    const news = new News();
    const forget = await this.listen(id, news.tell);
    try {
      for (;;) {
        const view = await this.get(id, owner);
        const left = until - performance.now();
        if (view.outcome || view.task.status === 'input_required' || left <= 0) return view;
        await news.wait(signal, Math.min(left, 1000));
        if (signal?.aborted) return view;
      }
    } finally {
      forget();
    }
  }

  async #find(id: string, owner: string): Promise<TaskRecord> {
    const record = isTaskId(id) ? await this.#reach(() => this.options.store.read(id)) : undefined;
    if (!record || record.owner !== owner) throw taskNotFound(id);
    return record;
  }

  async #toView(record: TaskRecord): Promise<TaskView> {
    const { version, name } = record;
    return this.#reach(async () => {
      const outcome = await this.#records.open<StoredOutcome>(record, 'outcome');
      const questions = await this.#records.open<StoredQuestions>(record, 'questions');
      return { task: toTask(record, questions, outcome), version, name, ...(outcome && { outcome }) };
    });
  }

  /** While the store cannot be reached, callers are told to come back. */
  async #reach<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (thrown) {
      if (thrown instanceof FrameworkError) throw thrown;
      this.options.report.thrown(thrown, { part: 'tasks' });
      throw new FrameworkError('UNAVAILABLE', 'Tasks cannot be reached at the moment', { retryAfter: 1 });
    }
  }
}
