import type { Failed, Outcome } from './outcome.ts';

/** Remembers the checked outcomes of one call as JSON, to notice later changes. */
export class Approved {
  readonly #texts = new Map<unknown, string | undefined>();

  add<O extends Outcome>(outcome: O): O {
    this.#texts.set(outcome, textOf(outcome));
    return outcome;
  }

  has(outcome: unknown): outcome is Outcome {
    return this.#texts.has(outcome);
  }

  isUnchanged(outcome: Outcome): boolean {
    const text = this.#texts.get(outcome);
    return text !== undefined && text === textOf(outcome);
  }

  hasFailure(code: string, message: string): boolean {
    return [...this.#texts.keys()].some((known) => {
      const { ok, error } = known as Failed;
      return !ok && error.code === code && error.message === message;
    });
  }
}

/** Undefined if the outcome is not serialisable; it is then checked again, which reports why. */
function textOf(outcome: Outcome): string | undefined {
  try {
    return JSON.stringify(outcome);
  } catch {
    return undefined;
  }
}
