import type { ContentBlock } from './content-blocks.ts';

/** A JSON Schema (2020-12) as plain data. */
export interface JsonSchema {
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly items?: JsonSchema | boolean;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly [CHECKED_BY_LIBRARY]?: LibraryChecks;
  readonly [UNFOLDED]?: JsonSchema;
  readonly [keyword: string]: unknown;
}

/**
 * What a schema library checks instead of us: `formats` are also patterns, and lengths, which it counts in its own way.
 * `limits` if it changes the value before it checks them, such as `trim`. `coerced` if it converts values of other types.
 */
export type LibraryChecks = 'formats' | 'limits' | 'coerced';

/**
 * Marks a schema whose format and pattern are checked by its schema library, in that library's dialect and with its
 * flags. A symbol: copies of the schema keep it, and JSON.stringify leaves it out.
 */
export const CHECKED_BY_LIBRARY: unique symbol = Symbol('checked by library');

/** The same in what a library returns, which keeps strings only. */
export const LIBRARY_KEYWORD = 'x-everywire-library';

/**
 * The schema as its author wrote it, if that was a reference to a named definition. The wires need the definition itself
 * at the root; the OpenAPI document needs its name.
 */
export const UNFOLDED: unique symbol = Symbol('unfolded');

/** Whether a value is an object and not an array: what JSON calls an object. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The extension keyword that declares a wire form (see wire-forms.ts). */
export const FORM_KEYWORD = 'x-everywire';

/** Fields with a default: a handler is always given them, but callers may omit them. */
type Side = 'given' | 'accepted';

/** The TypeScript type of the values that a JSON Schema literal describes. */
export type FromJsonSchema<S, On extends Side = 'given', Root = S> = S extends { [FORM_KEYWORD]: infer Form }
  ? Form extends keyof Declared
    ? Declared[Form]
    : never
  : S extends { $ref: infer Ref }
    ? FromRef<Ref, On, Root>
    : S extends { const: infer C }
      ? C
      : S extends { enum: readonly (infer E)[] }
        ? E
        : S extends { anyOf: readonly (infer B)[] }
          ? FromJsonSchema<B, On, Root>
          : S extends { oneOf: readonly (infer B)[] }
            ? FromJsonSchema<B, On, Root>
            : S extends { allOf: infer Parts extends readonly unknown[] }
              ? Flat<FromAll<Parts, On, Root> & (S extends { properties: unknown } ? FromObject<S, On, Root> : unknown)>
              : S extends { type: readonly (infer T)[] }
                ? FromType<T, S, On, Root>
                : S extends { type: infer T }
                  ? FromType<T, S, On, Root>
                  : unknown;

type FromAll<Parts extends readonly unknown[], On extends Side, Root> = Parts extends readonly [
  infer First,
  ...infer Rest,
]
  ? FromJsonSchema<First, On, Root> & FromAll<Rest, On, Root>
  : unknown;

/** The TypeScript types of the wire forms. */
export interface Forms {
  date: Date;
  bigint: bigint;
  bytes: Uint8Array;
}

/** Everything that the keyword may declare. */
interface Declared extends Forms {
  content: ContentBlock[];
  file: File;
}

type FromRef<Ref, On extends Side, Root> = Ref extends `#/$defs/${infer Name}`
  ? Root extends { $defs: infer Defs }
    ? Name extends keyof Defs
      ? FromJsonSchema<Defs[Name], On, Root>
      : unknown
    : unknown
  : unknown;

type FromType<T, S, On extends Side, Root> = T extends 'string'
  ? string
  : T extends 'number' | 'integer'
    ? number
    : T extends 'boolean'
      ? boolean
      : T extends 'null'
        ? null
        : T extends 'array'
          ? FromArray<S, On, Root>
          : T extends 'object'
            ? FromObject<S, On, Root>
            : unknown;

type FromArray<S, On extends Side, Root> = S extends { prefixItems: infer P extends readonly unknown[] }
  ? S extends { items: infer I extends JsonSchema | true }
    ? [...FromTuple<P, On, Root>, ...FromJsonSchema<I, On, Root>[]]
    : FromTuple<P, On, Root>
  : S extends { items: infer I }
    ? FromJsonSchema<I, On, Root>[]
    : unknown[];

type FromTuple<P extends readonly unknown[], On extends Side, Root> = {
  -readonly [K in keyof P]: FromJsonSchema<P[K], On, Root>;
};

/** Unnamed fields are allowed only where the schema declares them. */
type Others<S> = S extends { additionalProperties: JsonSchema | true } ? Record<string, unknown> : unknown;

type FromObject<S, On extends Side, Root> = S extends { properties: infer P }
  ? Flat<
      { -readonly [K in keyof P as K extends Present<S, P, On> ? K : never]: FromJsonSchema<P[K], On, Root> } & {
        -readonly [K in keyof P as K extends Present<S, P, On> ? never : K]?: FromJsonSchema<P[K], On, Root>;
      }
    > &
      Others<S>
  : S extends { additionalProperties: infer A extends JsonSchema }
    ? Record<string, FromJsonSchema<A, On, Root>>
    : Record<string, unknown>;

/** A property is always present if it is required or, for a handler, if it has a default. */
type Present<S, P, On extends Side> = On extends 'given'
  ? Required<S> | { [K in keyof P]: P[K] extends { default: unknown } ? K : never }[keyof P]
  : Required<S>;

type Required<S> = S extends { required: readonly (infer R)[] } ? R : never;

type Flat<T> = { [K in keyof T]: T[K] } & {};
