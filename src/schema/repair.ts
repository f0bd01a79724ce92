import { accepts, isOther } from './accepts.ts';
import { booleanFromText, numberFromText, structureFromText } from './from-text.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { pointerTo } from './pointer.ts';
import { branchesOf, isOf, resolve, schemasFor, typesOf } from './schema-tree.ts';

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
    const own = this.#inside(this.#asDeclared(value, schema, pointer), schema, pointer);
    const branches = branchesOf(schema);
    return branches ? this.#branch(own, branches, pointer) : own;
  }

  #inside(value: unknown, schema: JsonSchema, pointer: string): unknown {
    if (Array.isArray(value)) return this.#items(value, schema, pointer);
    if (typeof value === 'object' && value !== null) return this.#fields(value, schema, pointer);
    return value;
  }

  #asDeclared(value: unknown, schema: JsonSchema, pointer: string): unknown {
    const types = typesOf(schema);
    if (typeof value !== 'string' || !types || accepts(value, schema, this.root)) return value;
    if (schema.type !== undefined && types.includes('string')) return value;
    const reads = new Map(types.flatMap((type) => readAs(type, value)));
    // "1" could be a number and a boolean: that leaves doubt, and so it stays as it came.
    const [read] = reads.values();
    if (!read || reads.size > 1) return value;
    this.repairs.push({ pointer, did: read.did });
    return read.value;
  }

  #items(items: readonly unknown[], schema: JsonSchema, pointer: string): unknown[] {
    const first = (schema['prefixItems'] ?? []) as readonly JsonSchema[];
    return items.map((item, i) => {
      const declared = first[i] ?? schema.items;
      return isRecord(declared) ? this.repair(item, declared, pointerTo(pointer, i)) : item;
    });
  }

  #fields(fields: object, schema: JsonSchema, pointer: string): unknown {
    const repaired: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      const at = pointerTo(pointer, name);
      const declared = schemasFor(schema, name).filter(isRecord);
      const nullable = () => declared.every((one) => accepts(null, one, this.root));
      if (value === null && !schema.required?.includes(name) && !nullable()) {
        this.repairs.push({ pointer: at, did: 'null dropped' });
        continue;
      }
      const fitting = declared.reduce((sofar, one) => this.repair(sofar, one, at), value as unknown);
      // Plain assignment to the key `__proto__` would set the prototype.
      Object.defineProperty(repaired, name, { value: fitting, writable: true, enumerable: true, configurable: true });
    }
    const parts = [...((schema['allOf'] ?? []) as readonly JsonSchema[]), this.#consequence(repaired, schema)];
    return parts.filter(isRecord).reduce<unknown>((sofar, part) => this.repair(sofar, part, pointer), repaired);
  }

  /** What `if` leads to. */
  #consequence(value: unknown, schema: JsonSchema): unknown {
    const condition = schema['if'];
    return isRecord(condition) ? schema[accepts(value, condition, this.root) ? 'then' : 'else'] : undefined;
  }

  /** The first alternative that a repaired value fits, if none fits as it came. */
  #branch(value: unknown, branches: readonly JsonSchema[], pointer: string): unknown {
    if (branches.some((branch) => accepts(value, branch, this.root))) return value;
    const meant = branches.filter((branch) => !isOther(value, branch, this.root));
    if (meant.length === 1) return this.repair(value, meant[0]!, pointer);
    const before = this.repairs;
    // Text may become anything; what is no text must at least look like the branch.
    for (const branch of typeof value === 'string' ? branches : meant) {
      this.repairs = [];
      const repaired = this.repair(value, branch, pointer);
      const tried = this.repairs;
      this.repairs = before;
      if (tried.length > 0 && accepts(repaired, branch, this.root)) {
        before.push(...tried);
        return repaired;
      }
    }
    return value;
  }
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

/** What a text says as a type, with the value for a key: an integer and a number are the same reading. */
function readAs(type: string, text: string): [unknown, Read][] {
  const read = READERS[type]?.(text);
  return read && isOf(read.value, type) ? [[read.value, read]] : [];
}
