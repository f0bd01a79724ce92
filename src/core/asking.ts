import type { Given, Schema } from '../schema/schema.ts';
import { readSchema } from '../schema/schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { compileArguments } from './arguments.ts';
import type { ArgumentRules } from './arguments.ts';
import { Failure, asRefused } from './failure.ts';
import { disowned } from './safely.ts';

/** What a function wants of its caller while it runs, in the words of MCP: the only protocol that lets one ask. */
export interface Question {
  /** Tells the questions of one call apart; the same each time the call is made. */
  readonly name: string;
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** The answer that came was no good. */
  readonly again: boolean;
}

/** How a wire reaches its caller. */
export interface Asker {
  /** Whether the caller said that it takes such questions. */
  can(method: string): boolean;
  /** Whether such a question may be sent; one that the caller did not declare may be the protocol's to refuse. */
  takes(method: string): boolean;
  /** The protocol's result. May never come, when the call has to be made anew with the answers. */
  ask(question: Question): Promise<unknown>;
}

/** Asking, for the author. */
export interface Asking {
  /**
   * Asks the person behind the caller to fill in a form: an object of texts, numbers, booleans and choices. On some
   * connections the function is run from its beginning again once there is an answer, so ask before you act.
   */
  ask<const S extends Schema>(schema: S, message: string, options?: AskOptions): Promise<Given<S>>;
  /** Any other question of the protocol, such as `sampling/createMessage`; its result as it comes. */
  request(method: string, params?: Readonly<Record<string, unknown>>, options?: AskOptions): Promise<unknown>;
  /** Whether the caller takes such questions; without a method, whether a person can be asked. */
  canAsk(method?: string): boolean;
}

export interface AskOptions {
  /** A name for the question; numbered if not given. */
  readonly name?: string;
}

const FORM = 'elicitation/create';
const PATIENCE = 3;

/** One call's questions. */
export class CallQuestions implements Asking {
  #asked = 0;
  /** Questions may be asked side by side. */
  #waiting = 0;

  constructor(
    private readonly asker: Asker | undefined,
    private readonly rules: ArgumentRules['bounds'],
    /** Told when the call waits for its caller, and when it goes on: that time is not the function's. */
    private readonly onWait: (isWaiting: boolean) => void,
  ) {}

  canAsk(method = FORM): boolean {
    return disowned(this.asker?.can(method)) === true;
  }

  async ask<const S extends Schema>(schema: S, message: string, options: AskOptions = {}): Promise<Given<S>> {
    const { json, parse } = readSchema(schema, 'input');
    const admit = compileArguments({ json, parse: undefined }, { strict: false, coerce: true, bounds: this.rules });
    const name = this.#nameOf(options);
    for (let attempt = 0; attempt < PATIENCE; attempt++) {
      const answer = await this.#send(name, FORM, { message, requestedSchema: json }, attempt > 0);
      const { action, content } = (answer ?? {}) as { action?: unknown; content?: unknown };
      if (action === 'decline') throw new Failure('DECLINED', `The caller declined to answer: ${message}`);
      if (action === 'cancel') throw asRefused(new Failure('CANCELLED', `The caller did not answer: ${message}`));
      const admitted = admit(content);
      if (admitted.problems || action !== 'accept') continue;
      const parsed = parse ? await parse(admitted.value) : admitted;
      if (!parsed.problems) return parsed.value as Given<S>;
    }
    throw new Failure('INVALID_ARGUMENTS', `The caller's answer does not fit: ${message}`);
  }

  async request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    options: AskOptions = {},
  ): Promise<unknown> {
    return this.#send(this.#nameOf(options), method, params, false);
  }

  #nameOf({ name }: AskOptions): string {
    this.#asked++;
    return name ?? `question${this.#asked}`;
  }

  async #send(
    name: string,
    method: string,
    params: Readonly<Record<string, unknown>>,
    again: boolean,
  ): Promise<unknown> {
    if (!this.asker || !disowned(this.asker.takes(method))) throw cannotAsk(method, params);
    if (this.#waiting++ === 0) this.onWait(true);
    try {
      return await this.asker.ask({ name, method, params, again });
    } finally {
      if (--this.#waiting === 0) this.onWait(false);
    }
  }
}

/** Says what is missing, so that a caller who cannot be asked can give it in another way. */
function cannotAsk(method: string, params: Readonly<Record<string, unknown>>): Failure {
  const question = typeof params['message'] === 'string' ? params['message'] : method;
  const schema = params['requestedSchema'] as JsonSchema | undefined;
  return new Failure('INPUT_REQUIRED', `This needs an answer that cannot be asked for here: ${question}`, {
    details: { question, ...(schema && { schema }) },
  });
}
