import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import type { FromJsonSchema, JsonSchema } from './json-schema.ts';
import { parseOnce } from './parse-once.ts';
import { keysOf, pointerTo } from './pointer.ts';
import type { Problem } from './problem.ts';
import { forms } from './wire-forms.ts';

/** What an author may describe data with: a schema of any Standard Schema library, or plain JSON Schema. */
export type Schema = StandardSchemaV1 | JsonSchema;

/** The values a schema lets in. */
export type Accepted<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferInput<S> : FromJsonSchema<S, 'accepted'>;

/** The values a schema gives after its transforms and defaults. */
export type Given<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : FromJsonSchema<S>;

/** The values a schema describes once they have been sent: a library has applied its defaults, JSON Schema has not. */
export type Sent<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : FromJsonSchema<S, 'accepted'>;

/** A library's own pass over a value: transforms, defaults and refinements that JSON Schema cannot say. */
type Parse = (value: unknown) => Parsed | Promise<Parsed>;
export type Parsed = { readonly value: unknown; readonly problems?: undefined } | { readonly problems: Problem[] };

/** A schema after reading: its JSON Schema, and the library's pass if it came from one. */
export interface ReadSchema {
  readonly json: JsonSchema;
  readonly parse: Parse | undefined;
}

/**
 * Reads what the author gave. Throws an Error with a readable message when no JSON Schema
 * can be had from it.
 */
export function readSchema(schema: Schema, side: 'input' | 'output'): ReadSchema {
  if (!isStandard(schema)) return { json: withoutRootRef(schema), parse: undefined };
  const standard = schema['~standard'];
  const converter = (standard as Partial<StandardJSONSchemaV1.Props>).jsonSchema;
  if (!converter) {
    throw new Error(`this ${standard.vendor} schema gives no JSON Schema${HINTS[standard.vendor] ?? ''}`);
  }
  const { $schema: _, ...json } = converter[side]({
    target: 'draft-2020-12',
    libraryOptions: LIBRARY_OPTIONS[standard.vendor] ?? {},
  });
  const validate = parseOnce(schema);
  return { json: withoutRootRef(json), parse: (value) => settle(validate(value)) };
}

const HINTS: Readonly<Record<string, string>> = {
  valibot: '; wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
  zod: '; zod 4 (4.2 or newer) is needed, not zod 3',
};

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
}

/** How each library is told that its dates and big integers have a wire form (see wire-forms.ts). */
const LIBRARY_OPTIONS: Record<string, Record<string, unknown>> = {
  zod: { unrepresentable: 'any', override: overrideZod },
};

interface ZodNode {
  readonly zodSchema: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly jsonSchema: Record<string, unknown>;
}

const NOT_JSON = new Set(['symbol', 'undefined', 'void', 'map', 'set', 'nan', 'function', 'promise']);

function overrideZod({ zodSchema, jsonSchema }: ZodNode): void {
  const { type } = zodSchema._zod.def;
  if (NOT_JSON.has(type)) throw new Error(`a zod ${type} cannot be carried by JSON`);
  if (type === 'date') Object.assign(jsonSchema, forms.date);
  if (type === 'bigint') Object.assign(jsonSchema, forms.bigint);
}

/** A named root comes as `{$ref: '#/$defs/Name', $defs}`; wires want to see the object itself. */
function withoutRootRef(schema: JsonSchema): JsonSchema {
  const ref = schema['$ref'];
  if (typeof ref !== 'string') return schema;
  const [where, name, ...deeper] = keysOf(ref);
  const defs = schema['$defs'] as Record<string, JsonSchema> | undefined;
  if (where !== '$defs' || name === undefined || deeper.length > 0 || !defs?.[name]) return schema;
  const { $ref: _, ...beside } = schema;
  const inlined: JsonSchema = { ...defs[name], ...beside };
  const used = JSON.stringify({ ...inlined, $defs: undefined }) + JSON.stringify(defs[name]);
  const others = Object.keys(defs).length > 1 || used.includes(`"#/$defs/${name}"`);
  if (others) return inlined;
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
    problems: result.issues.map(({ message, path = [] }) => ({
      pointer: path.reduce<string>((base, step) => pointerTo(base, typeof step === 'object' ? step.key : step), ''),
      message,
    })),
  };
}
