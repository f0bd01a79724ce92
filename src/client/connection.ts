import type { Outcome } from '../core/outcome.ts';
import type { JsonSchema } from '../schema/json-schema.ts';

/** A function that can be called, as its server describes it. */
export interface Callable {
  /** As the server names it: the operationId, the tool's name. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
}

export interface ClientCallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds to wait for the answer. */
  readonly timeout?: number;
}

/** A way to reach functions elsewhere. */
export interface Connection {
  /** Never throws: a server that cannot be reached is a failure like any other. */
  call(name: string, input: unknown, signal: AbortSignal | undefined): Promise<Outcome>;
  list(): Promise<readonly Callable[]>;
  close(): Promise<void>;
}

/** By its own name, or by what ours make of a function's. */
export function findCallable<C extends Callable>(callables: readonly C[], name: string): C | undefined {
  const names = [name, `functions.${name}`, `functions_${name}`];
  return names.map((wanted) => callables.find((one) => one.name === wanted)).find((one) => one !== undefined);
}
