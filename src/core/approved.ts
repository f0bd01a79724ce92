import type { Failed, Outcome } from './outcome.ts';

/** Remembers the checked outcomes of one call as JSON, to notice later changes. */
export class Approved {
  readonly #serialized = new Map<unknown, string | undefined>();

  add<O extends Outcome>(outcome: O): O {
    this.#serialized.set(outcome, serialize(outcome));
    return outcome;
  }

  has(outcome: unknown): outcome is Outcome {
    return this.#serialized.has(outcome);
  }

  isUnchanged(outcome: Outcome): boolean {
    const known = this.#serialized.get(outcome);
    return known !== undefined && known === serialize(outcome);
  }

  hasFailure(code: string, message: string): boolean {
    return [...this.#serialized.keys()].some((known) => {
      const { ok, error } = known as Failed;
      return !ok && error.code === code && error.message === message;
    });
  }
}

/** Undefined if the outcome is not serialisable; it is then checked again, which reports why. */
function serialize(outcome: Outcome): string | undefined {
  try {
    return JSON.stringify(outcome);
  } catch {
    return undefined;
  }
}
