import type { Outcome } from '../core/outcome.ts';
import type { Task, TaskStatus } from '../core/task.ts';
import { isRecord } from '../schema/json-schema.ts';

/** What a call says about tasks. */
export interface TaskTerms {
  /** Take a task instead of an answer, if the function allows it. */
  readonly wantsTask?: boolean;
  readonly idempotencyKey?: string | undefined;
}

/** The tasks of a server. Never throws: a task that is not there, and a server that is not, are failures. */
export interface TaskConnection {
  /** The task. A server that can, waits for so many seconds until it has ended, or needs input. */
  get(id: string, wait: number, signal: AbortSignal | undefined): Promise<Outcome<Task>>;
  /** What the call would have been answered with; a task, if it has not ended. */
  result(id: string, name: string, signal: AbortSignal | undefined): Promise<Outcome>;
  answer(id: string, inputResponses: unknown, signal: AbortSignal | undefined): Promise<Outcome>;
  cancel(id: string, signal: AbortSignal | undefined): Promise<Outcome<Task>>;
  /** The task now, and whenever it has changed. May end early: then there is more to come. */
  watch(id: string, signal: AbortSignal | undefined): AsyncIterable<Outcome<Task>>;
}

const FINAL: ReadonlySet<unknown> = new Set<TaskStatus>(['completed', 'failed', 'cancelled']);
const STATUSES: ReadonlySet<unknown> = new Set([...FINAL, 'working', 'input_required']);

export const isFinal = ({ status }: Task): boolean => FINAL.has(status);

/** Whether a body is a task, as far as the client relies on it. */
export function isTask(body: unknown): body is Task {
  return isRecord(body) && typeof body['taskId'] === 'string' && STATUSES.has(body['status']);
}

/** The task that a call became. */
export const taskIn = (outcome: Outcome): Task | undefined => (outcome.ok ? outcome.task : undefined);
