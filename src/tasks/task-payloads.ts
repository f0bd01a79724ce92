import { isByFramework, ownStatusOf, restoreFailed } from '../core/failure.ts';
import type { Caller } from '../core/context.ts';
import type { FailureData, Outcome } from '../core/outcome.ts';
import { success } from '../core/outcome.ts';
import type { PrincipalOptions } from '../core/principal.ts';
import type { InputRequests } from '../core/task.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';

/** How a task was called. */
export interface StoredCall {
  readonly input?: unknown;
  readonly caller: Caller;
  readonly principal?: PrincipalOptions | undefined;
  /** The methods of requests that the caller can answer. */
  readonly askable: readonly string[];
}

/** What was answered so far. */
export interface StoredAnswers {
  /** By the name of the question. */
  readonly given: Readonly<Record<string, unknown>>;
  /** The keys that were used: none is used twice. */
  readonly asked: readonly string[];
}

/** What a task waits for, by key. */
export interface StoredQuestions {
  readonly [key: string]: InputRequests[string] & { readonly name: string };
}

/** An outcome as JSON. */
export type StoredOutcome =
  | { readonly ok: true; readonly data?: unknown; readonly content?: readonly ContentBlock[] }
  | { readonly ok: false; readonly error: FailureData; readonly isByFramework: boolean; readonly status?: number };

export function toStored(outcome: Outcome): StoredOutcome {
  if (!outcome.ok) {
    const status = ownStatusOf(outcome.error);
    const stored = { ok: false, error: outcome.error, isByFramework: isByFramework(outcome) } as const;
    return status === undefined ? stored : { ...stored, status };
  }
  return { ok: true, data: outcome.data, ...(outcome.content && { content: outcome.content }) };
}

export function fromStored(stored: StoredOutcome): Outcome {
  return stored.ok
    ? success(stored.data, stored.content)
    : restoreFailed(stored.error, stored.isByFramework, stored.status);
}
