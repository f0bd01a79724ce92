import { DEEPEST } from '../schema/bounds.ts';
import { toJson } from '../schema/to-json.ts';
import type { Context } from './context.ts';
import { isFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import type { FunctionDefinition } from './function.ts';
import { compileTemplate } from './uri-template.ts';
import type { VariablesIn } from './uri-template.ts';

/** Suggestions for what somebody begins to type. */
export type Complete = (typed: string, context: Context) => readonly string[] | Promise<readonly string[]>;

/** Something that can be read: a document, a file, a record. A URI with `{variables}` stands for many. */
export interface ResourceDefinition<Uri extends string = string> {
  readonly uri: Uri;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** Of text and bytes; anything else is JSON. */
  readonly mimeType?: string;
  /** What is known of those that a template stands for. */
  readonly list?: (context: Context) => readonly ListedResource[] | Promise<readonly ListedResource[]>;
  /** Suggestions for each variable. */
  readonly complete?: { readonly [variable: string]: Complete };
  /** Text, bytes, or any JSON. */
  readonly read: (variables: any, context: Context) => unknown;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** Defines a resource once: it is served over MCP, and over HTTP with GET. */
export function defineResource<const Uri extends string>(
  definition: Omit<ResourceDefinition<Uri>, 'read' | 'complete'> & {
    readonly complete?: { readonly [Name in keyof VariablesIn<Uri>]?: Complete };
    readonly read: (
      variables: VariablesIn<Uri>,
      context: Context,
    ) => string | Uint8Array | object | Failure | Promise<string | Uint8Array | object | Failure>;
  },
): ResourceDefinition<Uri> {
  return Object.freeze({ ...definition }) as never;
}

/** What a resource holds, as it travels. */
export interface ResourceBody {
  readonly mimeType: string;
  readonly text?: string;
  /** In base64. */
  readonly blob?: string;
}

/** Reading is a call like any other: validated, bounded, recorded. */
export function readerOf(definition: ResourceDefinition): FunctionDefinition {
  const { names } = compileTemplate(definition.uri);
  return {
    name: definition.name,
    operationId: `resources.${definition.name}`,
    description: definition.description,
    strict: true,
    input: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', description: name }])),
      required: names,
    },
    output: {
      type: 'object',
      properties: { mimeType: { type: 'string' }, text: { type: 'string' }, blob: { type: 'string' } },
      required: ['mimeType'],
      description: definition.description,
    },
    run: async (variables, context) => toBody(await definition.read(variables, context), definition.mimeType),
  };
}

function toBody(value: unknown, mimeType: string | undefined): unknown {
  if (typeof value === 'string') return { mimeType: mimeType ?? 'text/plain', text: value };
  if (value instanceof Uint8Array) return { mimeType: mimeType ?? 'application/octet-stream', blob: value };
  if (isFailure(value)) return value;
  const carried = toJson(value, DEEPEST);
  // What JSON cannot carry fails the check of the output, which says where it is.
  if (carried.problem) return value;
  return { mimeType: mimeType ?? 'application/json', text: JSON.stringify(carried.value) };
}
