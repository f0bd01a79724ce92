import type { JsonSchema } from '../schema/json-schema.ts';
import type { Prompts } from './prompts.ts';
import type { Resources } from './resources.ts';
import type { Context } from './context.ts';
import type { FunctionDefinition } from './function.ts';
import { createRegistry } from './registry.ts';
import type { Registry } from './registry.ts';
import type { ReadOptions } from './read-definition.ts';
import type { Kind, RegisteredFunction } from './registered-function.ts';
import type { Complete } from './resource.ts';

/** Names that no function, resource or prompt can have: those of MCP's methods. */
export const LIST_RESOURCES = 'resources/list';
export const COMPLETE = 'completion/complete';
export const SUBSCRIBE = 'resources/subscribe';

/** What can be asked about resources and prompts, besides reading one. The author's `list` and `complete` run in here. */
export function createOperations(resources: Resources, prompts: Prompts, options: ReadOptions): Registry {
  const functions = [
    register(LIST_RESOURCES, 'list', lister(resources), options),
    register(COMPLETE, 'completion', completer(resources, prompts), options),
    register(SUBSCRIBE, 'subscription', SUBSCRIBER, options),
  ];
  return { functions, find: (name) => functions.find((fn) => fn.name === name) };
}

function register(name: string, kind: Kind, definition: FunctionDefinition, options: ReadOptions): RegisteredFunction {
  const [fn] = createRegistry([definition], options, []).functions;
  return { ...fn!, name, operationId: name, alias: name, kind };
}

/** A resource in a list: one that is there, or a template for many. */
export interface ListedEntry {
  readonly uri?: string;
  readonly uriTemplate?: string;
  readonly name: string;
}

const text = { type: 'string' } as const;

const ENTRIES: JsonSchema = {
  type: 'array',
  items: {
    type: 'object',
    properties: { uri: text, uriTemplate: text, name: text, title: text, description: text, mimeType: text },
    required: ['name'],
    anyOf: [{ required: ['uri'] }, { required: ['uriTemplate'] }],
    additionalProperties: true, // the protocol knows more: size, icons, annotations
  },
  description: 'What is defined, then what the authors of templates list',
};

function lister({ list }: Resources): FunctionDefinition {
  return {
    name: 'list',
    description: 'Lists the resources',
    input: {
      type: 'object',
      properties: { definitionsOnly: { type: 'boolean', description: 'Leave out what a template lists' } },
    },
    output: ENTRIES,
    run: async ({ definitionsOnly = false }: { definitionsOnly?: boolean }, context) => {
      const defined = list.map(({ definition, template }) => {
        const { uri, name, title, description, mimeType } = definition;
        const address = template.names.length > 0 ? { uriTemplate: uri } : { uri };
        return { ...address, name, ...(title && { title }), description, ...(mimeType && { mimeType }) };
      });
      if (definitionsOnly) return defined;
      const known = await Promise.all(
        list.map(async ({ definition }): Promise<unknown> => (definition.list ? definition.list(context) : [])),
      );
      // What is no list fails the check of the output; a failure goes out as it is.
      return known.every(Array.isArray) ? [...defined, ...known.flat()] : known.find((one) => !Array.isArray(one));
    },
  };
}

/** Does nothing itself: a wire that can report changes subscribes if no middleware objects. */
const SUBSCRIBER: FunctionDefinition = {
  name: 'subscribe',
  description: 'Subscribes to changes of resources',
  input: {
    type: 'object',
    properties: { uris: { type: 'array', items: text, description: 'The addresses' } },
    required: ['uris'],
  },
  run: () => {},
};

/** As many suggestions as the protocol allows. */
const MOST = 100;

interface CompletionRequest {
  readonly ref: { readonly name?: string; readonly uri?: string };
  readonly argument: { readonly name: string; readonly value: string };
}

function completer(resources: Resources, prompts: Prompts): FunctionDefinition {
  return {
    name: 'complete',
    description: 'Suggests values for an argument of a prompt or a variable of a resource',
    coerce: false,
    input: {
      type: 'object',
      properties: {
        ref: {
          type: 'object',
          properties: { type: text, name: text, uri: text },
          description: 'Which prompt or resource',
        },
        argument: {
          type: 'object',
          properties: { name: text, value: text },
          required: ['name', 'value'],
          description: 'What was typed so far',
        },
      },
      required: ['ref', 'argument'],
    },
    output: {
      type: 'object',
      properties: {
        values: { type: 'array', items: text },
        total: { type: 'integer' },
        hasMore: { type: 'boolean' },
      },
      required: ['values', 'total', 'hasMore'],
      description: 'The suggestions',
    },
    run: async ({ ref, argument }: CompletionRequest, context: Context) => {
      const suggest = suggestionsFor(ref, argument.name);
      const found: unknown = suggest ? await suggest(argument.value, context) : [];
      // What is no list of strings fails the check of the output; a failure goes out as it is.
      if (!isListOfStrings(found)) return found;
      const typed = argument.value.toLowerCase();
      const fitting = found.filter((value) => value.toLowerCase().startsWith(typed));
      return { values: fitting.slice(0, MOST), total: fitting.length, hasMore: fitting.length > MOST };
    },
  };

  /** The author's, or the values that the schema lists. */
  function suggestionsFor({ uri, name }: CompletionRequest['ref'], argument: string): Complete | undefined {
    const resource = resources.list.find(({ definition }) => definition.uri === uri);
    if (resource) return own(resource.definition.complete, argument);
    const prompt = prompts.list.find(({ definition }) => definition.name === name);
    const values = own(prompt?.inputSchema.properties, argument)?.enum;
    return own(prompt?.definition.complete, argument) ?? (values && (() => values.map(String)));
  }
}

/** The argument's name is the client's: it must not reach what every object inherits. */
function own<T>(record: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
