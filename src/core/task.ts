import type { Call } from './call.ts';
import type { Progress } from './context.ts';
import type { Outcome } from './outcome.ts';
import type { Principal } from './principal.ts';
import type { RegisteredFunction } from './registered-function.ts';

/** Whether calls of a function may become tasks. */
export type TaskMode = 'never' | 'allowed' | 'always';

/** The terms of MCP's tasks extension, on every wire. The last three are final. */
export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled';

/** What a task waits for, by key. A key is never used twice in a task. */
export interface InputRequests {
  readonly [key: string]: { readonly method: string; readonly params: Readonly<Record<string, unknown>> };
}

/** A task as callers see it. */
export interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  /** The last message of `context.progress`, or why the task failed. */
  readonly statusMessage?: string;
  /** ISO 8601. */
  readonly createdAt: string;
  readonly lastUpdatedAt: string;
  /** Milliseconds from creation until the task is forgotten; null: never. */
  readonly ttlMs: number | null;
  /** How often to ask for news, in milliseconds. */
  readonly pollIntervalMs: number;
  readonly progress?: Progress;
  /** If its status is `input_required`. */
  readonly inputRequests?: InputRequests;
}

/** What a function learns about the task that it runs in. */
export interface TaskInfo {
  readonly id: string;
  /** From 1. After a crash the function is started again; what it did before may have happened. */
  readonly attempt: number;
}

/** What a caller says about tasks. */
export interface Deferral {
  /**
   * `prefers`: takes a task if the function allows it. `accepts`: takes one only if the function always becomes a task.
   * `refuses`: cannot take one.
   */
  readonly caller: 'prefers' | 'accepts' | 'refuses';
  /** Milliseconds to wait for the answer, before the task is returned instead of it. */
  readonly wait?: number | undefined;
  /** Ends that wait early: the task is returned at once. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds to keep the task, if shorter than the function's own. */
  readonly ttl?: number | undefined;
  /** Two calls of one caller with the same key are one task. */
  readonly idempotencyKey?: string | undefined;
  /** The methods of requests that the caller can answer while the task runs. */
  readonly askable: readonly string[];
}

/** Lets a call become a task. The arguments are valid, and the caller may make the call. */
export interface TaskStarter {
  /** Calls `onCreated` when the task exists, before it waits for the end, if the caller wants that. */
  start(fn: RegisteredFunction, call: Call, principal: Principal | undefined, onCreated?: () => void): Promise<Outcome>;
}

/** Whether calls of a function may become tasks at all. */
export const mayBecomeTask = ({ task }: Pick<RegisteredFunction, 'task'>): boolean => task !== 'never';

export function becomesTask({ task }: RegisteredFunction, { deferral }: Call): boolean {
  if (deferral === undefined || task === 'never' || deferral.caller === 'refuses') return false;
  return task === 'always' || deferral.caller === 'prefers';
}
