import { FORM_KEYWORD, isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { branchesOf, resolve, typesOf } from '../../schema/schema-tree.ts';
import { truncate } from '../../schema/truncate.ts';

const LONGEST = 60;
const DEEPEST = 3;

/** A schema as people write types: `integer`, `"a" | "b"`, `{ id: string; lines?: object[] }`. */
export function typeText(schema: JsonSchema, root: JsonSchema): string {
  return truncate(typeOf(schema, root, 0), LONGEST);
}

function typeOf(given: JsonSchema, root: JsonSchema, depth: number): string {
  const schema = resolve({ schema: given, root });
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const branches = branchesOf(schema)?.filter(isRecord);
  if (branches && branches.length > 0)
    return [...new Set(branches.map((branch) => typeOf(branch, root, depth + 1)))].join(' | ');
  return (
    typesOf(schema)
      ?.map((type) => nameOf(type, schema, root, depth))
      .join(' | ') ?? 'any'
  );
}

function nameOf(type: string, schema: JsonSchema, root: JsonSchema, depth: number): string {
  if (type === 'array') return listOf(schema, root, depth);
  if (type === 'object') return objectOf(schema, root, depth);
  const form = schema[FORM_KEYWORD] ?? schema['format'];
  return typeof form === 'string' && type === 'string' ? form : type;
}

function listOf({ items, prefixItems }: JsonSchema, root: JsonSchema, depth: number): string {
  if (Array.isArray(prefixItems) && depth < DEEPEST)
    return `[${prefixItems.map((item: JsonSchema) => typeOf(item, root, depth + 1)).join(', ')}]`;
  if (!isRecord(items) || depth >= DEEPEST) return 'array';
  const item = typeOf(items, root, depth + 1);
  return item.includes(' | ') ? `(${item})[]` : `${item}[]`;
}

function objectOf(schema: JsonSchema, root: JsonSchema, depth: number): string {
  const { properties = {}, required = [], additionalProperties } = schema;
  if (depth >= DEEPEST) return 'object';
  const fields = Object.entries(properties).map(
    ([name, field]) => `${name}${required.includes(name) ? '' : '?'}: ${typeOf(field, root, depth + 1)}`,
  );
  if (isRecord(additionalProperties)) fields.push(`[name]: ${typeOf(additionalProperties, root, depth + 1)}`);
  return fields.length > 0 ? `{ ${fields.join('; ')} }` : 'object';
}
