import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { keysOf, lookUp } from './pointer.ts';

/**
 * Puts schemas that stood alone into one larger document. A local reference such as
 * `#/$defs/Place` means another place there, so what it points to moves to the shelf
 * under a name of its own; the same schema under the same name is kept once.
 */
export class Shelf {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #names = new Map<string, string>();

  constructor(private readonly base: string) {}

  /** A copy of the schema that may stand anywhere in the document. */
  embed(root: JsonSchema, name: string): JsonSchema {
    const { $defs: _, definitions: __, ...schema } = root;
    return this.embedPart(schema, root, name);
  }

  /** A reference to the schema, which is kept on the shelf under this name. */
  refer(root: JsonSchema, name: string): JsonSchema {
    return { $ref: this.#place('#', root, name) };
  }

  /** The same for a part of a schema, whose references point into the whole. */
  embedPart(part: JsonSchema, root: JsonSchema, name: string): JsonSchema {
    return this.#copy(part, root, name);
  }

  #copy(schema: JsonSchema, root: JsonSchema, name: string): JsonSchema {
    const copy = mapSchemas(schema, (inner) => this.#copy(inner, root, name));
    return typeof schema['$ref'] === 'string' ? { ...copy, $ref: this.#place(schema['$ref'], root, name) } : copy;
  }

  #place(ref: string, root: JsonSchema, name: string): string {
    if (!ref.startsWith('#')) return ref;
    const { $defs, definitions, ...alone } = root;
    const target = ref === '#' ? alone : (lookUp(root, ref) as JsonSchema);
    const wanted = (keysOf(ref).at(-1) ?? name).replaceAll(/[^A-Za-z0-9._-]/g, '_');
    const text = JSON.stringify(target);
    // Two schemas that read alike are alike only if what they refer to is.
    const identity = `${wanted} ${text} ${text.includes('"$ref"') ? JSON.stringify([$defs, definitions]) : ''}`;
    let placed = this.#names.get(identity);
    if (placed === undefined) {
      placed = this.#unused(wanted);
      this.#names.set(identity, placed);
      this.schemas[placed] = {}; // taken, before a reference inside asks for it
      this.schemas[placed] = this.#copy(target, root, name);
    }
    return this.base + placed;
  }

  #unused(wanted: string): string {
    let name = wanted;
    for (let n = 2; Object.hasOwn(this.schemas, name); n++) name = `${wanted}${n}`;
    return name;
  }
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
export const ONE = [
  'items',
  'additionalProperties',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
export const LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
export const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** A copy of a schema with every schema directly inside it replaced. Data (const, default, examples) is left alone. */
export function mapSchemas(schema: JsonSchema, replace: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const copy: Record<string, unknown> = { ...schema };
  const one = (value: unknown) => (isRecord(value) ? replace(value) : value);
  for (const [key, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null) continue;
    if (ONE.includes(key)) copy[key] = one(value);
    else if (LISTS.includes(key) && Array.isArray(value)) copy[key] = value.map(one);
    else if (MAPS.includes(key) && isRecord(value)) {
      copy[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, one(inner)]));
    }
  }
  return copy;
}
