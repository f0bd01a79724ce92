import type { Asker, Question } from '../../core/asking.ts';
import { refuse } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';

type Answers = Readonly<Record<string, unknown>>;

/** What a client declares about itself. */
export type ClientCapabilities = Readonly<Record<string, unknown>>;

const CAPABILITIES: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};

/**
 * The server-to-client requests of one call. A call that needs an answer ends, and is repeated with the answers: that is
 * how revision 2026-07-28 works. On older connections the SDK sends the requests and repeats the call.
 */
export class Elicitation implements Asker {
  #pending: Map<string, Question> | undefined;
  /** Ends the call. */
  onPending: ((how: Failed) => void) | undefined;
  /** Whether the call has ended because it needs answers. */
  isPending = false;

  constructor(
    private readonly capabilities: ClientCapabilities | undefined,
    private readonly isModern: boolean,
    private given: Answers = NONE,
  ) {}

  /** What the client must answer before the call is repeated. */
  get questions(): readonly Question[] {
    return [...(this.#pending?.values() ?? [])];
  }

  /** The answers of earlier rounds. */
  get answers(): Answers {
    return this.given;
  }

  can(method: string): boolean {
    return this.capabilities?.[CAPABILITIES[method] ?? ''] !== undefined;
  }

  /** The modern protocol has its own error for a missing capability, so the question is sent anyway. */
  takes(method: string): boolean {
    return this.isModern || this.can(method);
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
