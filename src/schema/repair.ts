import { compileCheck } from './check.ts';
import type { Check } from './check.ts';
import { booleanFromText, numberFromText, structureFromText } from './from-text.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointerTo } from './pointer.ts';
import { branchesOf, isOf, resolve, typesOf } from './schema-tree.ts';
import type { Node } from './schema-tree.ts';

/** What was changed in a caller's arguments, and where. Values are left out: they may be secret. */
export interface Repair {
  readonly pointer: string;
  readonly did: 'text to number' | 'text to boolean' | 'text to JSON' | 'null dropped' | 'unknown field dropped';
}

/**
 * Turns what models and forms send for a value ("10", "true", JSON in a string, null
 * for "not given") into the value itself, where the schema leaves no doubt and nothing
 * is lost. What the schema accepts as it came is never touched; what cannot be
 * repaired is left for the check to report.
 */
export function repair(value: unknown, node: Node, log: Repair[], pointer = ''): unknown {
  const schema = resolve(node);
  const branches = branchesOf(schema);
  if (branches) return repairBranch(value, branches, node.root, log, pointer);
  const fitting = asDeclared(value, typesOf(schema), log, pointer);
  return repairInside(fitting, schema, node.root, log, pointer);
}

function asDeclared(value: unknown, types: readonly string[] | undefined, log: Repair[], pointer: string): unknown {
  if (typeof value !== 'string' || !types || types.includes('string')) return value;
  for (const type of types) {
    const read = READERS[type]?.(value);
    if (read && isOf(read.value, type)) {
      log.push({ pointer, did: read.did });
      return read.value;
    }
  }
  return value;
}

interface Read {
  readonly value: unknown;
  readonly did: Repair['did'];
}

const asNumber = (text: string): Read => ({ value: numberFromText(text), did: 'text to number' });
const asStructure = (text: string): Read => ({ value: structureFromText(text), did: 'text to JSON' });

const READERS: Record<string, (text: string) => Read> = {
  integer: asNumber,
  number: asNumber,
  boolean: (text) => ({ value: booleanFromText(text), did: 'text to boolean' }),
  object: asStructure,
  array: asStructure,
};

function repairInside(value: unknown, schema: JsonSchema, root: JsonSchema, log: Repair[], pointer: string): unknown {
  if (Array.isArray(value)) return repairItems(value, schema, root, log, pointer);
  if (typeof value === 'object' && value !== null) return repairFields(value, schema, root, log, pointer);
  return value;
}

function repairItems(
  items: unknown[],
  schema: JsonSchema,
  root: JsonSchema,
  log: Repair[],
  pointer: string,
): unknown[] {
  const first = (schema['prefixItems'] ?? []) as readonly JsonSchema[];
  return items.map((item, i) => {
    const declared = first[i] ?? schema.items;
    return isSchema(declared) ? repair(item, { schema: declared, root }, log, pointerTo(pointer, i)) : item;
  });
}

function repairFields(
  fields: object,
  schema: JsonSchema,
  root: JsonSchema,
  log: Repair[],
  pointer: string,
): Record<string, unknown> {
  const repaired: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    const at = pointerTo(pointer, name);
    const declared = declaredField(schema, name);
    if (value === null && declared && !schema.required?.includes(name) && !accepts(null, declared, root)) {
      log.push({ pointer: at, did: 'null dropped' });
      continue;
    }
    const fitting = declared ? repair(value, { schema: declared, root }, log, at) : value;
    // Plain assignment to the key `__proto__` would set the prototype.
    Object.defineProperty(repaired, name, { value: fitting, writable: true, enumerable: true, configurable: true });
  }
  return ((schema['allOf'] ?? []) as readonly JsonSchema[]).reduce(
    (sofar, part) => repair(sofar, { schema: part, root }, log, pointer) as Record<string, unknown>,
    repaired,
  );
}

function declaredField(schema: JsonSchema, name: string): JsonSchema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  const extra = schema['additionalProperties'];
  return isSchema(extra) ? extra : undefined;
}

function repairBranch(
  value: unknown,
  branches: readonly JsonSchema[],
  root: JsonSchema,
  log: Repair[],
  pointer: string,
): unknown {
  if (branches.some((branch) => accepts(value, branch, root))) return value;
  for (const branch of branches) {
    const tried: Repair[] = [];
    const repaired = repair(value, { schema: branch, root }, tried, pointer);
    if (tried.length > 0 && accepts(repaired, branch, root)) {
      log.push(...tried);
      return repaired;
    }
  }
  return value;
}

const checks = new WeakMap<JsonSchema, Check>();

function accepts(value: unknown, schema: JsonSchema, root: JsonSchema): boolean {
  let check = checks.get(schema);
  if (!check) {
    check = compileCheck(root['$defs'] ? { ...schema, $defs: root['$defs'] } : schema);
    checks.set(schema, check);
  }
  return check(value) === undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
