import type { Hints } from '../../core/function.ts';
import type { TaskMode } from '../../core/task.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';

/** What was read in a module: plain JSON, so that it can be cached, frozen into a build, compared and printed. */
export interface ModuleDescription {
  /** In the order of the source. */
  readonly functions: readonly FunctionDescription[];
  /** Exported functions that cannot be served, and why. */
  readonly refusals: readonly Refusal[];
}

export interface FunctionDescription {
  /** `Add`, or `orders.List` in a group. */
  readonly name: string;
  /** Where the function is among the exports: `['orders', 'List']`. */
  readonly path: readonly string[];
  /** `instance`: a method of an object that is created with `new`, without arguments, on the first call. */
  readonly of: 'exports' | 'instance';
  readonly description: string;
  readonly title?: string;
  readonly isDeprecated?: boolean;
  readonly hints?: Hints;
  readonly scopes?: readonly string[];
  readonly task?: TaskMode;
  /** `class`: the name of a class of errors that have this code. */
  readonly errors?: Readonly<
    Record<string, { readonly description: string; readonly status?: number; readonly class?: string }>
  >;
  readonly examples?: readonly { readonly title?: string; readonly input: unknown; readonly output?: unknown }[];
  /** How the input becomes arguments, by position. */
  readonly parameters: readonly ParameterDescription[];
  /** Of the whole input; always an object. */
  readonly input: JsonSchema;
  readonly result: ResultDescription;
  /** What a generator yields. */
  readonly yields?: JsonSchema;
  /** Where it is declared, for messages. */
  readonly position: Position;
}

export type ParameterDescription =
  | { readonly kind: 'property'; readonly name: string; readonly isRest?: boolean }
  /** The input itself. `hasDefault`: if nothing is sent, the function uses what it has for that. */
  | { readonly kind: 'input'; readonly hasDefault?: boolean }
  | { readonly kind: 'context' };

export type ResultDescription =
  | { readonly kind: 'none' }
  | { readonly kind: 'one'; readonly schema: JsonSchema }
  /** A tuple. */
  | { readonly kind: 'several'; readonly schemas: readonly JsonSchema[] };

export interface Position {
  /** Relative to the module. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly column: number;
}

export interface Refusal extends Position {
  readonly name: string;
  /** The line of the source, for the caret. */
  readonly source: string;
  /** What is wrong, and what to do. */
  readonly reason: string;
}
