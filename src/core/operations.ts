import type { JsonSchema } from '../schema/json-schema.ts';
import type { Access, Scopes } from './access.ts';
import type { Prompts } from './prompts.ts';
import type { Located, Resources } from './resources.ts';
import type { Context } from './context.ts';
import { FrameworkError } from './failure.ts';
import type { FunctionDefinition } from './function.ts';
import { createRegistry } from './registry.ts';
import type { Registry } from './registry.ts';
import type { ReadOptions } from './read-definition.ts';
import type { Kind, RegisteredFunction } from './registered-function.ts';
import type { Complete } from './resource.ts';
import { taskOperations } from './task-operations.ts';
import type { OwnedTasks } from './task-operations.ts';

/** MCP method names. The slash keeps them distinct from the names of functions, resources and prompts. */
export const LIST_RESOURCES = 'resources/list';
export const COMPLETE = 'completion/complete';
export const SUBSCRIBE = 'resources/subscribe';

/** Listing, completion, subscription and tasks as functions: the author's `list` and `complete` run in the pipeline, too. */
export function createOperations(
  resources: Resources,
  prompts: Prompts,
  options: ReadOptions,
  access: Access | undefined,
  loadTasks: () => Promise<OwnedTasks>,
): Registry {
  const functions = [
    register(LIST_RESOURCES, 'list', listFunction(resources, access), options),
    register(COMPLETE, 'completion', completeFunction(resources, prompts, access), options),
    register(SUBSCRIBE, 'subscription', subscribeFunction(resources, access), options),
    ...Object.entries(taskOperations(loadTasks, access !== undefined)).map(([name, definition]) =>
      register(name, 'task', definition, options),
    ),
  ];
  return { functions, find: (name) => functions.find((fn) => fn.name === name) };
}

function register(name: string, kind: Kind, definition: FunctionDefinition, options: ReadOptions): RegisteredFunction {
  const [fn] = createRegistry([definition], options, []).functions;
  return { ...fn!, name, operationId: name, alias: name, kind };
}

/** An entry in the list of resources: a single resource, or a template for many. */
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
    additionalProperties: true, // MCP has more fields: size, icons, annotations
  },
  description: 'The defined resources, then those that templates list',
};

function listFunction({ list: all }: Resources, access: Access | undefined): FunctionDefinition {
  return {
    name: 'list',
    ...(access && { scopes: 'public' }), // contains only what the caller may see
    description: 'Lists the resources',
    input: {
      type: 'object',
      properties: { definitionsOnly: { type: 'boolean', description: 'Leave out the resources that templates list' } },
    },
    output: ENTRIES,
    run: async ({ definitionsOnly = false }: { definitionsOnly?: boolean }, context) => {
      const list = access ? all.filter(({ fn }) => access.shows(context.principal, fn)) : all;
      const defined = list.map(({ definition, template }) => {
        const { uri, name, title, description, mimeType } = definition;
        const address = template.names.length > 0 ? { uriTemplate: uri } : { uri };
        return { ...address, name, ...(title && { title }), description, ...(mimeType && { mimeType }) };
      });
      if (definitionsOnly) return defined;
      const listed = await Promise.all(
        list
          .filter(({ fn }) => !access || access.allows(context.principal, fn))
          .map(async ({ definition }): Promise<unknown> => (definition.list ? definition.list(context) : [])),
      );
      // Anything but a list fails the output check, except a Failure, which is sent.
      return listed.every(Array.isArray) ? [...defined, ...listed.flat()] : listed.find((one) => !Array.isArray(one));
    },
  };
}

