import { isRecord } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { keysOf, lookUp } from './pointer.ts';

/**
 * Embeds standalone schemas in a larger document. A local reference such as `#/$defs/Place` would point elsewhere
 * there, so its target is moved to the document's definitions, under a unique name. Equal schemas of the same name
 * share one definition.
 */
export class Definitions {
  readonly schemas: Record<string, JsonSchema> = {};
  readonly #names = new Map<string, string>();

  constructor(private readonly base: string) {}

  /** Returns a copy of the schema that is valid anywhere in the document. */
  embed(root: JsonSchema, name: string): JsonSchema {
    const { $defs: _, definitions: __, ...schema } = root;
    return this.embedPart(schema, root, name);
  }

  /** Like `embed`, for a subschema whose references point into its root. */
  embedPart(part: JsonSchema, root: JsonSchema, name: string): JsonSchema {
    return this.#copy(part, root, name);
  }

  #copy(schema: JsonSchema, root: JsonSchema, name: string): JsonSchema {
    const copy = mapSchemas(schema, (inner) => this.#copy(inner, root, name));
    return typeof schema['$ref'] === 'string' ? { ...copy, $ref: this.#place(schema['$ref'], root, name) } : copy;
  }

  #place(ref: string, root: JsonSchema, name: string): string {
    if (!ref.startsWith('#')) return ref;
    const { $defs: _, definitions: __, ...alone } = root;
    const target = ref === '#' ? alone : (lookUp(root, ref) as JsonSchema);
    // A root has no name of its own; a leading `__` says so, as zod writes it.
    const wanted = (keysOf(ref).at(-1) ?? `__${name}`).replaceAll(/[^A-Za-z0-9._-]/g, '_');
    const identity = `${wanted} ${closureOf(target, root)}`;
    let placed = this.#names.get(identity);
    if (placed === undefined) {
      placed = this.#unused(wanted);
      this.#names.set(identity, placed);
      this.schemas[placed] = {}; // reserves the name: the schema may refer to itself
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

/** The text of a schema and of everything that it refers to: schemas are equal only if the targets of references are. */
function closureOf(schema: JsonSchema, root: JsonSchema): string {
  const text = JSON.stringify(schema);
  const texts = new Map<string, string>();
  if (text.includes('"$ref"')) visit(schema);
  return `${text} ${JSON.stringify([...texts])}`;

  function visit(part: JsonSchema): JsonSchema {
    const ref = part['$ref'];
    if (typeof ref === 'string' && ref.startsWith('#') && !texts.has(ref)) {
      const target = lookUp(root, ref);
      texts.set(ref, JSON.stringify(target));
      if (isRecord(target) && ref !== '#') visit(target);
    }
    return mapSchemas(part, visit);
  }
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. */
export const SCHEMA_KEYWORDS = [
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
export const SCHEMA_LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
export const SCHEMA_MAP_KEYWORDS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];

/** Replaces a subschema. `name` is its key, if the keyword holds schemas by name. */
type Replace = (inner: JsonSchema, keyword: string, name?: string) => JsonSchema;

/** Copies a schema and replaces its direct subschemas. Leaves data (const, default, examples) as it is. */
export function mapSchemas(schema: JsonSchema, replace: Replace): JsonSchema {
  const copy: Record<string, unknown> = { ...schema };
  for (const [key, value] of Object.entries(schema)) {
    if (typeof value !== 'object' || value === null) continue;
    const one = (inner: unknown, name?: string) => (isRecord(inner) ? replace(inner, key, name) : inner);
    if (SCHEMA_KEYWORDS.includes(key)) copy[key] = one(value);
    else if (SCHEMA_LIST_KEYWORDS.includes(key) && Array.isArray(value)) copy[key] = value.map((inner) => one(inner));
    else if (SCHEMA_MAP_KEYWORDS.includes(key) && isRecord(value)) {
      copy[key] = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, one(inner, name)]));
    }
  }
  return copy;
}
