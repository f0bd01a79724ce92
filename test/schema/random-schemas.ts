import type { JsonSchema } from '../../src/schema/json-schema.ts';

/** Random numbers from 0 to 1, reproducible by seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

// No names that every object inherits: ajv fails on some of them. The official tests cover those.
const NAMES = ['a', 'b', 'c', 'd', 'é', '😀'];
const PATTERNS = ['^a', 'b$', '^.{1,2}$', '^[^a]$', '^\\S{2}$', '[\\u{1F600}]', '\\p{L}', '^\\d+$', '^(a|b)*$'];
/** A date that is revived, in strings and in schemas. */
export const DATE = '2024-02-29T12:00:00.000Z';
const FORM = { type: 'string', pattern: '^2024-02-29T12:00:00.000Z$', 'x-everywire': 'date' };
const STRINGS = [DATE, DATE, '', 'a', 'b', 'ab', 'abc', '😀', '😀😀', 'é', '12', 'x'.repeat(9), ' '];
// Nothing below 2e-7: the third validator treats it as a rounding error, and so as a multiple of 1.
const NUMBERS = [0, -0, 1, -1, 2, 3, 5, 10, 0.5, 1.5, -2.5, 0.1, 0.3, 1e21, 2.5e-7, 100];
const TYPES = ['string', 'number', 'integer', 'boolean', 'object', 'array', 'null'];

/** Generates schemas with every keyword, and values that nearly match them. */
export class Generator {
  constructor(private readonly random: () => number) {}

  pick<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  int(below: number): number {
    return Math.floor(this.random() * below);
  }

  chance(p: number): boolean {
    return this.random() < p;
  }

  /** A complete schema, sometimes with recursive definitions. */
  root(): JsonSchema {
    const schema = this.schema(3) as JsonSchema;
    const isRecursive = this.chance(0.3);
    const T: JsonSchema = isRecursive
      ? { anyOf: [this.schema(1), { type: 'object', properties: { a: { $ref: '#/$defs/T' }, b: this.schema(1) } }] }
      : (this.schema(1) as JsonSchema);
    return { ...schema, $defs: { T, U: this.schema(1) as JsonSchema } };
  }

  schema(depth: number): JsonSchema | boolean {
    if (depth < 3 && this.chance(0.04)) return this.chance(0.6);
    const schema: Record<string, unknown> = {};
    const wanted = 1 + this.int(depth > 0 ? 4 : 2);
    for (let i = 0; i < wanted; i++) this.#keyword(schema, depth);
    return schema;
  }

  #keyword(schema: Record<string, unknown>, depth: number): void {
    const inner = () => this.schema(depth - 1);
    const few = () => Array.from({ length: 1 + this.int(3) }, inner);
    const named = () => Object.fromEntries(Array.from({ length: 1 + this.int(3) }, () => [this.pick(NAMES), inner()]));
    const flat: readonly (() => void)[] = [
      () => (schema['type'] = this.pick(TYPES)),
      () => (schema['type'] = this.pick(['object', 'array', 'object', 'string'])),
      () => (schema['type'] = [...new Set([this.pick(TYPES), this.pick(TYPES)])]),
      () => (schema['enum'] = Array.from({ length: 1 + this.int(3) }, () => this.value(1))),
      () => (schema['const'] = this.value(1)),
      () => (schema[this.pick(['minimum', 'exclusiveMinimum'])] = this.pick([-1, 0, 1, 1.5])),
      () => (schema[this.pick(['maximum', 'exclusiveMaximum'])] = this.pick([0, 1, 2, 10])),
      () => (schema['multipleOf'] = this.pick([1, 2, 0.5, 5])),
      () => (schema['minLength'] = this.int(4)),
      () => (schema['maxLength'] = this.int(4)),
      () => (schema['pattern'] = this.pick(PATTERNS)),
      () => (schema['minItems'] = this.int(3)),
      () => (schema['maxItems'] = this.int(4)),
      () => (schema['uniqueItems'] = this.chance(0.8)),
      () => (schema['minProperties'] = this.int(3)),
      () => (schema['maxProperties'] = this.int(4)),
      () => (schema['required'] = [...new Set(Array.from({ length: 1 + this.int(2) }, () => this.pick(NAMES)))]),
      () => Object.assign(schema, FORM),
      () => (schema['dependentRequired'] = { [this.pick(NAMES)]: [this.pick(NAMES)] }),
    ];
    const deep: readonly (() => void)[] = [
      () => (schema['properties'] = named()),
      () => (schema['properties'] = named()),
      () => (schema['patternProperties'] = { [this.pick(PATTERNS)]: inner() }),
      () => (schema['additionalProperties'] = inner()),
      () => (schema['propertyNames'] = inner()),
      () => (schema['dependentSchemas'] = { [this.pick(NAMES)]: inner() }),
      () => (schema['unevaluatedProperties'] = this.chance(0.5) ? false : inner()),
      () => (schema['items'] = inner()),
      () => (schema['prefixItems'] = few()),
      () => (schema['unevaluatedItems'] = this.chance(0.5) ? false : inner()),
      () => {
        schema['contains'] = inner();
        if (this.chance(0.5)) schema['minContains'] = this.int(3);
        if (this.chance(0.5)) schema['maxContains'] = this.int(3);
      },
      () => (schema[this.pick(['allOf', 'anyOf', 'oneOf'])] = few()),
      () => (schema[this.pick(['allOf', 'anyOf', 'oneOf'])] = few()),
      () => (schema['not'] = inner()),
      () => {
        schema['if'] = inner();
        if (this.chance(0.8)) schema['then'] = inner();
        if (this.chance(0.6)) schema['else'] = inner();
      },
    ];
    if (depth > 0 && this.chance(0.12)) schema['$ref'] = this.pick(['#/$defs/T', '#/$defs/U']);
    else this.pick(depth > 0 ? [...flat, ...deep, ...deep] : flat)();
  }

  value(depth: number): unknown {
    const kind = this.int(depth > 0 ? 9 : 5);
    if (kind === 0) return this.pick(NUMBERS);
    if (kind === 1) return this.pick([...STRINGS, this.pick(NAMES)]);
    if (kind === 2) return this.chance(0.5);
    if (kind === 3) return null;
    if (kind === 4) return this.pick(NUMBERS);
    if (kind < 7) return Array.from({ length: this.int(4) }, () => this.value(depth - 1));
    // Like JSON.parse: `__proto__` is an ordinary field.
    const entries = Array.from({ length: this.int(4) }, () => [this.pick(NAMES), this.value(depth - 1)] as const);
    return Object.fromEntries(entries);
  }
}
