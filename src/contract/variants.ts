import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lookUp } from '../schema/pointer.ts';
import { truncate } from '../schema/truncate.ts';

/** One of the things that a schema allows: a single value, or values of one type. */
export interface Variant {
  /** `any` if the schema does not say. */
  readonly type: string;
  /** The value as JSON, if there is only one. */
  readonly literal?: string;
  readonly schema: JsonSchema;
}

/** References to references, and unions in unions: a schema that is deeper is compared as a whole. */
const MAX_NESTING = 50;

/** What a schema allows, with references and unions resolved. Empty for `false`, which allows nothing. */
export function variantsOf(schema: unknown, root: JsonSchema, nesting = 0): readonly Variant[] {
  if (schema === false) return [];
  if (!isRecord(schema) || nesting > MAX_NESTING) return [{ type: 'any', schema: {} }];
  const inner = (one: unknown) => variantsOf(one, root, nesting + 1);
  if (typeof schema['$ref'] === 'string') return inner(lookUp(root, schema['$ref']));
  const union = schema['anyOf'] ?? schema['oneOf'];
  if (Array.isArray(union) && schema['type'] === undefined) return union.flatMap(inner);
  const values = 'const' in schema ? [schema['const']] : schema['enum'];
  if (Array.isArray(values))
    return values.map((value) => ({ type: typeOf(value), literal: JSON.stringify(value), schema }));
  const types = [schema['type'] ?? typeFrom(schema)].flat() as string[];
  return types.map((type) => ({ type, schema }));
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Schemas of objects and arrays are often written without a type. */
function typeFrom({ properties, items }: JsonSchema): string {
  if (properties !== undefined) return 'object';
  return items === undefined ? 'any' : 'array';
}

/** Whether everything that one variant allows is allowed by the type of another, further keywords aside. */
export function isCovered({ type, literal }: Variant, by: Variant): boolean {
  if (by.literal !== undefined) return by.literal === literal;
  return by.type === 'any' || by.type === type || (by.type === 'number' && type === 'integer');
}

const MAX_LENGTH = 60;

/** `integer | null`, `"up" | "down"`. */
export function describeVariants(variants: readonly Variant[]): string {
  const names = variants.map(({ type, literal }) => literal ?? type);
  return truncate([...new Set(names)].join(' | ') || 'nothing', MAX_LENGTH);
}
