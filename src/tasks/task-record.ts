import type { Environment, Progress } from '../core/context.ts';
import type { TaskStatus } from '../core/task.ts';

/**
 * The truth about a task. Stores keep it and queues carry only its id. The payloads are strings that stores do not look into:
 * JSON, or encrypted JSON.
 */
export interface TaskRecord extends TaskHead, TaskPayloads {}

/** The variables and files of the call. Only tasks in memory keep it: the others are JSON, which has no symbols. */
export const ENVIRONMENT: unique symbol = Symbol('environment');

/** What stores may look into. */
export interface TaskHead {
  readonly [ENVIRONMENT]?: Environment | undefined;
  /** Cannot be guessed. */
  readonly id: string;
  /** Increases by one with every change. */
  readonly version: number;
  /** The function. */
  readonly name: string;
  /** Identifies the principal who started it; empty for callers that were not recognised. */
  readonly owner: string;
  readonly status: TaskStatus;
  /** Whether it was given up: started too often, and never finished. */
  readonly isDead: boolean;
  /** Milliseconds since 1970, like all times here. */
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null: never. Does not change. */
  readonly expiresAt: number | null;
  /** Counts the runs that ended with a question, from 1. */
  readonly leg: number;
  /** How often this leg was started. */
  readonly attempts: number;
  readonly statusMessage?: string | undefined;
  readonly progress?: Progress | undefined;
  /** The newest last; of a limited length. */
  readonly history: readonly TaskEvent[];
}

export interface TaskPayloads {
  /** The arguments and the caller. Never changes. */
  readonly call: string;
  /** What it waits for. */
  readonly questions?: string | undefined;
  /** What was answered so far. */
  readonly answers?: string | undefined;
  /** How it ended. */
  readonly outcome?: string | undefined;
}

interface TaskEvent {
  readonly at: number;
  /** `created`, `started`, `input_required`, `answered`, `completed`, … */
  readonly what: string;
  /** The process that did it. */
  readonly by: string;
}

/** Milliseconds from its creation for which a task is kept; null: for ever. Servers add them to their own time: clocks differ. */
export const ttlOf = ({ createdAt, expiresAt }: TaskHead): number | null =>
  expiresAt === null ? null : expiresAt - createdAt;

/** Whether a leg of a task still waits for its end. */
export const isCurrent = ({ status, leg: current }: TaskHead, leg: number): boolean =>
  status === 'working' && current === leg;

/** Whether no other process has started the leg since. */
export const isSameAttempt = (found: TaskHead, { leg, attempts }: TaskHead): boolean =>
  isCurrent(found, leg) && found.attempts === attempts;

/** Statuses that never change. */
export const isFinal = (status: TaskStatus): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled';
