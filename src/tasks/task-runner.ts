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
import type { TaskLeg } from './task-queue.ts';
import { TaskQuestions } from './task-questions.ts';
import type { TaskRecord } from './task-record.ts';
import type { Patch, TaskRecords } from './task-records.ts';

export interface TaskRunnerOptions {
  readonly records: TaskRecords;
  readonly changes: TaskChanges;
  readonly report: Report;
  /** The largest outcome, in bytes. */
  readonly maxResult: number;
  /** Calls the function in the pipeline; undefined if the app has none with that name. */
  readonly call: (call: Omit<Call, 'fn'>) => Promise<Outcome> | undefined;
}

/** A task that was started so often without ending is given up. */
const MAX_ATTEMPTS = 10;
/** And one that asked so often. */
const MAX_LEGS = 1000;
/** Milliseconds before something is tried again. */
const RETRY_DELAY = 500;
/** Milliseconds between looks at a running task, in case that a notification was lost. */
const CHECK_INTERVAL = 5000;

/** Runs legs of tasks: from a record to a call, and from its outcome to the record. */
export class TaskRunner {
  readonly #running = new Set<RunningLeg>();
  #isStopping = false;

  constructor(private readonly options: TaskRunnerOptions) {}

  /** Ends the running legs. They go back into the queue. */
  giveBack(): void {
    this.#isStopping = true;
    for (const running of this.#running) running.end('given back');
  }

  /** Never rejects. */
  readonly run = async (leg: TaskLeg, lost: AbortSignal): Promise<'done' | 'again'> => {
    try {
      const record = await this.#begin(leg);
      return record ? await this.#runLeg(record, lost) : 'done';
    } catch (thrown) {
      // The store cannot be reached, or a payload cannot be opened. Another process may be able to.
      this.options.report.thrown(thrown, { part: 'tasks' });
      await pause(RETRY_DELAY);
      return 'again';
    }
  };

  /** Counts the attempt. Undefined if there is nothing to do: the task or this leg has ended, or it is given up. */
  async #begin({ id, leg }: TaskLeg): Promise<TaskRecord | undefined> {
    const { records } = this.options;
    let isMine = false;
    const record = await records.change(id, async (found) => {
      isMine = false;
      if (!isCurrent(found, leg)) return undefined;
      if (found.attempts >= MAX_ATTEMPTS || leg > MAX_LEGS) {
        const lost = refuse('TASK_LOST', `Started ${found.attempts} times and never finished`);
        return { ...(await endOf(lost, records, id, Infinity)), isDead: true };
      }
      isMine = true;
      return { attempts: found.attempts + 1, what: 'started' };
    });
    return isMine ? record : undefined;
  }

  async #runLeg(record: TaskRecord, lost: AbortSignal): Promise<'done' | 'again'> {
    const running = new RunningLeg();
    const lose = () => running.end('lost');
    lost.addEventListener('abort', lose, { once: true });
    this.#running.add(running);
    try {
      return await this.#call(record, running);
    } finally {
      this.#running.delete(running);
      lost.removeEventListener('abort', lose);
    }
  }

  async #call(record: TaskRecord, running: RunningLeg): Promise<'done' | 'again'> {
    const { records, call } = this.options;
    const { id, name, attempts } = record;
    const stored = (await records.open<StoredCall>(record, 'call'))!;
    const answers = await records.open<StoredAnswers>(record, 'answers');
    const questions = new TaskQuestions(stored.askable, answers ?? { given: {}, asked: [] });
    const progress = new ProgressWriter(record, records);
    const started: Omit<Call, 'fn'> = {
      name,
      input: stored.input,
      caller: stored.caller,
      principal: stored.principal && toPrincipal(stored.principal, 'task'),
      task: { id, attempt: attempts },
      asker: questions,
      onProgress: progress.report,
      onDisconnect: (listener) => {
        questions.onPending = listener;
        running.onEnd(listener);
      },
    };
    const stopWatching = await this.#watch(record, running);
    const outcome = await Promise.resolve(call(started)).finally(stopWatching);
    await progress.end();
    if (running.reason === 'lost') return 'done';
    // The app is stopping or busy, or it is another version of the app.
    if (!outcome || isUnavailable(outcome)) return this.#return(record, running.reason === undefined);
    await this.#finish(record, outcome, questions);
    return 'done';
  }

  /** Back into the queue. The attempt does not count: the function is not to blame. */
  async #return({ id, leg }: TaskRecord, isLater: boolean): Promise<'again'> {
    await this.options.records.change(id, (found) =>
      isCurrent(found, leg) ? { attempts: Math.max(0, found.attempts - 1), what: 'given back' } : undefined,
    );
    if (isLater) await pause(RETRY_DELAY);
    return 'again';
  }

  /**
   * Stores how the leg ended. While the store cannot be reached, the outcome is kept here, even if the lock is lost: the work is
   * done, and if another process was faster, the record says so.
   */
  async #finish(record: TaskRecord, outcome: Outcome, questions: TaskQuestions): Promise<void> {
    const { records, report, maxResult } = this.options;
    const { id, leg } = record;
    const patch = await (!outcome.ok && isInputRequired(outcome, questions)
      ? this.#pause(id, questions)
      : endOf(outcome, records, id, maxResult));
    for (let isReported = false; ; isReported = true) {
      try {
        await records.change(id, (found) => (isCurrent(found, leg) ? patch : undefined), record);
        return;
      } catch (thrown) {
        if (!isReported) report.thrown(thrown, { part: 'tasks' });
        if (this.#isStopping) return; // another process will run it again
        await pause(RETRY_DELAY);
      }
    }
  }

  async #pause(id: string, rounds: TaskQuestions): Promise<Patch> {
    const { records } = this.options;
    const { questions, answers } = rounds.toStored();
    return {
      status: 'input_required',
      questions: await records.seal(id, 'questions', questions),
      answers: await records.seal(id, 'answers', answers),
      what: 'input_required',
    };
  }

  /** Ends the leg when its task has ended otherwise: it was cancelled, or it has expired. */
  async #watch({ id, leg }: TaskRecord, running: RunningLeg): Promise<() => void> {
    const { records, changes, report } = this.options;
    const look = async () => {
      try {
        const found = await records.store.read(id);
        if (!found || !isCurrent(found, leg)) running.end('cancelled');
      } catch (thrown) {
        report.thrown(thrown, { part: 'tasks' });
      }
    };
    const timer = setInterval(() => void look(), CHECK_INTERVAL);
    const stop = await changes.listen(id, () => void look());
    return () => {
      clearInterval(timer);
      stop();
    };
  }
}

const isCurrent = ({ status, leg: current }: TaskRecord, leg: number) => status === 'working' && current === leg;

const isUnavailable = (outcome: Outcome) =>
  !outcome.ok && outcome.error.code === 'UNAVAILABLE' && isByFramework(outcome);

const pause = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
