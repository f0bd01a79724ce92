/** How a call ends: with data or with an error, never both. Narrow on `ok`. */
export type Outcome<T = unknown> = Success<T> | Failed;

export interface Success<T> {
  readonly ok: true;
  readonly data: T;
}

export interface Failed {
  readonly ok: false;
  readonly error: FailureData;
}

/** What is known of a failure. No status: how it leaves is for codes.ts and the wire. */
export interface FailureData {
  readonly code: string;
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

export function failed(error: FailureData): Failed {
  return { ok: false, error };
}
