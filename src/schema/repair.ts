import { compileCheck } from './check.ts';
import type { Check } from './check.ts';
import { Shelf } from './embed.ts';
import { booleanFromText, numberFromText, structureFromText } from './from-text.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointerTo } from './pointer.ts';
import { branchesOf, isOf, resolve, typesOf } from './schema-tree.ts';

/** What was changed in a caller's arguments, and where. Values are left out: they may be secret. */
export interface Repair {
  readonly pointer: string;
  readonly did: 'text to number' | 'text to boolean' | 'text to JSON' | 'null dropped' | 'unknown field dropped';
}

export interface Repaired {
  readonly value: unknown;
  readonly repairs: readonly Repair[];
}

/**
 * Turns what models and forms send for a value ("10", "true", JSON in a string, null
 * for "not given") into the value itself, where the schema leaves no doubt and nothing
 * is lost. What the schema accepts as it came is never touched; what cannot be
 * repaired is left for the check to report.
 */
export function repair(value: unknown, schema: JsonSchema, root: JsonSchema): Repaired {
  const work = new Work(root);
  const repaired = work.repair(value, schema, '');
  return { value: repaired, repairs: work.repairs };
}

class Work {
  repairs: Repair[] = [];

  constructor(private readonly root: JsonSchema) {}

  repair(value: unknown, declared: JsonSchema, pointer: string): unknown {
    const schema = resolve({ schema: declared, root: this.root });
    const branches = branchesOf(schema);
    if (branches) return this.#branch(value, branches, pointer);
    const fitting = this.#asDeclared(value, typesOf(schema), pointer);
    if (Array.isArray(fitting)) return this.#items(fitting, schema, pointer);
    if (typeof fitting === 'object' && fitting !== null) return this.#fields(fitting, schema, pointer);
    return fitting;
  }

  #asDeclared(value: unknown, types: readonly string[] | undefined, pointer: string): unknown {
    if (typeof value !== 'string' || !types || types.includes('string')) return value;
    for (const type of types) {
      const read = READERS[type]?.(value);
      if (read && isOf(read.value, type)) {
        this.repairs.push({ pointer, did: read.did });
        return read.value;
      }
    }
    return value;
  }

  #items(items: readonly unknown[], schema: JsonSchema, pointer: string): unknown[] {
    const first = (schema['prefixItems'] ?? []) as readonly JsonSchema[];
    return items.map((item, i) => {
      const declared = first[i] ?? schema.items;
      return isSchema(declared) ? this.repair(item, declared, pointerTo(pointer, i)) : item;
    });
  }

  #fields(fields: object, schema: JsonSchema, pointer: string): unknown {
    const repaired: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      const at = pointerTo(pointer, name);
      const declared = declaredField(schema, name);
      if (value === null && declared && !schema.required?.includes(name) && !this.#accepts(null, declared)) {
        this.repairs.push({ pointer: at, did: 'null dropped' });
        continue;
      }
      const fitting = declared ? this.repair(value, declared, at) : value;
      // Plain assignment to the key `__proto__` would set the prototype.
      Object.defineProperty(repaired, name, { value: fitting, writable: true, enumerable: true, configurable: true });
    }
    const parts = (schema['allOf'] ?? []) as readonly JsonSchema[];
    return parts.reduce<unknown>((sofar, part) => this.repair(sofar, part, pointer), repaired);
  }

  /** The first alternative that a repaired value fits, if none fits as it came. */
  #branch(value: unknown, branches: readonly JsonSchema[], pointer: string): unknown {
    if (branches.some((branch) => this.#accepts(value, branch))) return value;
    const before = this.repairs;
    for (const branch of branches) {
      this.repairs = [];
      const repaired = this.repair(value, branch, pointer);
      const tried = this.repairs;
      this.repairs = before;
      if (tried.length > 0 && this.#accepts(repaired, branch)) {
        before.push(...tried);
        return repaired;
      }
    }
    return value;
  }

  #accepts(value: unknown, schema: JsonSchema): boolean {
    let check = checks.get(schema);
    if (!check) checks.set(schema, (check = compilePart(schema, this.root)));
    return check(value) === undefined;
  }
}

const checks = new WeakMap<JsonSchema, Check>();

/** A part of a schema refers to the whole, so what it needs of the whole comes along. */
function compilePart(part: JsonSchema, root: JsonSchema): Check {
  const shelf = new Shelf('#/$defs/');
  return compileCheck({ ...shelf.embedPart(part, root, 'whole'), $defs: shelf.schemas });
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

function declaredField(schema: JsonSchema, name: string): JsonSchema | undefined {
  if (schema.properties && Object.hasOwn(schema.properties, name)) return schema.properties[name];
  const extra = schema['additionalProperties'];
  return isSchema(extra) ? extra : undefined;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
