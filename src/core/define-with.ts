import type { Schema } from '../schema/schema.ts';
import type { Needs } from './context.ts';
import { defineFunction } from './function.ts';
import type { DefineFunction } from './function.ts';
import type { Middleware } from './middleware.ts';
import { definePrompt } from './prompt.ts';
import type { PromptDefinition, PromptOptions } from './prompt.ts';
import { defineResource } from './resource.ts';
import type { ResourceDefinition, ResourceOptions } from './resource.ts';

/** The parts of an app whose context is typed. Properties, and not methods: they are taken out of it. */
interface Define<N extends Needs> {
  readonly defineFunction: DefineFunction<N>;
  readonly defineResource: <const Uri extends string>(
    definition: ResourceOptions<Uri, N>,
  ) => ResourceDefinition<Uri, N>;
  readonly definePrompt: <const Name extends string, const In extends Schema | undefined = undefined>(
    definition: PromptOptions<Name, In, N>,
  ) => PromptDefinition<Name, N>;
  /** Keeps the type of the values that the middleware passes to `next`. */
  readonly defineMiddleware: <const Layer extends Middleware<N['deps'], N['values']>>(middleware: Layer) => Layer;
}

type Given<T, Name extends keyof Needs> = T extends { readonly [K in Name]: infer Type extends object } ? Type : {};

/**
 * The functions that define parts of an app, with the types of its `context.deps` and `context.values`. `createApp` then
 * requires a `start` and middleware that return them.
 */
export function defineWith<Types extends Partial<Needs>>(): Define<{
  readonly deps: Given<Types, 'deps'>;
  readonly values: Given<Types, 'values'>;
}> {
  return {
    defineFunction,
    defineResource,
    definePrompt,
    defineMiddleware: (middleware: unknown) => middleware,
  } as never;
}
