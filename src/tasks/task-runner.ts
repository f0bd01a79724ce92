import type { Call } from '../core/call.ts';
import { isByFramework, refuse } from '../core/failure.ts';
import type { Outcome } from '../core/outcome.ts';
import { toPrincipal } from '../core/principal.ts';
import type { Report } from '../core/report.ts';
import { isInputRequired } from '../core/rounds.ts';
import { ProgressWriter } from './progress-writer.ts';
import { RunningLeg } from './running-leg.ts';
import type { TaskChanges } from './task-changes.ts';
import { endOf } from './task-end.ts';
import type { StoredAnswers, StoredCall } from './task-payloads.ts';
import { StoreFullError } from './store-full-error.ts';
import type { LegEnd, RunLeg, TaskLeg } from './task-queue.ts';
import { TaskQuestions } from './task-questions.ts';
import { ENVIRONMENT, isCurrent, isSameAttempt } from './task-record.ts';
import type { TaskRecord } from './task-record.ts';
import { isLastByThisProcess } from './task-records.ts';
import type { Patch, TaskRecords } from './task-records.ts';

export interface TaskRunnerOptions {
  readonly records: TaskRecords;
  readonly changes: TaskChanges;
  readonly report: Report;
  /** The largest outcome, in bytes. */
  readonly maxResult: number;
  readonly find: FindFunction;
}

/** Calls a function in the pipeline. */
export type CallTask = (call: Omit<Call, 'fn'>) => Promise<Outcome>;
/** Undefined if the app has no function with that name. */
export type FindFunction = (name: string) => CallTask | undefined;

interface Payloads {
  readonly call: StoredCall;
  readonly answers: StoredAnswers;
}

/** A task that was started so often without ending is given up. */
const MAX_ATTEMPTS = 10;
/** And one that asked so often. */
const MAX_LEGS = 1000;
/** How often a process tries to count an attempt, while the store cannot be reached. */
const MAX_BEGINS = 10;
/** Milliseconds until a leg comes back that could not run: the store was away, or the app was busy. */
const RETRY_DELAY = 1000;
/** And one that another process may be able to run, because it knows the function or has the key. */
const OTHERS_DELAY = 5000;
/**
 * Milliseconds for which a leg goes on after another process has started it, too. Longer than a lock: if a function blocks the event
 * loop for longer than that in every process, each would otherwise be ended by the next one, until the task is given up.
 */
const LOST_GRACE = 15_000;
/** Milliseconds between looks at a running task, in case that a notification was lost. */
const CHECK_INTERVAL = 5000;

/** Runs legs of tasks: from a record to a call, and from its outcome to the record. */
export class TaskRunner {
  readonly #running = new Map<string, RunningLeg>();
  #isStopping = false;

  constructor(private readonly options: TaskRunnerOptions) {}

  /** Ends the running legs. They go back into the queue. */
  giveBack(): void {
    this.#isStopping = true;
    for (const running of this.#running.values()) running.end('given back');
  }

  /**
   * Never rejects. The queue hands out a leg again that runs here if its lock was not renewed in time, because the store was away
   * or the event loop was blocked. The function then goes on, and is not started a second time.
   */
  readonly run: RunLeg = async (leg) => {
    const key = `${leg.id}-${leg.leg}`;
    let running = this.#running.get(key);
    if (!running) {
      running = new RunningLeg();
      this.#running.set(key, running);
      running.ended = this.#run(leg, running).finally(() => this.#running.delete(key));
    }
    const holder = ++running.holders;
    const end = await running.ended;
    return holder === running.holders ? end : 'taken over';
  };

  /** Everything that may keep the function from running comes before the attempt is counted. */
  async #run({ id, leg }: TaskLeg, running: RunningLeg): Promise<LegEnd> {
    const { records, find, report } = this.options;
    try {
      const found = await records.store.read(id);
      if (!found || !isCurrent(found, leg)) return 'done';
      const call = find(found.name);
      const payloads = call && (await this.#open(found));
      if (!payloads) return { againIn: OTHERS_DELAY };
      const record = await this.#begin(found);
      return record ? await this.#call(record, payloads, call, running) : 'done';
    } catch (thrown) {
      // The store cannot be reached.
      report.thrown(thrown, { part: 'tasks' });
      return { againIn: RETRY_DELAY };
    }
  }

  /** Undefined if this process has not the key. */
  async #open(record: TaskRecord): Promise<Payloads | undefined> {
    const { records, report } = this.options;
    try {
      const call = await records.open<StoredCall>(record, 'call');
      if (!call) throw new Error('A task has lost its arguments in the store');
      const answers = await records.open<StoredAnswers>(record, 'answers');
      return { call, answers: answers ?? { given: {}, asked: [] } };
    } catch (thrown) {
      report.thrown(thrown, { part: 'tasks' });
      return undefined;
    }
  }

