import type { Outcome } from '../core/outcome.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** A function as its server describes it. */
export interface Callable {
  /** The operationId or the tool name. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ClientCallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the response. */
  readonly timeout?: number;
}

/** A connection to a server. */
export interface Connection {
  /** An unreachable server is a failure like any other. */
  call(name: string, input: unknown, signal: AbortSignal | undefined): Promise<Outcome>;
  list(): Promise<readonly Callable[]>;
  close(): Promise<void>;
}

/** Finds a function by its exact name, or by the short name of an everywire function. */
export function findCallable<C extends Callable>(callables: readonly C[], name: string): C | undefined {
  const names = [name, `functions.${name}`, `functions_${name}`];
  return names.map((wanted) => callables.find((one) => one.name === wanted)).find((one) => one !== undefined);
}
