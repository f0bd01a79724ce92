import type { Place } from './engine/place.ts';
import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { partsOf, resolve, schemaForItem, schemasFor } from './schema-tree.ts';

/** Whether a schema marks its values as secret. */
export function isSecret(schema: JsonSchema): boolean {
  return schema['writeOnly'] === true || schema['format'] === 'password' || schema['x-sensitive'] === true;
}

const known = new WeakMap<JsonSchema, boolean>();

/** Whether anything in a schema is secret. */
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
 * Schemas with all that their references, unions and conditions may add, each once: a schema that contains itself would
 * otherwise be followed branch by branch, level by level. `keeps` drops branches that cannot be meant.
 */
export function applicable(
  declared: Iterable<unknown>,
  root: JsonSchema,
  keeps: (branch: JsonSchema) => boolean = () => true,
): Set<JsonSchema> {
  const found = new Set<JsonSchema>();
  const add = (part: unknown) => {
    if (!isRecord(part) || !keeps(part)) return;
    const schema = resolve({ schema: part, root });
    if (found.has(schema)) return;
    found.add(schema);
    for (const inner of partsOf(schema)) add(inner);
  };
  for (const schema of declared) add(schema);
  return found;
}

/** All that schemas say of a field or an item. */
export function schemasBelow(schemas: Iterable<JsonSchema>, key: PropertyKey): Set<unknown> {
  const found = new Set<unknown>();
  for (const schema of schemas) {
    if (typeof key === 'number') {
      found.add(schemaForItem(schema, key));
      found.add(schema['contains']);
      found.add(schema['unevaluatedItems']);
    } else {
      for (const inner of schemasFor(schema, String(key))) found.add(inner);
    }
  }
  return found;
}

/** Where in a value its schema has secrets. */
export class Secrets {
  readonly exist: boolean;
  /** What applies at a place, or that it is secret: asked once, however many problems lie there. */
  readonly #at = new Map<Place | undefined, Set<JsonSchema> | 'secret'>();

  constructor(private readonly root: JsonSchema) {
    this.exist = hasSecrets(root);
  }

  /** Whether a place, or one that it lies in, is secret by any schema that may apply. */
  areAt(place: Place | undefined): boolean {
    return this.#schemasAt(place) === 'secret';
  }

  #schemasAt(place: Place | undefined): Set<JsonSchema> | 'secret' {
    let found = this.#at.get(place);
    if (!found) {
      const around = place ? this.#schemasAt(place.parent) : undefined;
      if (around === 'secret') found = around;
      else {
        found = applicable(place && around ? schemasBelow(around, place.key) : [this.root], this.root);
        for (const schema of found) if (isSecret(schema)) found = 'secret';
      }
      this.#at.set(place, found);
    }
    return found;
  }
}
