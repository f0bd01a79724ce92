import { engineOf } from './engine/engine.ts';
import { Run } from './engine/run.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { branchesOf, resolve, schemaForItem, schemasFor } from './schema-tree.ts';

/** Removes fields from a value in place: the value must be a private copy. */
export type Prune = (value: unknown) => void;

/**
 * Removes from a value what its schema does not describe, so that extra columns of a query do not leave the server. If
 * the schemas of an object name no fields at all, all its fields stay. Undefined if the schema never removes anything.
 */
export function compilePrune(root: JsonSchema): Prune | undefined {
  if (isPlain(root)) return plainPrune(root);
  return (value) => {
    if (typeof value === 'object' && value !== null) new Pruner(root).prune(value, [root]);
  };
}

const FIELDS = ['properties', 'patternProperties', 'additionalProperties', 'unevaluatedProperties'];
const describes = (schema: JsonSchema) => FIELDS.some((keyword) => keyword in schema);

/** Keywords whose effect depends on the value or on other schemas. */
const INVOLVED = [
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
  'if',
  'dependentSchemas',
  'patternProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'contains',
  'prefixItems',
];

/** Whether a schema consists of nested objects and lists only, as most do. */
function isPlain(schema: unknown): boolean {
  if (!isRecord(schema)) return true;
  if (INVOLVED.some((keyword) => keyword in schema)) return false;
  const { properties = {}, items, additionalProperties } = schema as JsonSchema;
  return [...Object.values(properties), items, additionalProperties].every(isPlain);
}

function plainPrune(schema: unknown): Prune | undefined {
  if (!isRecord(schema)) return undefined;
  const item = plainPrune(schema['items']);
  const other = plainPrune(schema['additionalProperties']);
  const isOpen = 'additionalProperties' in schema || !('properties' in schema);
  const known = new Map(
    Object.entries((schema as JsonSchema).properties ?? {}).map(([name, inner]) => [name, plainPrune(inner) ?? null]),
  );
  if (isOpen && !item && !other && [...known.values()].every((prune) => !prune)) return undefined;
  return (value) => {
    if (Array.isArray(value)) {
      if (item) for (const one of value) item(one);
    } else if (typeof value === 'object' && value !== null) {
      const fields = value as Record<string, unknown>;
      // Faster than Object.keys, and the same: a private copy inherits nothing enumerable.
      for (const name in fields) {
        const inner = known.get(name);
        if (inner) inner(fields[name]);
        else if (inner === undefined && !isOpen) delete fields[name];
        else if (inner === undefined) other?.(fields[name]);
      }
    }
  };
}

/** For schemas with references, unions and conditions. */
class Pruner {
  readonly #engine;
  readonly #run = new Run(true);

  constructor(private readonly root: JsonSchema) {
    this.#engine = engineOf(root);
  }

  prune(value: object, declared: readonly unknown[]): void {
    const schemas = this.#applied(value, declared);
    if (Array.isArray(value)) return this.#items(value, schemas);
    if (!schemas.some(describes)) return;
    const fields = value as Record<string, unknown>;
    for (const name of Object.keys(fields)) {
      const inner = schemas.flatMap((schema) => this.#fieldSchemas(schema, name));
      const field = fields[name];
      if (inner.length === 0) delete fields[name];
      else if (typeof field === 'object' && field !== null) this.prune(field, inner);
    }
  }

  #items(items: readonly unknown[], schemas: readonly JsonSchema[]): void {
    for (const [i, item] of items.entries()) {
      if (typeof item !== 'object' || item === null) continue;
      const inner = schemas.flatMap((schema) => [
        schemaForItem(schema, i),
        schema['contains'],
        schema['unevaluatedItems'],
      ]);
      this.prune(item, inner);
    }
  }

  #fieldSchemas(schema: JsonSchema, name: string): unknown[] {
    const found = schemasFor(schema, name);
    return found.length > 0 ? found : [schema['unevaluatedProperties']].filter((one) => one !== undefined);
  }

  /** The schemas that apply to a value; of a union, the branches that accept it. */
  #applied(value: object, declared: readonly unknown[]): JsonSchema[] {
    const found = new Set<JsonSchema>();
    const accepts = (part: unknown) => this.#engine.accepts(value, part as JsonSchema | boolean, this.#run);
    const add = (part: unknown) => {
      if (!isRecord(part)) return;
      const schema = resolve({ schema: part, root: this.root });
      if (found.has(schema)) return;
      found.add(schema);
      for (const one of (schema['allOf'] ?? []) as readonly unknown[]) add(one);
      for (const one of branchesOf(schema) ?? []) if (accepts(one)) add(one);
      const dependent = (schema['dependentSchemas'] ?? {}) as Record<string, unknown>;
      for (const [name, one] of Object.entries(dependent)) if (Object.hasOwn(value, name)) add(one);
      if (!('if' in schema)) return;
      const holds = accepts(schema['if']);
      if (holds) add(schema['if']);
      add(schema[holds ? 'then' : 'else']);
    };
    for (const schema of declared) add(schema);
    return [...found];
  }
}
