import type { InputRequests, Task } from '../core/task.ts';
import type { StoredOutcome, StoredQuestions } from './task-payloads.ts';
import { ttlOf } from './task-record.ts';
import type { TaskHead } from './task-record.ts';

/** A task and what became of it, as plain data: wires render the outcome. */
export interface TaskView {
  readonly task: Task;
  /** Increases with every change. */
  readonly version: number;
  /** The name of the function. */
  readonly name: string;
  /** If its status is final. */
  readonly outcome?: StoredOutcome;
}

/** How often callers should ask for news, in milliseconds. */
const POLL_INTERVAL = 1000;

/** Without payloads, what is in them is left out. */
export function toTask(head: TaskHead, questions?: StoredQuestions, outcome?: StoredOutcome): Task {
  const { id, status, createdAt, updatedAt, progress } = head;
  const statusMessage = outcome && !outcome.ok ? outcome.error.message : head.statusMessage;
  return {
    taskId: id,
    status,
    ...(statusMessage !== undefined && { statusMessage }),
    createdAt: new Date(createdAt).toISOString(),
    lastUpdatedAt: new Date(updatedAt).toISOString(),
    ttlMs: ttlOf(head),
    pollIntervalMs: POLL_INTERVAL,
    ...(progress && { progress }),
    ...(questions && { inputRequests: toInputRequests(questions) }),
  };
}

function toInputRequests(questions: StoredQuestions): InputRequests {
  const requests = Object.entries(questions).map(([key, { method, params }]) => [key, { method, params }]);
  return Object.fromEntries(requests) as InputRequests;
}
