import type { JsonSchema } from '../schema/json-schema.ts';
import { promptFunction } from './prompt.ts';
import type { PromptDefinition } from './prompt.ts';
import { createRegistry } from './registry.ts';
import type { Registry } from './registry.ts';
import type { ReadOptions } from './read-definition.ts';
import { unknownOptions } from './unknown-options.ts';
import type { Known } from './unknown-options.ts';

const PROMPT_OPTIONS = {
  name: true,
  title: true,
  description: true,
  input: true,
  scopes: true,
  complete: true,
  run: true,
  '~needs': true,
} satisfies Known<PromptDefinition>;

/** A prompt of an app. */
interface RegisteredPrompt {
  readonly definition: PromptDefinition;
  readonly inputSchema: JsonSchema;
}

export interface Prompts extends Registry {
  readonly list: readonly RegisteredPrompt[];
}

export function createPrompts(
  definitions: readonly PromptDefinition[],
  options: ReadOptions,
  problems: string[],
): Prompts {
  for (const [i, definition] of definitions.entries())
    problems.push(...unknownOptions(definition, PROMPT_OPTIONS, `prompts[${i}]`));
  const registry = createRegistry(definitions.map(promptFunction), options, problems, 'prompts');
  const list = definitions.flatMap((definition) => {
    const fn = registry.find(definition.name);
    return fn ? [{ definition, inputSchema: fn.inputSchema }] : [];
  });
  return { ...registry, list };
}
