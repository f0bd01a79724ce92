import type { StandardJSONSchemaV1, StandardSchemaV1 } from '@standard-schema/spec';
import { withoutAnchors } from './anchors.ts';
import { mapSchemas } from './embed.ts';
import { shortPointer } from './engine/place.ts';
import { isFileSchema } from './file-form.ts';
import { CHECKED_BY_LIBRARY, FORM_KEYWORD, LIBRARY_KEYWORD, UNFOLDED, isRecord } from './json-schema.ts';
import type { FromJsonSchema, JsonSchema, LibraryChecks } from './json-schema.ts';
import { LIBRARY_OPTIONS } from './library-options.ts';
import { inKeywordOrder } from './keyword-order.ts';
import { parseOnce } from './parse-once.ts';
import { lookUp } from './pointer.ts';
import { listed } from './problem.ts';
import type { Problem } from './problem.ts';
import { withoutSecrets } from './redact.ts';
import { isNote, resolve } from './schema-tree.ts';

/** How an author describes data: a schema of any Standard Schema library, or plain JSON Schema. */
export type Schema = StandardSchemaV1 | JsonSchema;

/** The property that distinguishes a Standard Schema from JSON Schema. To compare with all of it takes TypeScript twice as long. */
export interface Standard {
  readonly '~standard': any;
}

/** `Schema`, for parameters of generic functions. */
export type AnySchema = Standard | JsonSchema;

/** The type of the values that a schema accepts. */
export type Accepted<S> = S extends Standard ? TypesOf<S>['input'] : FromJsonSchema<S, 'accepted'>;

/** The type of the values after transforms and defaults. */
export type Given<S> = S extends Standard ? TypesOf<S>['output'] : FromJsonSchema<S>;

/** The type of the values that clients receive: a library has applied its defaults, JSON Schema has not. */
export type Sent<S> = S extends Standard ? TypesOf<S>['output'] : FromJsonSchema<S, 'accepted'>;

type TypesOf<S extends Standard> = NonNullable<S['~standard']['types']>;

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
  const { $schema: _, ...json } = convert(standard.vendor, () =>
    converter[side]({ target: 'draft-2020-12', libraryOptions: LIBRARY_OPTIONS[standard.vendor]?.(side) ?? {} }),
  );
  const validate = parseOnce(schema);
  const read = inlineRootRef(markLibraryChecks(json));
  return { json: read, parse: (value) => settle(validate(value), value, read) };
}

/** A TypeError is a mistake of the library, which expects that everything in the schema is one. */
function convert<T>(vendor: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    const what = `this ${vendor} schema cannot be converted to JSON Schema (is each of its fields a schema?)`;
    throw new Error(`${what}: ${cause.message}`, { cause });
  }
}

const HINTS: Readonly<Record<string, string>> = {
  valibot: '; wrap it in toStandardJsonSchema() of @valibot/to-json-schema',
  zod: '; zod 4 (4.2 or newer) is needed, not zod 3',
};

function isStandard(schema: unknown): schema is StandardSchemaV1 {
  return (typeof schema === 'object' || typeof schema === 'function') && schema !== null && '~standard' in schema;
}

/** Copies a schema, orders its keywords, and marks formats and patterns as checked by the library, except in our wire forms. */
function markLibraryChecks(schema: JsonSchema): JsonSchema {
  if (isFileSchema(schema)) return schema;
  const { [LIBRARY_KEYWORD]: checks, ...copy } = inKeywordOrder(mapSchemas(schema, markLibraryChecks));
  if (checks) return { ...copy, [CHECKED_BY_LIBRARY]: checks as LibraryChecks };
  const isOurs = FORM_KEYWORD in schema || !['format', 'pattern', 'minLength'].some((keyword) => keyword in schema);
  return isOurs ? copy : { ...copy, [CHECKED_BY_LIBRARY]: 'formats' };
}

/** Libraries write a named root as `{$ref: '#/$defs/Name', $defs}`; wires need the object itself. */
function inlineRootRef(schema: JsonSchema): JsonSchema {
  const { $ref: ref, ...others } = schema;
  const target = typeof ref === 'string' ? lookUp(schema, ref) : undefined;
  if (typeof ref !== 'string' || !isRecord(target) || target === schema) return schema;
  // Keywords beside a reference apply as well: they must not replace those of its target.
  const adds = (keyword: string) => !isNote(keyword) && !(keyword === 'type' && others.type === target['type']);
  if ('$ref' in target || Object.keys(others).some(adds)) {
    const { allOf = [], type = resolve({ schema: target, root: schema }).type, ...siblings } = others;
    return { ...(type && { type }), ...siblings, allOf: [...(allOf as readonly JsonSchema[]), { $ref: ref }] };
  }
  const { $defs, ...alone } = { ...target, ...others } as JsonSchema;
  const isNamed = isRecord($defs) && ref.startsWith('#/$defs/');
  const isNeeded = isRecord($defs) && (Object.keys($defs).length > 1 || JSON.stringify(alone).includes('"$ref":'));
  return { ...alone, ...(isNeeded && { $defs }), ...(isNamed && { [UNFOLDED]: schema }) };
}

type Result = StandardSchemaV1.Result<unknown>;

function settle(result: Result | Promise<Result>, value: unknown, json: JsonSchema) {
  return 'then' in result
    ? Promise.resolve(result).then((settled) => toParsed(settled, value, json))
    : toParsed(result, value, json);
}

function toParsed(result: Result, value: unknown, json: JsonSchema): Parsed {
  if (typeof result !== 'object') throw new TypeError('The schema library returned no result');
  if (!result.issues) return { value: result.value };
  const problems = listed(result.issues, ({ message, path = [] }) => ({
    pointer: shortPointer(path.map((step) => (typeof step === 'object' ? step.key : step))),
    message,
  }));
  // Some libraries repeat what they received.
  return { problems: withoutSecrets(problems, value, json) };
}
