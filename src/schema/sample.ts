import { accepts } from './accepts.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { sampleOfString } from './sample-string.ts';
import { branchesOf, resolve, typesOf } from './schema-tree.ts';

/** Nested values beyond this depth are not sampled: the schema is recursive. */
const MAX_DEPTH = 8;
/** Limits the work for schemas that nothing satisfies. */
const MAX_TRIED = 2000;

/** A short value that a schema accepts, the same each time; undefined if none was found. For examples in help. */
export function sampleOf(schema: JsonSchema, root: JsonSchema): unknown {
  const state: State = { root, tried: 0 };
  for (const value of candidates(schema, state, 0)) if (isAccepted(value, schema, state)) return value;
  return undefined;
}

interface State {
  readonly root: JsonSchema;
  tried: number;
}

function isAccepted(value: unknown, schema: JsonSchema, state: State): boolean {
  return ++state.tried <= MAX_TRIED && value !== undefined && accepts(value, schema, state.root);
}

function sampleInside(schema: unknown, state: State, depth: number): unknown {
  return [...distinct(schema, state, depth, 1)][0];
}

/** Up to `count` different values that a schema accepts. */
function* distinct(schema: unknown, state: State, depth: number, count: number): Iterable<unknown> {
  if (depth > MAX_DEPTH || schema === false) return;
  const seen = new Set<string>();
  const wanted = isRecord(schema) ? (schema as JsonSchema) : {};
  for (const value of candidates(wanted, state, depth)) {
    if (seen.size >= count || state.tried > MAX_TRIED) return;
    const key = JSON.stringify(value);
    if (seen.has(key) || !isAccepted(value, wanted, state)) continue;
    seen.add(key);
    yield value;
  }
}

/** Values to try, those that read best first. Most are valid; some are not. */
function* candidates(declared: JsonSchema, state: State, depth: number): Iterable<unknown> {
  const schema = merged(declared, state.root);
  if ('const' in schema) yield schema.const;
  yield* listOf(schema['examples']);
  if (schema.default !== undefined) yield schema.default;
  yield* schema.enum ?? [];
  const branches = listOf(branchesOf(schema)).filter(isRecord) as JsonSchema[];
  for (const branch of branches) {
    const { anyOf: _any, oneOf: _one, ...rest } = schema;
    yield* candidates({ ...rest, allOf: [branch] }, state, depth + 1);
    if (state.tried > MAX_TRIED || depth > MAX_DEPTH) return;
  }
  for (const type of typesIn(schema)) yield* ofType(type, schema, state, depth);
}

function typesIn(schema: JsonSchema): readonly string[] {
  const types = typesOf(schema);
  if (types) return types.toSorted((a, b) => Number(a === 'null') - Number(b === 'null'));
  if (schema.properties || schema.required) return ['object'];
  return schema.items === undefined ? ['string', 'integer', 'object', 'array', 'boolean', 'null'] : ['array'];
}

/** The schema with what its references and its allOf say. Where two parts disagree, the check of the value decides. */
function merged(declared: JsonSchema, root: JsonSchema, depth = 0): JsonSchema {
  const schema = resolve({ schema: declared, root });
  const parts = listOf(schema['allOf']).filter(isRecord) as JsonSchema[];
  if (parts.length === 0 || depth > MAX_DEPTH) return schema;
  const { allOf: _all, ...own } = schema;
  return parts.map((part) => merged(part, root, depth + 1)).reduce(both, own);
}

function both(first: JsonSchema, second: JsonSchema): JsonSchema {
  const properties = { ...second.properties, ...first.properties };
  const required = [...(first.required ?? []), ...(second.required ?? [])];
  return {
    ...second,
    ...first,
    ...(Object.keys(properties).length > 0 && { properties }),
    ...(required.length > 0 && { required }),
  };
}

function ofType(type: string, schema: JsonSchema, state: State, depth: number): Iterable<unknown> {
  switch (type) {
    case 'integer':
    case 'number':
      return numbers(schema, type === 'integer');
    case 'boolean':
      return [true, false];
    case 'null':
      return [null];
    case 'array':
      return arrays(schema, state, depth);
    case 'object':
      return objects(schema, state, depth);
    default:
      return sampleOfString(schema);
  }
}

/** Small numbers first, then those next to the limits. */
function* numbers(schema: JsonSchema, isWhole: boolean): Iterable<number> {
  const { minimum, maximum, exclusiveMinimum: above, exclusiveMaximum: below, multipleOf } = schema;
  const limits = [minimum, maximum, above, below].filter((limit) => typeof limit === 'number');
  const steps = isWhole ? [0, 1, -1] : [0, 0.5, -0.5, 0.01, -0.01];
  const near = limits.flatMap((limit) => steps.map((step) => limit + step));
  const [low, high] = [Math.min(...limits), Math.max(...limits)];
  const all = [1, 2, ...(isWhole ? [] : [1.5]), 0, ...near, (low + high) / 2, 3, 4, 5, -1, 10, 100];
  if (typeof multipleOf === 'number' && multipleOf > 0) {
    const from = Number.isFinite(low) ? Math.ceil(low / multipleOf) : 1;
    for (const count of [1, 2, from, from + 1, 0, -1]) yield Number((count * multipleOf).toPrecision(12));
  }
  for (const value of all) if (Number.isFinite(value)) yield isWhole ? Math.round(value) : value;
  for (let i = 1; i <= 20; i++) yield (Number.isFinite(low) ? Math.ceil(low) : 5) + i;
}

function* arrays(schema: JsonSchema, state: State, depth: number): Iterable<unknown[]> {
  const { items, minItems = 1, maxItems, prefixItems, contains, minContains = 1 } = schema;
  const first = listOf(prefixItems).map((item) => sampleInside(item, state, depth + 1));
  const held = contains === undefined ? [] : [...distinct(contains, state, depth + 1, Number(minContains))];
  const most = typeof maxItems === 'number' ? maxItems : Infinity;
  const count = Math.min(Number(minItems), most, 50) - first.length - held.length;
  const rest = items === false || count <= 0 ? [] : [...distinct(items, state, depth + 1, count)];
  // Equal items, if there are not enough different ones.
  const repeated = rest.length === 0 ? [] : Array.from({ length: count - rest.length }, () => rest.at(-1));
  yield [...first, ...held, ...rest, ...repeated];
  yield [];
}

function* objects(schema: JsonSchema, state: State, depth: number): Iterable<object> {
  const { properties = {}, required = [], minProperties = 0, propertyNames } = schema;
  const fields = new Map<string, unknown>();
  const add = (name: string) => {
    const value = sampleInside(fieldSchema(schema, name), state, depth + 1);
    if (value !== undefined) fields.set(name, value);
  };
  for (const name of new Set(required)) add(name);
  yield Object.fromEntries(fields);
  for (const name of Object.keys(properties)) if (!fields.has(name)) add(name);
  const names =
    propertyNames === undefined ? ['key'] : distinct(propertyNames, state, depth + 1, Number(minProperties));
  for (const name of names) if (typeof name === 'string' && fields.size < Number(minProperties)) add(name);
  yield Object.fromEntries(fields);
}

function fieldSchema({ properties, additionalProperties }: JsonSchema, name: string): unknown {
  return properties && Object.hasOwn(properties, name) ? properties[name] : (additionalProperties ?? {});
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
