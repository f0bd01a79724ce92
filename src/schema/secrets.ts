import type { Place } from './engine/place.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { partsOf, propertiesOf, resolve, schemaForItem, schemasFor } from './schema-tree.ts';

/** Whether a schema marks its values as secret. */
export function isSecret(schema: JsonSchema): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password' || schema['x-sensitive'] === true;
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether a schema marks anything as secret. */
export function hasSecrets(root: JsonSchema): boolean {
  let found = known.get(root);
  if (found === undefined) known.set(root, (found = anySecret(root, new Set())));
  return found;
}

function anySecret(schema: unknown, seen: Set<unknown>): boolean {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false;
  seen.add(schema);
  return isSecret(schema as JsonSchema) || Object.values(schema).some((inner) => anySecret(inner, seen));
}

/**
 * All schemas that may apply through references, unions and conditions, each once, so that recursive schemas end.
 * `keeps` filters out branches that cannot match.
 */
export function applicableSchemas(
  declared: Iterable<unknown>,
  root: JsonSchema,
  keeps: (branch: JsonSchema) => boolean = () => true,
  parts = partsOf,
): Set<JsonSchema> {
  const found = new Set<JsonSchema>();
  const add = (part: unknown) => {
    if (!isRecord(part) || !keeps(part)) return;
    const schema = resolve({ schema: part, root });
    if (found.has(schema)) return;
    found.add(schema);
    for (const inner of parts(schema)) add(inner);
  };
  for (const schema of declared) add(schema);
  return found;
}

/** The schemas of a field or an item. */
export function childSchemas(schemas: Iterable<JsonSchema>, key: PropertyKey): Set<unknown> {
  const found = new Set<unknown>();
  for (const schema of schemas) {
    if (typeof key === 'number') {
      found.add(schemaForItem(schema, key));
      found.add(schema['contains']);
      found.add(schema['unevaluatedItems']);
    } else {
      for (const inner of schemasFor(schema, String(key))) found.add(inner);
      found.add(schema['unevaluatedProperties']);
    }
  }
  // No schema would allow everything.
  found.delete(undefined);
  return found;
}

/** The fields that a schema requires anywhere, but does not describe although it describes others. */
export function undeclaredIn(root: JsonSchema): ReadonlySet<string> {
  const undeclared = new Set<string>();
  const seen = new Set<unknown>();
  const visit = (declared: readonly unknown[]) => {
    const schemas = applicableSchemas(declared, root, undefined, partsToFulfil);
    if ([...schemas].every((schema) => seen.has(schema))) return;
    const names = propertiesOf({ schema: { allOf: declared }, root });
    const isDeclared = (name: string) =>
      names === 'open' || [...schemas].some(({ properties = {} }) => Object.hasOwn(properties, name));
    for (const schema of schemas) {
      seen.add(schema);
      for (const name of schema.required ?? []) if (!isDeclared(name)) undeclared.add(name);
    }
    const fields = [...schemas].flatMap(({ properties = {} }) => Object.keys(properties));
    for (const name of new Set(fields)) visit([...childSchemas(schemas, name)]);
    const length = Math.max(...[...schemas].map(({ prefixItems = [] }) => (prefixItems as unknown[]).length));
    for (let i = 0; i <= length; i++) visit([...childSchemas(schemas, i)]);
    for (const { additionalProperties, patternProperties } of schemas)
      for (const one of [additionalProperties, ...Object.values(patternProperties ?? {})]) visit([one]);
  };
  visit([root]);
  return undeclared;
}

/** Without conditions: `not: { required }` demands no field. */
const partsToFulfil = (schema: JsonSchema) =>
  partsOf(schema).filter((part) => part !== schema['not'] && part !== schema['if']);

/** Finds the secret places of a value by its schema. */
export class Secrets {
  readonly exist: boolean;
  /** Memo: the schemas at a place, or that it is secret. Many problems may be at one place. */
  readonly #at = new Map<Place | undefined, Set<JsonSchema> | 'secret'>();

  constructor(private readonly root: JsonSchema) {
    this.exist = hasSecrets(root);
  }

  /** Whether any schema that may apply marks a place, or one above it, as secret. */
  areAt(place: Place | undefined): boolean {
    return this.#schemasAt(place) === 'secret';
  }

  #schemasAt(place: Place | undefined): Set<JsonSchema> | 'secret' {
    let found = this.#at.get(place);
    if (!found) {
      const around = place ? this.#schemasAt(place.parent) : undefined;
      if (around === 'secret') found = around;
      else {
        found = applicableSchemas(place && around ? childSchemas(around, place.key) : [this.root], this.root);
        for (const schema of found) if (isSecret(schema)) found = 'secret';
      }
      this.#at.set(place, found);
    }
    return found;
  }
}
