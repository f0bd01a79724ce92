import type { JsonSchema } from '../schema/json-schema.ts';
import { isRecord } from '../schema/json-schema.ts';
import { branchesOf, resolve, typesOf } from '../schema/schema-tree.ts';
import { pick } from './random.ts';
import type { Random } from './random.ts';

/** Limits the nesting of recursive schemas. */
const MAX_DEPTH = 5;

/**
 * Generates a value for a schema. Covers the common keywords, but not patterns, for example. Callers that need a valid
 * value must check it.
 */
export function generateValue(random: Random, declared: unknown, root: JsonSchema, level = 0): unknown {
  if (!isRecord(declared)) return declared === false ? undefined : anything(random);
  const schema = resolve({ schema: declared, root });
  if ('const' in schema) return schema.const;
  if (schema.enum && schema.enum.length > 0) return pick(random, schema.enum);
  const known = [...listOf(schema['examples']), ...('default' in schema ? [schema['default']] : [])];
  if (known.length > 0 && random() < 0.3) return pick(random, known);
  const branches = branchesOf(schema);
  if (branches && branches.length > 0) {
    const { anyOf: _any, oneOf: _one, ...rest } = schema;
    // The first branch usually ends the recursion.
    const branch = level >= MAX_DEPTH ? branches[0] : pick(random, branches);
    const inner = generateValue(random, branch, root, level + 1);
    const isObject = isRecord(inner) && (rest.properties !== undefined || rest['allOf'] !== undefined);
    return isObject ? { ...(object(random, rest, root, level) as object), ...inner } : inner;
  }
  const types = typesOf(schema) ?? (schema.properties || schema['allOf'] ? ['object'] : undefined);
  return types ? MAKERS[pick(random, types)]?.(random, schema, root, level) : anything(random);
}

type Make = (random: Random, schema: JsonSchema, root: JsonSchema, level: number) => unknown;

const MAKERS: Readonly<Record<string, Make>> = {
  null: () => null,
  boolean: (random) => random() < 0.5,
  integer: (random, schema) => number(random, schema, true),
  number: (random, schema) => number(random, schema, false),
  string,
  array,
  object,
};

function number(random: Random, schema: JsonSchema, isWhole: boolean): number {
  const low = numberIn(schema, 'minimum') ?? above(numberIn(schema, 'exclusiveMinimum'), 1);
  const high = numberIn(schema, 'maximum') ?? above(numberIn(schema, 'exclusiveMaximum'), -1);
  const from = low ?? Math.min(-10, high ?? 0);
  const to = high ?? Math.max(100, from + 100);
  const step = numberIn(schema, 'multipleOf');
  const edge = random();
  const value = edge < 0.1 ? from : edge < 0.2 ? to : from + random() * (to - from);
  if (step !== undefined && step > 0) return Math.ceil(from / step) * step;
  return isWhole ? Math.min(Math.max(Math.round(value), Math.ceil(from)), Math.floor(to)) : value;
}

const above = (limit: number | undefined, step: number) => (limit === undefined ? undefined : limit + step);

const WORDS = ['a', 'Ada', 'two words', 'ü', '日本', '😀', '"quoted"', 'line\nbreak', '10', 'true', ''];

/** A valid value for each common format. */
const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-02T03:04:05Z',
  date: '2026-01-02',
  time: '03:04:05Z',
  duration: 'P1D',
  email: 'ada@example.com',
  uri: 'https://example.com/a',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  hostname: 'example.com',
  int64: '42',
};

function string(random: Random, schema: JsonSchema): string {
  const format = FORMATS[String(schema['format'])];
  if (format !== undefined) return format;
  if (schema['contentEncoding'] === 'base64') return 'AAEC';
  const [least, most] = [numberIn(schema, 'minLength') ?? 0, numberIn(schema, 'maxLength') ?? Infinity];
  const word = pick(random, WORDS);
  const characters = Array.from(word.padEnd(Math.min(least, 10_000), 'x'));
  return characters.slice(0, Math.max(least, Math.min(most, characters.length))).join('');
}

function array(random: Random, schema: JsonSchema, root: JsonSchema, level: number): unknown[] {
  const first = listOf(schema['prefixItems']).map((item) => generateValue(random, item, root, level + 1));
  if (schema.items === false) return first;
  const least = numberIn(schema, 'minItems') ?? 0;
  const most = numberIn(schema, 'maxItems') ?? Math.max(least, 3);
  const length = level >= MAX_DEPTH ? least : Math.max(least, Math.floor(random() * (most + 1)));
  const rest = Array.from({ length: Math.max(0, Math.min(length, 1000) - first.length) }, () =>
    generateValue(random, schema.items, root, level + 1),
  );
  const all = [...first, ...rest];
  if (schema['uniqueItems'] !== true) return all;
  return [...new Map(all.map((item) => [JSON.stringify(item), item])).values()];
}

function object(random: Random, schema: JsonSchema, root: JsonSchema, level: number): unknown {
  const parts = [schema, ...listOf(schema['allOf']).filter(isRecord)].map((part) => resolve({ schema: part, root }));
  const fields = new Map<string, unknown>();
  for (const part of parts) {
    const wanted = new Set(listOf(part.required));
    for (const [name, property] of Object.entries(part.properties ?? {})) {
      const isNeeded = wanted.has(name) || (level < MAX_DEPTH && random() < 0.5);
      if (isNeeded) fields.set(name, generateValue(random, property, root, level + 1));
    }
    const others = part['additionalProperties'];
    if (isRecord(others) && level < MAX_DEPTH && random() < 0.7) {
      fields.set(pick(random, WORDS), generateValue(random, others, root, level + 1));
    }
  }
  // fromEntries, so that __proto__ is an ordinary field.
  return Object.fromEntries([...fields].filter(([, value]) => value !== undefined));
}

function anything(random: Random): unknown {
  return pick<unknown>(random, [null, true, 0, 1.5, 'text', [], [1, 'a'], {}, { a: 1 }]);
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

function numberIn(schema: JsonSchema, keyword: string): number | undefined {
  const value = schema[keyword];
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
