import { mapSchemas } from '../../../schema/embed.ts';
import { UNFOLDED, isRecord } from '../../../schema/json-schema.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import { keysOf, lookUp } from '../../../schema/pointer.ts';
import { toPascalCase } from './names.ts';
import { placeOf } from './place.ts';
import type { Place } from './place.ts';
import { nameSharedTypes } from './sharing.ts';
import { Link, findEqualTypes } from './type.ts';
import type { Type } from './type.ts';

interface Placed {
  readonly type: Type;
  /** Whether it is written out here, even if it is shared elsewhere. */
  readonly isInline: boolean;
  readonly filled: object;
}

interface Placing {
  /** A name of our own that it is shared under. */
  readonly given?: string;
  readonly isInline?: boolean;
}

/**
 * The schemas of a document. Types that have a name, are large, or are repeated become components; others stay where
 * they are used. Equal types are written once.
 */
export class SharedSchemas {
  readonly #types: Type[] = [];
  /** By the schema that they were read from, in its root. */
  readonly #known = new WeakMap<JsonSchema, Map<JsonSchema, Type>>();
  /** The definitions without a name that are being written out. */
  #writingOut = new Set<JsonSchema>();
  readonly #placed: Placed[] = [];
  readonly #converted = new WeakMap<object, JsonSchema>();

  /** `convert` translates schemas to the dialect of the document. */
  constructor(private readonly convert: (schema: JsonSchema) => JsonSchema) {}

  /** Returns an object that `finish` fills in: what is shared is known only when everything is placed. */
  place(schema: JsonSchema, place: Place, { given, isInline = false }: Placing = {}): JsonSchema {
    const root = this.#once(schema, () => this.convert(schema));
    const filled = {};
    const type = this.#add(place, given ?? titleOf(root), root, root);
    this.#placed.push({ type, isInline, filled });
    return filled;
  }

  /** Fills in what was placed. Returns the shared schemas. */
  finish(base: string): Record<string, JsonSchema> {
    const equal = findEqualTypes(this.#types);
    const names = nameSharedTypes(
      this.#types,
      this.#placed.map(({ type }) => type),
      equal,
    );
    const written = new Map<string, JsonSchema>();

    for (const { type, isInline, filled } of this.#placed) {
      Object.assign(filled, isInline ? write(equal(type).body) : write(new Link(type)));
    }
    // In alphabetical order: another function changes as little of the text as possible.
    return Object.fromEntries([...written].toSorted(([a], [b]) => (a < b ? -1 : 1)));

    function write(part: JsonSchema | Link): JsonSchema {
      if (!(part instanceof Link)) return mapSchemas(part, write);
      const type = equal(part.type);
      const siblings = mapSchemas(part.siblings, write);
      const name = names.get(type);
      if (name === undefined) return { ...write(type.body), ...siblings };
      if (!written.has(name)) {
        written.set(name, {}); // it may contain itself
        written.set(name, write(type.body));
      }
      return { $ref: base + name, ...siblings };
    }
  }

  /** A schema with its types replaced by links. */
  #read(schema: JsonSchema, root: JsonSchema, place: Place): JsonSchema | Link {
    const unfolded = schema[UNFOLDED];
    if (unfolded) {
      const { $defs, ...reference } = unfolded;
      const defs = this.#once($defs as object, () => this.convert({ $defs }));
      return this.#read(this.convert(reference), defs, place);
    }
    const { $ref, $defs: _, definitions: __, ...rest } = schema;
    const body = mapSchemas(rest, (inner, keyword, key) =>
      this.#readInner(inner, root, placeOf(inner, place, keyword, key)),
    );
    if (typeof $ref !== 'string') return body;
    return $ref.startsWith('#') ? this.#follow($ref, body, root, place) : { $ref, ...body };
  }

  #readInner(schema: JsonSchema, root: JsonSchema, place: Place): JsonSchema {
    const isOwn = isType(schema) && !schema[UNFOLDED];
    return (isOwn ? this.#link(schema, root, place) : this.#read(schema, root, place)) as JsonSchema;
  }

  #follow(ref: string, siblings: JsonSchema, root: JsonSchema, place: Place): JsonSchema | Link {
    const target = ref === '#' ? root : lookUp(root, ref);
    if (!isRecord(target)) return siblings;
    const [where = '', key = ''] = keysOf(ref).slice(-2);
    const isDefs = /^(?:\$defs|definitions)$/.test(where);
    const isNamed = isDefs && !GENERATED.test(key);
    if (isDefs && !isNamed && !isType(target) && !this.#writingOut.has(target)) {
      return this.#writeOut(target, siblings, root, place);
    }
    const named = where === 'properties' ? { ...place, name: toPascalCase(key) } : place;
    const { type } = this.#link(target, root, named, isNamed ? key : undefined);
    type.isDefinition = true;
    return new Link(type, siblings);
  }

  /** A definition that nobody would name, such as a list. */
  #writeOut(target: JsonSchema, siblings: JsonSchema, root: JsonSchema, place: Place): JsonSchema | Link {
    this.#writingOut.add(target);
    const body = this.#read(target, root, place);
    this.#writingOut.delete(target);
    return body instanceof Link ? new Link(body.type, { ...body.siblings, ...siblings }) : { ...body, ...siblings };
  }

  #link(schema: JsonSchema, root: JsonSchema, place: Place, given = titleOf(schema)): Link {
    const known = this.#known.get(root)?.get(schema);
    if (known) known.isDefinition = true;
    return new Link(known ?? this.#add(place, given, schema, root));
  }

  #add(place: Place, given: string | undefined, schema: JsonSchema, root: JsonSchema): Type {
    const type: Type = { place, given, isDefinition: false, body: {} };
    this.#types.push(type);
    // Before its body is read, which may refer to it.
    const known = this.#known.get(root) ?? new Map<JsonSchema, Type>();
    this.#known.set(root, known.set(schema, type));
    const outer = this.#writingOut;
    this.#writingOut = new Set();
    type.body = this.#read(schema, root, place);
    this.#writingOut = outer;
    return type;
  }

  /** The same object for the same schema, so that definitions are recognised. */
  #once(schema: object, convert: () => JsonSchema): JsonSchema {
    let converted = this.#converted.get(schema);
    if (!converted) this.#converted.set(schema, (converted = convert()));
    return converted;
  }
}

/** Names of definitions that libraries number: zod, valibot and arktype. */
const GENERATED = /^__|^\d+$|^(?:alias|domain|intersection|morph|proto|sequence|structure|union|unit)\d+$/;

/** Whether a schema describes something that people would name. */
function isType({ $ref, properties, anyOf, oneOf, enum: values }: JsonSchema): boolean {
  if ($ref !== undefined) return false;
  const branches = [anyOf ?? oneOf ?? []].flat().filter((branch) => isRecord(branch) && branch['type'] !== 'null');
  return (isRecord(properties) && Object.keys(properties).length > 0) || branches.length > 1 || values !== undefined;
}

/** A title that is a name, and not a sentence. */
function titleOf(schema: JsonSchema): string | undefined {
  const { title } = schema;
  return typeof title === 'string' && isType(schema) && /^[A-Za-z][\w.-]*$/.test(title) ? title : undefined;
}
