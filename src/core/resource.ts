import { MAX_DEPTH } from '../schema/bounds.ts';
import { toJson } from '../schema/to-json.ts';
import type { DeclaredScopes } from './access.ts';
import type { Context, Needs, NoNeeds } from './context.ts';
import { isFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import type { FunctionDefinition } from './function.ts';
import { compileTemplate } from './uri-template.ts';
import type { VariablesIn } from './uri-template.ts';

/** Returns suggestions for a partly typed value. */
export type Complete<N extends Needs = NoNeeds> = (
  typed: string,
  context: Context<N['deps'], N['values']>,
) => readonly string[] | Promise<readonly string[]>;

/** A readable document, file or record. A URI with `{variables}` describes many. */
export interface ResourceDefinition<Uri extends string = string, N extends Needs = any> {
  readonly uri: Uri;
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  /** `text/plain`, `application/octet-stream` or `application/json` by default, depending on what `read` returns. */
  readonly mimeType?: string;
  /** What a caller needs to read it. For apps with `access`. */
  readonly scopes?: DeclaredScopes;
  /** Lists the resources that a template describes, as far as they are known. */
  readonly list?: (
    context: Context<N['deps'], N['values']>,
  ) => readonly ListedResource[] | Promise<readonly ListedResource[]>;
  /** Suggestions for each variable. */
  readonly complete?: { readonly [variable: string]: Complete<N> };
  /** Returns a string, bytes, or any JSON. */
  readonly read: (variables: any, context: Context<N['deps'], N['values']>) => unknown;
  /** For types only; never set at run time. */
  readonly '~needs'?: N;
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mimeType?: string;
}

/** What an author writes. */
export type ResourceOptions<Uri extends string, N extends Needs> = Omit<
  ResourceDefinition<Uri, N>,
  'read' | 'complete'
> & {
  readonly complete?: { readonly [Name in keyof VariablesIn<Uri>]?: Complete<N> };
  readonly read: (
    variables: VariablesIn<Uri>,
    context: Context<N['deps'], N['values']>,
  ) => string | Uint8Array | object | Failure | Promise<string | Uint8Array | object | Failure>;
};

/** Defines a resource once. It is served over MCP and with HTTP GET. */
export function defineResource<const Uri extends string>(
  definition: ResourceOptions<Uri, NoNeeds>,
): ResourceDefinition<Uri, NoNeeds> {
  return Object.freeze({ ...definition }) as never;
}

/** The content of a resource in its wire form. */
export interface ResourceBody {
  readonly mimeType: string;
  readonly text?: string;
  /** In base64. */
  readonly blob?: string;
}

/** A resource as a function, so that reading it is a call like any other: validated, limited, recorded. */
export function resourceFunction(definition: ResourceDefinition): FunctionDefinition {
  const { names } = compileTemplate(definition.uri);
  return {
    name: definition.name,
    operationId: `resources.${definition.name}`,
    description: definition.description,
    ...(definition.scopes !== undefined && { scopes: definition.scopes }),
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
  const json = toJson(value, MAX_DEPTH);
  // A value that JSON cannot represent fails the output check, which reports where it is.
  if (json.problem) return value;
  return { mimeType: mimeType ?? 'application/json', text: JSON.stringify(json.value) };
}
