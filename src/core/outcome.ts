import type { ContentBlock } from '../schema/content-blocks.ts';
import type { Task } from './task.ts';

/** How a call ends: with data or with an error, never both. Narrow on `ok`. */
export type Outcome<T = unknown, C extends string = string> = Success<T> | Failed<C>;

export interface Success<T> {
  readonly ok: true;
  readonly data: T;
  /** Images, links and other content that the author attached. */
  readonly content?: readonly ContentBlock[];
  /** Instead of data, if the call became a task. */
  readonly task?: Task;
}

export interface Failed<C extends string = string> {
  readonly ok: false;
  readonly error: FailureData<C>;
}

/** A failure as data. It has no status: codes.ts and the wire decide that. */
export interface FailureData<C extends string = string> {
  readonly code: C;
  readonly message: string;
  readonly details?: unknown;
  /** Whether the same call may succeed later. */
  readonly retry: boolean;
  /** Seconds after which to try again, if known. */
  readonly retryAfter?: number;
}

export function success<T>(data: T, content?: readonly ContentBlock[]): Success<T> {
  return content === undefined ? { ok: true, data } : { ok: true, data, content };
}

export function failed<C extends string>(error: FailureData<C>): Failed<C> {
  return { ok: false, error };
}
