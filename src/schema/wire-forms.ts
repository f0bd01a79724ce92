import { FORM_KEYWORD } from './json-schema.ts';
import type { Forms, JsonSchema } from './json-schema.ts';
import { branchesOf, resolve } from './schema-tree.ts';
import type { Node } from './schema-tree.ts';

const BASE64 = '^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$';

/**
 * Values that JSON has no word for travel as text of a declared form: dates by RFC 3339,
 * 64-bit integers in decimal, bytes in base64. A schema says so with the keyword `x-everywire`.
 */
export const forms = {
  date: { type: 'string', format: 'date-time', [FORM_KEYWORD]: 'date' },
  bigint: { type: 'string', format: 'int64', pattern: '^-?[0-9]+$', [FORM_KEYWORD]: 'bigint' },
  bytes: { type: 'string', contentEncoding: 'base64', pattern: BASE64, [FORM_KEYWORD]: 'bytes' },
} as const;

const readers: { [Form in keyof Forms]: (text: string) => Forms[Form] } = {
  date: (text) => new Date(text),
  bigint: (text) => BigInt(text),
  bytes: (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0)),
};

/** The text of a value that JSON has no word for; undefined when it needs none. */
export function formOf(value: unknown): string | undefined {
  if (typeof value === 'bigint') return value.toString();
  // An invalid date has no text; JSON.stringify would write null.
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value.toISOString();
  if (value instanceof Uint8Array) return btoa(Array.from(value, (byte) => String.fromCharCode(byte)).join(''));
  return undefined;
}

/** Brings checked JSON into the form a handler expects. */
export type Revive = (value: unknown) => unknown;

/**
 * Reads declared forms and fills in declared defaults. Undefined when a schema has
 * neither, so that most calls pay nothing. Schema libraries apply their own defaults.
 */
export function compileRevive(root: JsonSchema, fillDefaults: boolean): Revive | undefined {
  return compile({ schema: root, root }, fillDefaults, new Map());
}

function compile(
  node: Node,
  fillDefaults: boolean,
  known: Map<JsonSchema, Revive | undefined | 'busy'>,
): Revive | undefined {
  const before = known.get(node.schema);
  // A schema that contains itself: look the reader up when a value gets there.
  if (before === 'busy') return (value) => (known.get(node.schema) as Revive | undefined)?.(value) ?? value;
  if (before || known.has(node.schema)) return before;
  known.set(node.schema, 'busy');
  const revive = build(
    resolve(node),
    (schema) => compile({ schema, root: node.root }, fillDefaults, known),
    fillDefaults,
  );
  known.set(node.schema, revive);
  return revive;
}

function build(
  schema: JsonSchema,
  inner: (schema: JsonSchema) => Revive | undefined,
  fillDefaults: boolean,
): Revive | undefined {
  const form = schema[FORM_KEYWORD] as keyof Forms | undefined;
  if (form && form in readers) return (value) => (typeof value === 'string' ? readers[form](value) : value);
  const steps: Revive[] = [];
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    const revive = inner(property);
    const fills = fillDefaults && property.default !== undefined;
    if (revive || fills) steps.push((value) => reviveField(value, name, revive, fills ? property.default : undefined));
  }
  const items = typeof schema.items === 'object' ? inner(schema.items) : undefined;
  if (items) steps.push((value) => (Array.isArray(value) ? value.map(items) : value));
  const parts = (schema['allOf'] ?? branchesOf(schema) ?? []) as readonly JsonSchema[];
  for (const part of parts) {
    const revive = inner(part);
    if (revive) steps.push(revive);
  }
  return steps.length > 0 ? (value) => steps.reduce((sofar, step) => step(sofar), value) : undefined;
}

function reviveField(value: unknown, name: string, revive: Revive | undefined, fallback: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const field = (value as Record<string, unknown>)[name];
  if (!Object.hasOwn(value, name))
    return fallback === undefined ? value : { ...value, [name]: structuredClone(fallback) };
  return revive ? { ...value, [name]: revive(field) } : value;
}
