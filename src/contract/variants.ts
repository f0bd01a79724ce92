import { accepts } from '../schema/accepts.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { lookUp } from '../schema/pointer.ts';
import { resolve, typesOf } from '../schema/schema-tree.ts';
import { truncate } from '../schema/truncate.ts';
import { mergeSchemas } from './merge-schemas.ts';
import { effectiveKeywords } from './sameness.ts';

/** One of the things that a schema allows: a single value, or values of one type. */
export interface Variant {
  /** `any` if the schema does not say. */
  readonly type: string;
  /** The value as JSON, if there is only one. */
  readonly literal?: string;
  /** What is said about values of that type. */
  readonly schema: JsonSchema;
}

/** What the schemas of a document allow. */
export class Variants {
  readonly #known = new WeakMap<object, readonly Variant[]>();

  constructor(private readonly root: JsonSchema) {}

  /** With references and unions resolved. Empty for `false`, which allows nothing. Always the same for the same schema. */
  of(schema: unknown): readonly Variant[] {
    if (schema === false) return [];
    if (!isRecord(schema)) return ANYTHING;
    const known = this.#known.get(schema);
    if (known) return known;
    this.#known.set(schema, []); // a union that contains itself gets nothing from that
    const found = this.#read(schema);
    this.#known.set(schema, found);
    return found;
  }

  /** Whether a single value is allowed. What cannot be judged counts as refused. */
  allows(value: unknown, schema: unknown): boolean {
    if (typeof schema !== 'boolean' && !isRecord(schema)) return true;
    try {
      return accepts(value, schema, this.root);
    } catch {
      return false; // such as a reference that leads only to itself
    }
  }

  /** Whether a schema is a `oneOf` with members that may accept the same value. */
  overlap(schema: unknown, seen = new Set<unknown>()): boolean {
    if (!isRecord(schema) || seen.has(schema)) return false;
    seen.add(schema);
    const { $ref, anyOf = [], oneOf = [] } = schema as { $ref?: string; anyOf?: unknown[]; oneOf?: unknown[] };
    const members = oneOf.map((one) => (isRecord(one) ? resolve({ schema: one, root: this.root }) : {}));
    const isDoubtful = members.some((one, i) => members.slice(0, i).some((other) => !this.#areApart(one, other)));
    if (isDoubtful) return true;
    const target = typeof $ref === 'string' ? lookUp(this.root, $ref) : undefined;
    return [target, ...anyOf, ...oneOf].some((part) => this.overlap(part, seen));
  }

  /** Whether no value fits both: of other types, or with a required field that has other values. */
  #areApart(one: JsonSchema, other: JsonSchema): boolean {
    const [types, others] = [typesOf(one), typesOf(other)];
    if (types && others && !types.some((a) => others.some((b) => isSame(a, b)))) return true;
    if (!types?.every((type) => type === 'object') || !others?.every((type) => type === 'object')) return false;
    return Object.keys(one.properties ?? {}).some((name) => {
      const [some, more] = [this.#valuesOf(one, name), this.#valuesOf(other, name)];
      return some !== undefined && more?.every((value) => !some.includes(value)) === true;
    });
  }

  /** The values of a required field, if they are listed and not objects. */
  #valuesOf({ properties = {}, required = [] }: JsonSchema, name: string): readonly unknown[] | undefined {
    const field = Object.hasOwn(properties, name) && required.includes(name) ? properties[name] : undefined;
    if (!isRecord(field)) return undefined;
    const schema = resolve({ schema: field, root: this.root });
    const values = 'const' in schema ? [schema.const] : schema.enum;
    return values?.every((value) => typeof value !== 'object' || value === null) ? values : undefined;
  }

  #read(schema: JsonSchema): readonly Variant[] {
    const { $ref, anyOf, oneOf, ...rest } = schema;
    if (typeof $ref === 'string')
      return this.#each(this.of(lookUp(this.root, $ref)), { ...rest, ...given({ anyOf, oneOf }) });
    if (Array.isArray(anyOf)) return anyOf.flatMap((one) => this.#each(this.of(one), { ...rest, ...given({ oneOf }) }));
    if (Array.isArray(oneOf)) return oneOf.flatMap((one) => this.#each(this.of(one), rest));
    return this.#ofTypes(schema);
  }

  #each(variants: readonly Variant[], shared: JsonSchema): readonly Variant[] {
    if (effectiveKeywords(shared).length === 0) return variants;
    return variants.flatMap((one) => {
      if (one.literal !== undefined) return this.allows(JSON.parse(one.literal), shared) ? [one] : [];
      return this.#ofTypes(mergeSchemas(shared, { ...one.schema, ...(one.type !== 'any' && { type: one.type }) }));
    });
  }

  #ofTypes(schema: JsonSchema): readonly Variant[] {
    const values = 'const' in schema ? [schema['const']] : schema['enum'];
    if (Array.isArray(values))
      return values.filter((value) => this.allows(value, schema)).map((value) => literalOf(value));
    const types = [schema['type'] ?? 'any'].flat();
    return types.flatMap((type) => {
      if (type === 'null') return this.allows(null, schema) ? [literalOf(null)] : [];
      return [{ type, schema }];
    });
  }
}

const isSame = (one: string, other: string) =>
  one === other || [one, other].every((type) => /^(?:integer|number)$/.test(type));

const ANYTHING: readonly Variant[] = [{ type: 'any', schema: {} }];

const given = (keywords: JsonSchema): JsonSchema =>
  Object.fromEntries(Object.entries(keywords).filter(([, value]) => value !== undefined));

const literalOf = (value: unknown): Variant => ({ type: typeOf(value), literal: JSON.stringify(value), schema: {} });

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return Number.isInteger(value) ? 'integer' : typeof value;
}

/** Whether everything that one type allows is allowed by another, further keywords aside. */
export function isCovered({ type }: Variant, by: Variant): boolean {
  if (by.literal !== undefined) return false;
  return by.type === 'any' || by.type === type || (by.type === 'number' && type === 'integer');
}

const MAX_LENGTH = 60;

/** `integer | null`, `"up" | "down"`. */
export function describeVariants(variants: readonly Variant[]): string {
  const names = variants.map(({ type, literal }) => literal ?? type);
  return truncate([...new Set(names)].join(' | ') || 'nothing', MAX_LENGTH);
}