  /** Counts the attempt. Undefined if there is nothing to do: the task or this leg has ended, or it is given up. */
  async #begin(known: TaskRecord): Promise<TaskRecord | undefined> {
    const { records } = this.options;
    const { id, leg } = known;
    let isMine = false;
    let counted: number | undefined;
    const decide = async (found: TaskRecord): Promise<Patch | undefined> => {
      isMine = false;
      if (!isCurrent(found, leg)) return undefined;
      // The attempt was counted, and the reply was lost.
      isMine = found.attempts === counted && isLastByThisProcess(found);
      if (isMine) return undefined;
      if (found.attempts >= MAX_ATTEMPTS || leg > MAX_LEGS) {
        const lost = refuse('TASK_LOST', `Started ${found.attempts} times and never finished`);
        return { ...(await endOf(lost, records, found, Infinity)), isDead: true };
      }
      isMine = true;
      counted = found.attempts + 1;
      return { attempts: counted, what: 'started' };
    };
    for (let tries = 1; ; tries++) {
      try {
        const record = await records.change(id, decide, tries === 1 ? known : undefined);
        return isMine ? record : undefined;
      } catch (thrown) {
        // Perhaps only the reply is lost. Another run would count once more, and in the end give up a task that never ran.
        if (tries === MAX_BEGINS || this.#isStopping) throw thrown;
        await pause(RETRY_DELAY);
      }
    }
  }

  async #call(
    record: TaskRecord,
    { call: stored, answers }: Payloads,
    call: CallTask,
    running: RunningLeg,
  ): Promise<LegEnd> {
    const { records } = this.options;
    const questions = new TaskQuestions(stored.askable, answers);
    const progress = new ProgressWriter(record, records);
    let hasStarted = false;
    const started: Omit<Call, 'fn'> = {
      name: record.name,
      input: stored.input,
      caller: stored.caller,
      principal: stored.principal && toPrincipal(stored.principal, 'task'),
      environment: record[ENVIRONMENT],
      task: { id: record.id, attempt: record.attempts },
      asker: questions,
      onProgress: progress.report,
      onStart: () => void (hasStarted = true),
      onDisconnect: (listener) => {
        questions.onPending = listener;
        running.onEnd(listener);
      },
    };
    const stopWatching = await this.#watch(record, running);
    const outcome = await call(started).finally(stopWatching);
    await progress.end();
    if (running.reason === 'lost') return 'taken over';
    // The app is stopping or busy. If the function has run, the refusal is of a call that it made, and its own answer.
    if (isUnavailable(outcome) && (!hasStarted || running.reason === 'given back'))
      return this.#return(record, running.reason === undefined ? RETRY_DELAY : 0);
    await this.#finish(record, outcome, questions);
    return 'done';
  }

  /** Back into the queue. The attempt does not count: the function is not to blame. */
  async #return(record: TaskRecord, againIn: number): Promise<LegEnd> {
    await this.options.records.change(record.id, (found) =>
      isSameAttempt(found, record) ? { attempts: found.attempts - 1, what: 'given back' } : undefined,
    );
    return { againIn };
  }

  /**
   * Stores how the leg ended. While the store cannot be reached, the outcome is kept here, even if the lock is lost: the work is
   * done, and if another process was faster, the record says so. A store that is full stays full: the task ends without it.
   */
  async #finish(record: TaskRecord, outcome: Outcome, questions: TaskQuestions): Promise<void> {
    const { records, report, maxResult } = this.options;
    const { id, leg } = record;
    let patch = await (!outcome.ok && isInputRequired(outcome, questions)
      ? this.#pause(record, questions)
      : endOf(outcome, records, record, maxResult));
    let isFull = false;
    for (let isReported = false; ; isReported = true) {
      try {
        await records.change(id, (found) => (isCurrent(found, leg) ? patch : undefined), record);
        return;
      } catch (thrown) {
        if (thrown instanceof StoreFullError && !isFull) {
          isFull = true;
          const tooMuch = refuse('RESULT_TOO_LARGE', `The result has no room: ${thrown.message}`);
          patch = await endOf(tooMuch, records, record, Infinity);
          continue;
        }
        if (!isReported) report.thrown(thrown, { part: 'tasks' });
        if (this.#isStopping) return; // another process will run it again
        await pause(RETRY_DELAY);
      }
    }
  }

  async #pause(record: TaskRecord, rounds: TaskQuestions): Promise<Patch> {
    const { records } = this.options;
    const { questions, answers } = rounds.toStored();
    return {
      status: 'input_required',
      questions: await records.seal(record, 'questions', questions),
      answers: await records.seal(record, 'answers', answers),
      what: 'input_required',
    };
  }

  /** Ends the leg when its task has ended otherwise, was cancelled or has expired, or when another process has started it. */
  async #watch(record: TaskRecord, running: RunningLeg): Promise<() => void> {
    const { records, changes, report } = this.options;
    const { id } = record;
    let lost: ReturnType<typeof setTimeout> | undefined;
    const lose = (holders: number) => {
      lost = undefined;
      // If the queue has handed it out here again, the other process is the one that is late.
      if (running.holders === holders) running.end('lost');
    };
    const look = async () => {
      try {
        const found = await records.store.read(id);
        if (!found || !isCurrent(found, record.leg)) running.end('cancelled');
        else if (!isSameAttempt(found, record)) lost ??= setTimeout(lose, LOST_GRACE, running.holders);
      } catch (thrown) {
        report.thrown(thrown, { part: 'tasks' });
      }
    };
    const timer = setInterval(() => void look(), CHECK_INTERVAL);
    // The interval finds changes if there are no notifications.
    const stop = await changes
      .listen(id, () => void look())
      .catch((thrown: unknown) => {
        report.thrown(thrown, { part: 'tasks' });
      });
    return () => {
      clearInterval(timer);
      clearTimeout(lost);
      stop?.();
    };
  }
}

const isUnavailable = (outcome: Outcome) =>
  !outcome.ok && outcome.error.code === 'UNAVAILABLE' && isByFramework(outcome);

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
