import type { Push } from '../core/chunk-stream.ts';
import type { Progress } from '../core/context.ts';
import type { Outcome } from '../core/outcome.ts';
import type { TaskConnection, TaskTerms } from './task-connection.ts';
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
  /** Milliseconds to wait for the response, and for the whole of a returned file. */
  readonly timeout?: number;
  /** Calls with the same key are one task: a call that is repeated does not do the work twice. */
  readonly idempotencyKey?: string;
  /** Cancels the task that the call became if its signal is aborted or its time is up. Otherwise the task goes on. */
  readonly cancelOnAbort?: boolean;
}

export type ClientStartOptions = Pick<ClientCallOptions, 'signal' | 'timeout' | 'idempotencyKey'>;

export interface ClientStreamOptions extends ClientCallOptions {
  readonly onProgress?: (progress: Progress) => void;
}

/** Where the chunks of a call go, and its progress. */
export interface StreamHooks extends Pick<ClientStreamOptions, 'onProgress'> {
  readonly push: Push<unknown>;
}

/** A connection to a server. */
export interface Connection {
  /**
   * An unreachable server is a failure like any other. With `hooks`, the server is asked for a stream. The outcome may be a
   * task, also if none was asked for.
   */
  call(
    name: string,
    input: unknown,
    signal: AbortSignal | undefined,
    hooks?: StreamHooks,
    terms?: TaskTerms,
  ): Promise<Outcome>;
  readonly tasks: TaskConnection;
  list(): Promise<readonly Callable[]>;
  close(): Promise<void>;
}

/** Finds a function by its exact name, or by the short name of an everywire function. */
export function findCallable<C extends Callable>(callables: readonly C[], name: string): C | undefined {
  const names = [name, `functions.${name}`, `functions_${name.replaceAll('.', '_')}`];
  return names.map((wanted) => callables.find((one) => one.name === wanted)).find((one) => one !== undefined);
}
