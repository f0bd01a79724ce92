import type { Asker, Question } from '../../core/asking.ts';
import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';

type Answers = Readonly<Record<string, unknown>>;

const CAPABILITIES: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/**
 * Questions to the caller, in rounds: a call that asks ends there, and is made anew with the answers. So it is in
 * revision 2026-07-28; on older connections the official server asks, and makes the call anew, by itself.
 */
export class Rounds implements Asker {
  #pending: Map<string, Question> | undefined;
  /** Ends the call that asks. */
  onAsked: ((how: Failed) => void) | undefined;
  /** Whether a call has ended, for the caller to be asked. */
  isWaiting = false;

  constructor(
    private readonly capabilities: Readonly<Record<string, unknown>> | undefined,
    /** Whether an undeclared capability is the protocol's to refuse. */
    private readonly isModern: boolean,
    private given: Answers = NONE,
  ) {}

  /** What the caller has to be asked. */
  get questions(): readonly Question[] {
    return [...(this.#pending?.values() ?? [])];
  }

  /** What was answered in the rounds before. */
  get answers(): Answers {
    return this.given;
  }

  can(method: string): boolean {
    return this.capabilities?.[CAPABILITIES[method] ?? ''] !== undefined;
  }

  /** The protocol has an error of its own for a capability that the caller did not declare. */
  takes(method: string): boolean {
    return this.isModern || this.can(method);
  }

  ask(question: Question): Promise<unknown> {
    const { name, again } = question;
    if (Object.hasOwn(this.given, name) && !again) return Promise.resolve(this.given[name]);
    const { [name]: _, ...others } = this.given;
    this.given = others;
    // Not at once: questions that are asked side by side go out together.
    if (!this.#pending) setTimeout(() => this.#stop(), 0);
    (this.#pending ??= new Map()).set(name, question);
    return new Promise(() => {}); // the call is made anew
  }

  #stop(): void {
    this.isWaiting = true;
    this.onAsked?.(refuse('INPUT_REQUIRED', 'The caller is asked'));
  }
}

const NONE: Answers = Object.freeze({});
