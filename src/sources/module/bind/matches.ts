import { accepts } from '../../../schema/accepts.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { branchesOf, resolve, schemaForItem, schemasFor } from '../../../schema/schema-tree.ts';
import { FORM_KEYWORD } from '../../../schema/json-schema.ts';
import { SHAPE } from '../shape.ts';

/** State shared by all checks of one value. */
export interface Matching {
  readonly root: JsonSchema;
  /** Caches the checks of a value. */
  readonly known: Map<JsonSchema, Map<object, boolean>>;
  /** Of what callers have sent, formats and patterns tell members apart. What is returned is checked later, with a better message. */
  readonly isSent?: boolean;
}

/** Whether a value, which need not be JSON, is of a member of a union. */
export function matches(value: unknown, declared: unknown, matching: Matching): boolean {
  if (!isRecord(declared)) return declared !== false;
  const schema = resolve({ schema: declared, root: matching.root });
  if (typeof value !== 'object' || value === null) return matchesLeaf(value, schema, matching);
  let answers = matching.known.get(schema);
  if (!answers) matching.known.set(schema, (answers = new Map()));
  const answer = answers.get(value);
  if (answer !== undefined) return answer;
  answers.set(value, true); // a cycle
  const found = matchesObject(value, schema, matching);
  answers.set(value, found);
  return found;
}

function matchesLeaf(value: unknown, schema: JsonSchema, matching: Matching): boolean {
  const branches = branchesOf(schema);
  if (branches) return branches.some((branch) => matches(value, branch, matching));
  if (typeof value === 'bigint') return schema[FORM_KEYWORD] === 'bigint';
  const plain = value ?? null;
  if ('const' in schema) return schema.const === plain;
  if (schema.enum) return schema.enum.includes(plain);
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (!types) return true;
  if (FORM_KEYWORD in schema) return false;
  return types.some((type) => isOfType(plain, type)) && (!matching.isSent || accepts(plain, schema, matching.root));
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function matchesObject(value: object, schema: JsonSchema, matching: Matching): boolean {
  const branches = branchesOf(schema);
  if (branches) return branches.some((branch) => matches(value, branch, matching));
  if (schema[SHAPE] === 'to-json') return typeof (value as { toJSON?: unknown }).toJSON === 'function';
  if (value instanceof URL) return schema[SHAPE] === 'url';
  if (value instanceof Date) return schema[FORM_KEYWORD] === 'date';
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return schema[FORM_KEYWORD] === 'bytes';
  if (value instanceof Blob) return schema[FORM_KEYWORD] === 'file';
  if (value instanceof Set) return schema[SHAPE] === 'set' && hasItems([...value], schema, matching);
  if (value instanceof Map && schema[SHAPE] === 'map')
    return [...value.values()].every((one) => matches(one, schema['additionalProperties'], matching));
  if (value instanceof Map) return schema[SHAPE] === 'entries' && hasItems([...value], schema, matching);
  if ('const' in schema || schema.enum) return false;
  if (schema.type === undefined) return true;
  if (SHAPE in schema || ![schema.type].flat().includes(Array.isArray(value) ? 'array' : 'object')) return false;
  return Array.isArray(value) ? hasItems(value, schema, matching) : hasFields(value, schema, matching);
}

function hasItems(value: readonly unknown[], schema: JsonSchema, matching: Matching): boolean {
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  if (value.length < minItems || value.length > maxItems) return false;
  return value.every((item, i) => matches(item, schemaForItem(schema, i) ?? {}, matching));
}

function hasFields(value: object, schema: JsonSchema, matching: Matching): boolean {
  const { properties = {}, required = [] } = schema;
  const fields = value as Record<string, unknown>;
  const isMissing = (name: string) => !(name in value) || fields[name] === undefined;
  if (required.some(isMissing)) return false;
  if (!Object.entries(properties).every(([name, field]) => isMissing(name) || matches(fields[name], field, matching)))
    return false;
  // Undescribed fields are pruned from results, but refused in arguments.
  const isIgnored = (declared: unknown) => declared === false && !matching.isSent;
  const isAbsent = (name: string) => isMissing(name) || typeof fields[name] === 'function';
  return Object.keys(value).every(
    (name) =>
      Object.hasOwn(properties, name) ||
      schemasFor(schema, name).every((one) => isIgnored(one) || isAbsent(name) || matches(fields[name], one, matching)),
  );
}
