import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { withoutAnchors } from './anchors.ts';
import { mapSchemas } from './embed.ts';
import { shortPointer } from './engine/place.ts';
import { CHECKED_BY_LIBRARY, FORM_KEYWORD } from './json-schema.ts';
import type { FromJsonSchema, JsonSchema } from './json-schema.ts';
import { parseOnce } from './parse-once.ts';
import { keysOf } from './pointer.ts';
import { listed } from './problem.ts';
import type { Problem } from './problem.ts';
import { NOTES } from './schema-tree.ts';
import { forms } from './wire-forms.ts';

/** How an author describes data: a schema of any Standard Schema library, or plain JSON Schema. */
export type Schema = StandardSchemaV1 | JsonSchema;

/** The type of the values that a schema accepts. */
export type Accepted<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : FromJsonSchema<S, 'accepted'>;

/** The type of the values after transforms and defaults. */
export type Given<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : FromJsonSchema<S>;

/** The type of the values that clients receive: a library has applied its defaults, JSON Schema has not. */
export type Sent<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : FromJsonSchema<S, 'accepted'>;

/** A library's own parser: transforms, defaults and refinements that JSON Schema cannot express. */
type Parse = (value: unknown) => Parsed | Promise<Parsed>;
export type Parsed =
  | { readonly value: unknown; readonly problems?: undefined }
  | { readonly problems: readonly Problem[] };

/** The JSON Schema of a schema, and its parser if it comes from a library. */
export interface ReadSchema {
  readonly json: JsonSchema;
  readonly parse: Parse | undefined;
}

/**
 * Reads an author's schema. Throws an Error with a readable message if it cannot be converted to JSON Schema.
 */
export function readSchema(schema: Schema, side: 'input' | 'output'): ReadSchema {
  if (!isStandard(schema)) return { json: inlineRootRef(withoutAnchors(schema)), parse: undefined };
  const standard = schema['~standard'];
  const converter = (standard as Partial<StandardJSONSchemaV1.Props>).jsonSchema;
  if (!converter) {
    throw new Error(`this ${standard.vendor} schema cannot be converted to JSON Schema${HINTS[standard.vendor] ?? ''}`);
  }
  const { $schema: _, ...json } = converter[side]({
    target: 'draft-2020-12',
    libraryOptions: LIBRARY_OPTIONS[standard.vendor]?.(side) ?? {},
  });
  const validate = parseOnce(schema);
  return { json: inlineRootRef(markLibraryChecks(json)), parse: (value) => settle(validate(value)) };
}

const HINTS: Readonly<Record<string, string>> = {
  valibot: '; wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
  zod: '; zod 4 (4.2 or newer) is needed, not zod 3',
};

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
}

/** Copies a schema and marks formats and patterns as checked by the library, except in our wire forms. */
function markLibraryChecks(schema: JsonSchema): JsonSchema {
  const copy = mapSchemas(schema, markLibraryChecks);
  const isOurs = FORM_KEYWORD in schema || !['format', 'pattern', 'minLength'].some((keyword) => keyword in schema);
  return isOurs ? copy : { ...copy, [CHECKED_BY_LIBRARY]: true };
}

/** Options that make each library use our wire forms for dates and big integers (see wire-forms.ts). */
const LIBRARY_OPTIONS: Record<string, (side: 'input' | 'output') => Record<string, unknown>> = {
  zod: (side) => ({ unrepresentable: 'any', override: (node: ZodNode) => overrideZod(node, side) }),
  arktype: () => ({ fallback: arktypeFallback }),
};

interface ArktypePart {
  readonly base: JsonSchema;
  readonly domain?: string;
  readonly proto?: { readonly name: string };
  readonly unit?: unknown;
}

/** Schemas for what arktype cannot express in JSON Schema; without them it would accept anything. */
const arktypeFallback = {
  date: () => forms.date,
  domain: ({ domain }: ArktypePart) => (domain === 'bigint' ? ANY_BIGINT : notJson(`an arktype ${domain}`)),
  proto: ({ proto }: ArktypePart) => {
    if (proto?.name === 'Date') return forms.date;
    return proto?.name === 'Uint8Array' ? forms.bytes : notJson(`an arktype ${proto?.name ?? 'class'}`);
  },
  // `undefined` means absent: no JSON value matches.
  unit: ({ unit }: ArktypePart) =>
    unit === undefined ? { not: {} } : notJson(`an arktype literal of a ${typeof unit}`),
};

