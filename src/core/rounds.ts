import type { Asker, Question } from './asking.ts';
import { refuse } from './failure.ts';
import type { Failed } from './outcome.ts';

export type Answers = Readonly<Record<string, unknown>>;

/** Asks by ending the call. The call is repeated with the answers, from the beginning. */
export abstract class Rounds implements Asker {
  #pending: Map<string, Question> | undefined;
  /** Ends the call. */
  onPending: ((how: Failed) => void) | undefined;
  /** Whether the call has ended because it needs answers. */
  isPending = false;

  constructor(private given: Answers = NONE) {}

  abstract can(method: string): boolean;
  abstract takes(method: string): boolean;

  /** What must be answered before the call is repeated. */
  get questions(): readonly Question[] {
    return [...(this.#pending?.values() ?? [])];
  }

  /** The answers of earlier rounds. */
  get answers(): Answers {
    return this.given;
  }

  ask(question: Question): Promise<unknown> {
    const { name, again } = question;
    if (Object.hasOwn(this.given, name) && !again) return Promise.resolve(this.given[name]);
    const { [name]: _, ...others } = this.given;
    this.given = others;
    // Deferred, so that questions asked in parallel are sent together.
    if (!this.#pending) setTimeout(() => this.#endCall(), 0);
    (this.#pending ??= new Map()).set(name, question);
    return new Promise(() => {}); // never settles: the call is repeated
  }

  #endCall(): void {
    this.isPending = true;
    this.onPending?.(refuse('INPUT_REQUIRED', 'The client must provide input first'));
  }
}

const NONE: Answers = Object.freeze({});

/** Whether a call ended because the caller must answer something first. An author may fail with the same code. */
export function isInputRequired({ error }: Failed, rounds: Rounds): boolean {
  return rounds.isPending && error.code === 'INPUT_REQUIRED';
}