/** Does nothing itself: if no middleware objects, the wire subscribes. Needs the scopes of all the resources. */
function subscribeFunction(resources: Resources, access: Access | undefined): FunctionDefinition {
  const scopesOf = ({ uris }: { uris: readonly string[] }) =>
    allOf(located(uris).map(({ resource, variables }) => access!.scopesOf(resource.fn, variables)));
  const located = (uris: readonly string[]) => uris.flatMap((uri) => resources.locate(uri) ?? []);
  return {
    name: 'subscribe',
    description: 'Subscribes to changes of resources',
    ...(access && { scopes: access.hides ? 'public' : scopesOf }),
    input: {
      type: 'object',
      properties: { uris: { type: 'array', items: text, description: 'The addresses' } },
      required: ['uris'],
    },
    run: ({ uris }: { uris: readonly string[] }, { principal }) => {
      const isHidden = (uri: string) => {
        const fn = resources.locate(uri)?.resource.fn;
        return fn !== undefined && !access!.shows(principal, fn);
      };
      const hidden = access?.hides ? uris.find(isHidden) : undefined;
      if (hidden !== undefined) throw new FrameworkError('RESOURCE_NOT_FOUND', `Resource not found: ${hidden}`);
      const mayRead = ({ resource, variables }: Located) => access!.allows(principal, resource.fn, variables);
      if (access?.hides && !located(uris).every(mayRead)) throw new FrameworkError('FORBIDDEN', 'Not allowed');
    },
  };
}

/** The scopes of several things: public if all of them are. */
function allOf(scopes: readonly Scopes[]): Scopes {
  const needed = scopes.filter((one) => one !== 'public');
  return needed.length === 0 ? 'public' : [...new Set(needed.flat())];
}

/** The maximum number of suggestions in MCP. */
const MAX_SUGGESTIONS = 100;

interface CompletionRequest {
  readonly ref: { readonly name?: string; readonly uri?: string };
  readonly argument: { readonly name: string; readonly value: string };
}

function completeFunction(resources: Resources, prompts: Prompts, access: Access | undefined): FunctionDefinition {
  // Of something that is hidden, or does not exist, there is nothing to suggest.
  const scopesOf = ({ ref }: CompletionRequest) => {
    const fn = access!.hides ? undefined : subjectOf(ref);
    return fn ? access!.scopesOf(fn) : 'public';
  };
  return {
    name: 'complete',
    ...(access && { scopes: scopesOf }),
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
      const subject = subjectOf(ref);
      const isOpen = !access?.hides || !subject || access.allows(context.principal, subject);
      const suggest = isOpen ? suggestionsFor(ref, argument.name) : undefined;
      const found: unknown = suggest ? await suggest(argument.value, context) : [];
      // Anything but a list of strings fails the output check, except a Failure, which is sent.
      if (!isListOfStrings(found)) return found;
      const typed = argument.value.toLowerCase();
      const matching = found.filter((value) => value.toLowerCase().startsWith(typed));
      return {
        values: matching.slice(0, MAX_SUGGESTIONS),
        total: matching.length,
        hasMore: matching.length > MAX_SUGGESTIONS,
      };
    },
  };

  function subjectOf({ uri, name }: CompletionRequest['ref']): RegisteredFunction | undefined {
    return resources.list.find(({ definition }) => definition.uri === uri)?.fn ?? prompts.find(name ?? '');
  }

  /** The author's `complete`, or the enum values of the schema. */
  function suggestionsFor({ uri, name }: CompletionRequest['ref'], argument: string): Complete | undefined {
    const resource = resources.list.find(({ definition }) => definition.uri === uri);
    if (resource) return own(resource.definition.complete, argument);
    const prompt = prompts.list.find(({ definition }) => definition.name === name);
    const values = own(prompt?.inputSchema.properties, argument)?.enum;
    return own(prompt?.definition.complete, argument) ?? (values && (() => values.map(String)));
  }
}

/** Own properties only: the key comes from the client and must not reach the prototype. */
function own<T>(record: { readonly [key: string]: T } | undefined, key: string): T | undefined {
  return record && Object.hasOwn(record, key) ? record[key] : undefined;
}

function isListOfStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
