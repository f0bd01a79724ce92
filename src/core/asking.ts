import type { Given, Schema } from '../schema/schema.ts';
import { readSchema } from '../schema/schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { compileArguments } from './input-output.ts';
import type { Bounds } from '../schema/bounds.ts';
import { ContextFailure, Failure, FrameworkError } from './failure.ts';
import { handleRejection } from './safely.ts';

/** A request from a running function to its caller. The terms are MCP's, the only protocol that supports this. */
export interface Question {
  /** Unique within the call, and the same whenever the call is repeated. */
  readonly name: string;
  /** `elicitation/create`, `sampling/createMessage` or `roots/list`. */
  readonly method: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** Whether the previous answer was invalid. */
  readonly again: boolean;
}

/** A wire's connection back to the caller. */
export interface Asker {
  /** What was answered in earlier rounds, by the name of the question. */
  readonly answers?: Readonly<Record<string, unknown>>;
  /** Whether the caller declared that it supports the method. */
  can(method: string): boolean;
  /** Whether the method may be sent at all. If the caller did not declare it, the protocol may reject it later. */
  takes(method: string): boolean;
  /** Returns the protocol's result. Never settles if the caller has to repeat the call with the answers. */
  ask(question: Question): Promise<unknown>;
}

/** The methods of the context that ask the caller for input. */
export interface Asking {
  /**
   * Asks the user to fill in a form (MCP elicitation): an object of strings, numbers, booleans and enums. On some
   * connections the function runs again from the start once there is an answer, so ask before you change anything.
   */
  ask<const S extends Schema>(schema: S, message: string, options?: AskOptions): Promise<Given<S>>;
  /** Sends any other MCP request to the client, such as `sampling/createMessage`. Returns its result unchecked. */
  request(method: string, params?: Readonly<Record<string, unknown>>, options?: AskOptions): Promise<unknown>;
  /** Whether the caller supports the method; without a method, whether it supports `ask`. */
  canAsk(method?: string): boolean;
}

export interface AskOptions {
  /** Identifies the question within the call; a number by default. */
  readonly name?: string;
}

const FORM = 'elicitation/create';
const MAX_ATTEMPTS = 3;

/** Sends the questions of one call. */
export class CallQuestions implements Asking {
  #count = 0;
  /** Several questions may be open at once. */
  #waiting = 0;

  constructor(
    private readonly asker: Asker | undefined,
    private readonly bounds: Bounds,
    /** Called when the call starts and stops waiting for input. That time does not count against its limit. */
    private readonly onWait: (isWaiting: boolean) => void,
  ) {}

  canAsk(method = FORM): boolean {
    return handleRejection(this.asker?.can(method)) === true;
  }

  async ask<const S extends Schema>(schema: S, message: string, options: AskOptions = {}): Promise<Given<S>> {
    const { json, parse } = readSchema(schema, 'input');
    const admit = compileArguments({ json, parse: undefined }, { strict: false, coerce: true, bounds: this.bounds });
    const name = this.#nameOf(options);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const answer = await this.#send(name, FORM, { message, requestedSchema: json }, attempt > 0);
      const { action, content } = (answer ?? {}) as { action?: unknown; content?: unknown };
      if (action === 'decline') throw new ContextFailure('DECLINED', `The caller declined to answer: ${message}`);
      if (action === 'cancel') throw new FrameworkError('CANCELLED', `The caller did not answer: ${message}`);
      const admitted = admit(content);
      if (admitted.problems || action !== 'accept') continue;
      const parsed = parse ? await parse(admitted.value) : admitted;
      if (!parsed.problems) return parsed.value as Given<S>;
    }
    throw new ContextFailure('INVALID_ARGUMENTS', `The caller's answer is invalid: ${message}`);
  }

  async request(
    method: string,
    params: Readonly<Record<string, unknown>> = {},
    options: AskOptions = {},
  ): Promise<unknown> {
    return this.#send(this.#nameOf(options), method, params, false);
  }

  #nameOf({ name }: AskOptions): string {
    this.#count++;
    return name ?? `question${this.#count}`;
  }

  async #send(
    name: string,
    method: string,
    params: Readonly<Record<string, unknown>>,
    again: boolean,
  ): Promise<unknown> {
    if (!this.asker || !handleRejection(this.asker.takes(method))) throw cannotAsk(method, params);
    if (this.#waiting++ === 0) this.onWait(true);
    try {
      return await this.asker.ask({ name, method, params, again });
    } finally {
      if (--this.#waiting === 0) this.onWait(false);
    }
  }
}

/** Includes the question and its schema, so that the caller can supply the input in another way. */
function cannotAsk(method: string, params: Readonly<Record<string, unknown>>): Failure {
  const question = typeof params['message'] === 'string' ? params['message'] : method;
  const schema = params['requestedSchema'] as JsonSchema | undefined;
  return new ContextFailure('INPUT_REQUIRED', `Input required, but this client cannot be prompted: ${question}`, {
    details: { question, ...(schema && { schema }) },
  });
}
