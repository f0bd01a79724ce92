import type {
  InputRequests,
  InputRequiredResult,
  RequestStateCodec,
  ServerContext,
} from '@modelcontextprotocol/server';
import { inputRequired } from '@modelcontextprotocol/server';
import type { Asker, Question } from '../../core/asking.ts';
import { refuse } from '../../core/failure.ts';

/** What the caller keeps for us between the rounds of one call. */
export interface Kept {
  readonly answers: Readonly<Record<string, unknown>>;
}

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
  readonly #pending = new Map<string, Question>();
  readonly #answers: Record<string, unknown>;
  readonly #stop = new AbortController();
  /** Fires when the call has to end, for the caller to be asked. */
  readonly signal = this.#stop.signal;

  constructor(
    private readonly context: ServerContext,
    private readonly capabilities: Readonly<Record<string, unknown>> | undefined,
    /** Whether an undeclared capability is the protocol's to refuse. */
    private readonly isModern: boolean,
  ) {
    this.#answers = { ...context.mcpReq.requestState<Kept>()?.answers, ...context.mcpReq.inputResponses };
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
    if (name in this.#answers && !again) return Promise.resolve(this.#answers[name]);
    delete this.#answers[name];
    this.#pending.set(name, question);
    // Not at once: questions that are asked side by side go out together.
    setTimeout(() => this.#stop.abort(refuse('INPUT_REQUIRED', 'The caller is asked')), 0);
    return new Promise(() => {}); // the call is made anew
  }

  get isWaiting(): boolean {
    return this.#stop.signal.aborted;
  }

  /** The result that asks. */
  async result(codec: RequestStateCodec<Kept>): Promise<InputRequiredResult> {
    const requests = [...this.#pending].map(([name, { method, params }]) => [name, { method, params }]);
    const requestState = await codec.mint({ answers: this.#answers }, this.context);
    return inputRequired({ inputRequests: Object.fromEntries(requests) as InputRequests, requestState });
  }
}