function notJson(what: string): never {
  throw new Error(`${what} cannot be represented in JSON`);
}

/** Any number of digits, not only 64 bits. */
const { format: _int64, ...ANY_BIGINT } = forms.bigint;

interface ZodNode {
  readonly zodSchema: { readonly _zod: { readonly def: ZodDefinition } };
  readonly jsonSchema: Record<string, unknown>;
}

interface ZodDefinition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly values?: readonly unknown[];
  readonly in?: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly pattern?: unknown;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly pattern?: unknown } } }[];
}

const NOT_JSON = new Set(['symbol', 'undefined', 'void', 'map', 'set', 'nan', 'function', 'promise', 'file']);

function overrideZod({ zodSchema, jsonSchema }: ZodNode, side: 'input' | 'output'): void {
  const { def } = zodSchema._zod;
  const { type } = def;
  if (NOT_JSON.has(type)) notJson(`a zod ${type}`);
  if (def.values?.some((value) => typeof value === 'bigint')) notJson('a zod literal of a bigint');
  if (type === 'date') Object.assign(jsonSchema, forms.date);
  if (type === 'bigint') Object.assign(jsonSchema, ANY_BIGINT);
  if (hasFlags(def)) delete jsonSchema['pattern'];
  if (side === 'output') return;
  if (type === 'date' && def.coerce) {
    delete jsonSchema['format'];
    delete jsonSchema['pattern'];
    jsonSchema['type'] = ['string', 'number']; // anything that Date parses
  }
  if (type === 'string' && def.coerce) jsonSchema['type'] = ['string', 'number', 'boolean'];
  // These accept any value and convert it.
  if (type === 'catch' || (type === 'pipe' && def.in?._zod.def.type === 'transform')) {
    for (const keyword of Object.keys(jsonSchema)) if (!NOTES.has(keyword)) delete jsonSchema[keyword];
  }
}

/** JSON Schema cannot express the flags of a regular expression, and without them it means something else. */
function hasFlags({ pattern, checks = [] }: ZodDefinition): boolean {
  const patterns = [pattern, ...checks.map(({ _zod }) => _zod.def.pattern)];
  return patterns.some((one) => one instanceof RegExp && /[^u]/.test(one.flags));
}

/** Libraries write a named root as `{$ref: '#/$defs/Name', $defs}`; wires need the object itself. */
function inlineRootRef(schema: JsonSchema): JsonSchema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const [where, name, ...deeper] = keysOf(ref);
  const defs = schema['$defs'] as Record<string, JsonSchema> | undefined;
  if (where !== '$defs' || name === undefined || deeper.length > 0 || !defs?.[name]) return schema;
  const { $ref: _, ...others } = schema;
  const inlined: JsonSchema = { ...defs[name], ...others };
  const used = JSON.stringify({ ...inlined, $defs: undefined }) + JSON.stringify(defs[name]);
  const isNeeded = Object.keys(defs).length > 1 || used.includes(`"#/$defs/${name}"`);
  if (isNeeded) return inlined;
  const { $defs: __, ...alone } = inlined;
  return alone;
}

function settle(result: StandardSchemaV1.Result<unknown> | Promise<StandardSchemaV1.Result<unknown>>) {
  return 'then' in result ? Promise.resolve(result).then(toParsed) : toParsed(result);
}

function toParsed(result: StandardSchemaV1.Result<unknown>): Parsed {
  if (typeof result !== 'object') throw new TypeError('The schema library returned no result');
  if (!result.issues) return { value: result.value };
  return {
    problems: listed(result.issues, ({ message, path = [] }) => ({
      pointer: shortPointer(path.map((step) => (typeof step === 'object' ? step.key : step))),
      message,
    })),
  };
}
