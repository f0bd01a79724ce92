import { contentSchema } from '../schema/content-blocks.ts';
import type { ContentBlock } from '../schema/content-blocks.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import type { Given, Schema } from '../schema/schema.ts';
import type { DeclaredScopes } from './access.ts';
import type { Context, Needs, NoNeeds } from './context.ts';
import type { Failure } from './failure.ts';
import type { FunctionDefinition } from './function.ts';
import type { Complete } from './resource.ts';

/** One message of a conversation. */
export interface PromptMessage {
  readonly role: 'user' | 'assistant';
  readonly content: ContentBlock;
}

/** A template for the first messages of a conversation. */
export interface PromptDefinition<Name extends string = string, N extends Needs = any> {
  readonly name: Name;
  readonly title?: string;
  readonly description: string;
  readonly input?: Schema;
  /** What a caller needs to get it. For apps with `access`. */
  readonly scopes?: DeclaredScopes;
  /** Suggestions for each argument. */
  readonly complete?: { readonly [argument: string]: Complete<N> };
  readonly run: (input: any, context: Context<N['deps'], N['values']>) => unknown;
  /** For types only; never set at run time. */
  readonly '~needs'?: N;
}

type PromptResult = string | readonly PromptMessage[] | Failure;

/** What an author writes. */
export type PromptOptions<Name extends string, In, N extends Needs> = Omit<
  PromptDefinition<Name, N>,
  'input' | 'run'
> & {
  readonly input?: In;
  readonly run: (
    input: In extends undefined ? Record<string, never> : Given<In>,
    context: Context<N['deps'], N['values']>,
  ) => PromptResult | Promise<PromptResult>;
};

/** Defines a prompt. A returned string becomes one user message; return a list for several messages. */
export function definePrompt<const Name extends string, const In extends Schema | undefined = undefined>(
  definition: PromptOptions<Name, In, NoNeeds>,
): PromptDefinition<Name, NoNeeds> {
  return Object.freeze({ ...definition }) as never;
}

const messages: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { role: { enum: ['user', 'assistant'] }, content: contentSchema.items },
    required: ['role', 'content'],
  },
  description: 'The messages',
};

/** A prompt as a function, so that getting it is a call like any other. */
export function promptFunction({ name, description, input, scopes, run }: PromptDefinition): FunctionDefinition {
  return {
    name,
    operationId: `prompts.${name}`,
    description,
    ...(input && { input }),
    ...(scopes !== undefined && { scopes }),
    output: messages,
    run: async (values, context) => {
      const result: unknown = await run(values, context);
      return typeof result === 'string' ? [{ role: 'user', content: { type: 'text', text: result } }] : result;
    },
  };
}
