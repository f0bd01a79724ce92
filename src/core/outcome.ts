/** How a call ends: with data or with an error, never both. Narrow on `ok`. */
export type Outcome<T = unknown, C extends string = string> = Success<T> | Failed<C>;

export interface Success<T> {
  readonly ok: true;
  readonly data: T;
}

export interface Failed<C extends string = string> {
  readonly ok: false;
  readonly error: FailureData<C>;
}

/** What is known of a failure. No status: how it leaves is for codes.ts and the wire. */
export interface FailureData<C extends string = string> {
  readonly code: C;
  readonly message: string;
  readonly details?: unknown;
  /** Whether the same call may succeed later. */
  readonly retry: boolean;
  /** Seconds after which to try again, when that is known. */
  readonly retryAfter?: number;
}

export function success<T>(data: T): Success<T> {
  return { ok: true, data };
}

export function failed<C extends string>(error: FailureData<C>): Failed<C> {
  return { ok: false, error };
}
