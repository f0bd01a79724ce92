import { isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { branchesOf, resolve, schemaForItem, schemasFor } from '../../../schema/schema-tree.ts';
import { SHAPE } from '../shape.ts';
import { bestBranch } from './best-branch.ts';
import { matches } from './matches.ts';
import type { Matching } from './matches.ts';

/** Copies of a value what its schema describes. */
export type Project = (value: unknown) => unknown;

/** Deeper values are cycles, or refused by the limits of an app. */
const DEEPEST = 200;

/**
 * Sends what is described, and not what is there: a row of a database, or an object with private fields, has more. Reads only
 * described fields, and each once: others may be getters that throw. Sets, maps and addresses become JSON. A value that does
 * not fit stays as it is, for the check that follows.
 */
export function compileProject(root: JsonSchema): Project {
  return (value) => new Projector(root).project(value, root, 0);
}

class Projector {
  /** A value may be in many places, and every union asks about it. */
  readonly #matching: Matching;
  readonly #done = new Map<JsonSchema, Map<object, unknown>>();

  constructor(private readonly root: JsonSchema) {
    this.#matching = { root, known: new Map() };
  }

  project(value: unknown, declared: unknown, depth: number): unknown {
    if (value === undefined) return null;
    if (!isRecord(declared)) return value;
    const schema = resolve({ schema: declared, root: this.root });
    const plain = unwrap(value, schema);
    if (typeof plain !== 'object' || plain === null || isLeaf(plain)) return plain;
    if (depth > DEEPEST) throw new RangeError('The returned value is nested too deeply, or circular');
    let known = this.#done.get(schema);
    if (!known) this.#done.set(schema, (known = new Map()));
    if (known.has(plain)) return known.get(plain);
    const projected = this.#object(plain, schema, depth);
    known.set(plain, projected);
    return projected;
  }

  #object(value: object, schema: JsonSchema, depth: number): unknown {
    const branches = branchesOf(schema);
    if (branches) {
      const fitting = branches.filter((one) => this.#fits(value, one));
      const branch = bestBranch(value, fitting, this.root);
      return branch ? this.project(value, branch, depth + 1) : value;
    }
    if (schema[SHAPE] === 'set' || schema[SHAPE] === 'entries' || Array.isArray(value)) {
      return this.#items(value as Iterable<unknown>, schema, depth);
    }
    if (value instanceof Map) return this.#fields(Object.fromEntries(value) as object, schema, depth);
    return schema.type === 'object' ? this.#fields(value, schema, depth) : value;
  }

  #items(items: Iterable<unknown>, schema: JsonSchema, depth: number): unknown[] {
    return present(items, schema).map((item, i) => this.project(item, schemaForItem(schema, i), depth + 1));
  }

  #fields(fields: object, schema: JsonSchema, depth: number): object {
    const names = new Set(Object.keys(schema.properties ?? {}));
    const isOpen = 'patternProperties' in schema || isRecord(schema['additionalProperties']) || !schema.properties;
    if (isOpen) for (const name of Object.keys(fields)) names.add(name);
    const copy: [string, unknown][] = [];
    for (const name of names) {
      if (!isOpen && !(name in fields)) continue;
      const declared = schemasFor(schema, name).filter((one) => one !== false);
      if (declared.length === 0 && (schema.properties || schema['additionalProperties'] === false)) continue;
      const value = (fields as Record<string, unknown>)[name];
      // A method, or what every object inherits.
      if (value === undefined || typeof value === 'function') continue;
      copy.push([name, this.project(value, declared[0] ?? {}, depth + 1)]);
    }
    return Object.fromEntries(copy);
  }

  #fits(value: object, branch: JsonSchema): boolean {
    return matches(value, branch, this.#matching);
  }
}

/** The elements at the end of a tuple that may be left out, and are undefined, are. */
function present(items: Iterable<unknown>, schema: JsonSchema): unknown[] {
  const list = Array.from(items);
  const { prefixItems = [], minItems = 0 } = schema as { prefixItems?: readonly JsonSchema[]; minItems?: number };
  while (list.length > minItems && list.length <= prefixItems.length && list.at(-1) === undefined) list.pop();
  return list;
}

/** Values that the wire forms encode. */
function isLeaf(value: object): boolean {
  return value instanceof Date || value instanceof Uint8Array || value instanceof Blob;
}

function unwrap(value: unknown, schema: JsonSchema): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof URL) return value.href;
  if (value instanceof ArrayBuffer) return new Uint8Array(value);
  if (schema[SHAPE] !== 'to-json') return value;
  const { toJSON } = value as { toJSON?: unknown };
  return typeof toJSON === 'function' ? (toJSON.call(value) as unknown) : value;
}
