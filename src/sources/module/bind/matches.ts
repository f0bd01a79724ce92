import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { branchesOf, resolve, schemaForItem } from '../../../schema/schema-tree.ts';
import { FORM_KEYWORD } from '../../../schema/json-schema.ts';
import { SHAPE } from '../shape.ts';

type Known = Map<JsonSchema, Map<object, boolean>>;

/** Whether a returned value, which need not be JSON, is of a member of a union. What is known of a value is asked once. */
export function matches(value: unknown, declared: unknown, root: JsonSchema, known: Known): boolean {
  if (!isRecord(declared)) return declared !== false;
  const schema = resolve({ schema: declared, root });
  if (typeof value !== 'object' || value === null) return matchesLeaf(value, schema, root, known);
  let answers = known.get(schema);
  if (!answers) known.set(schema, (answers = new Map()));
  const answer = answers.get(value);
  if (answer !== undefined) return answer;
  answers.set(value, true); // a cycle
  const found = matchesObject(value, schema, root, known);
  answers.set(value, found);
  return found;
}

function matchesLeaf(value: unknown, schema: JsonSchema, root: JsonSchema, known: Known): boolean {
  const branches = branchesOf(schema);
  if (branches) return branches.some((branch) => matches(value, branch, root, known));
  if (typeof value === 'bigint') return schema[FORM_KEYWORD] === 'bigint';
  const plain = value ?? null;
  if ('const' in schema) return schema.const === plain;
  if (schema.enum) return schema.enum.includes(plain);
  const types = schema.type === undefined ? undefined : [schema.type].flat();
  if (!types) return true;
  if (FORM_KEYWORD in schema) return false;
  return types.some((type) => isOfType(plain, type));
}

function isOfType(value: unknown, type: string): boolean {
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function matchesObject(value: object, schema: JsonSchema, root: JsonSchema, known: Known): boolean {
  const branches = branchesOf(schema);
  if (branches) return branches.some((branch) => matches(value, branch, root, known));
  if (schema[SHAPE] === 'to-json') return typeof (value as { toJSON?: unknown }).toJSON === 'function';
  if (value instanceof URL) return schema[SHAPE] === 'url';
  if (value instanceof Date) return schema[FORM_KEYWORD] === 'date';
  if (value instanceof Uint8Array || value instanceof ArrayBuffer) return schema[FORM_KEYWORD] === 'bytes';
  if (value instanceof Blob) return schema[FORM_KEYWORD] === 'file';
  if (value instanceof Set) return schema[SHAPE] === 'set';
  if (value instanceof Map) return schema[SHAPE] === 'map' || schema[SHAPE] === 'entries';
  if ('const' in schema || schema.enum) return false;
  if (schema.type === undefined) return true;
  if (SHAPE in schema || ![schema.type].flat().includes(Array.isArray(value) ? 'array' : 'object')) return false;
  if (!Array.isArray(value)) return hasFields(value, schema, root, known);
  const { minItems = 0, maxItems = Infinity } = schema as { minItems?: number; maxItems?: number };
  if (value.length < minItems || value.length > maxItems) return false;
  return value.every((item: unknown, i) => matches(item, schemaForItem(schema, i) ?? {}, root, known));
}

function hasFields(value: object, schema: JsonSchema, root: JsonSchema, known: Known): boolean {
  const { properties = {}, required = [] } = schema;
  const fields = value as Record<string, unknown>;
  if (required.some((name) => !(name in value) || fields[name] === undefined)) return false;
  return Object.entries(properties).every(
    ([name, field]) => !(name in value) || fields[name] === undefined || matches(fields[name], field, root, known),
  );
}
