import type { Needs } from '../core/context.ts';
import type { Adds } from '../core/middleware.ts';

// Types only: createApp compares what its functions, resources and prompts need with what `start` and middleware give.

/** The options that an app must have, because one of its parts needs what they give. */
export type RequiredOptions<Item> = ([Lacking<Item, {}, any>] extends [never] ? unknown : { readonly start: unknown }) &
  ([Lacking<Item, any, {}>] extends [never] ? unknown : { readonly middleware: unknown });

/** Nothing can be of this type if something is missing. The error of the compiler shows the text. */
export type Satisfied<Item, Deps, Layers extends readonly unknown[]> = [Lacking<Item, Deps, Given<Layers>>] extends [
  never,
]
  ? unknown
  : Lacking<Item, Deps, Given<Layers>>;

/** What is missing for which part; never if nothing is. Distributes over the parts. */
type Lacking<Item, Deps, Values> = Item extends {
  readonly name: infer Name extends string;
  readonly '~needs'?: infer N;
}
  ? IsAny<N> extends true
    ? never // a definition about which nothing is known
    : NonNullable<N> extends infer Needed extends Needs
      ? [Deps] extends [Needed['deps']]
        ? [Values] extends [Needed['values']]
          ? never
          : `${Name} needs context.values that no middleware passes to next`
        : `${Name} needs context.deps that start does not return`
      : never
  : never;

type IsAny<T> = 0 extends 1 & T ? true : false;

/** The values that all middleware together passes to `next`; any if it is not known how many there are. */
type Given<Layers extends readonly unknown[]> = number extends Layers['length'] ? any : AddedBy<Layers>;

type AddedBy<Layers extends readonly unknown[]> = Layers extends readonly [infer First, ...infer Others]
  ? Added<First> & AddedBy<Others>
  : {};

type Added<Layer> = Layer extends (...parameters: never) => infer Result
  ? [AddedIn<Awaited<Result>>] extends [never]
    ? {}
    : AddedIn<Awaited<Result>>
  : {};

/** Outcomes that the middleware creates itself add nothing, and no function runs with them. */
type AddedIn<Result> = Result extends unknown
  ? '~values' extends keyof Result
    ? Result extends Adds<infer Values>
      ? Values
      : never
    : never
  : never;
