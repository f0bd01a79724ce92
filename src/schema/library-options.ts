import { LIBRARY_KEYWORD } from './json-schema.ts';
import type { JsonSchema } from './json-schema.ts';
import { NOTES } from './schema-tree.ts';
import { forms } from './wire-forms.ts';

/** Options that make each library use our wire forms for dates and big integers (see wire-forms.ts). */
export const LIBRARY_OPTIONS: Record<string, (side: 'input' | 'output') => Record<string, unknown>> = {
  zod: (side) => ({ unrepresentable: 'any', override: (node: ZodNode) => overrideZod(node, side) }),
  arktype: () => ({ fallback: arktypeFallback }),
  valibot: (side) => (side === 'input' ? { overrideSchema: withoutFallbacks } : {}),
};

interface ValibotNode {
  readonly valibotSchema: { readonly fallback?: unknown; readonly entries?: Readonly<Record<string, object>> };
  readonly jsonSchema: JsonSchema;
}

/** A fallback accepts any value, and none. Undefined if there is none: what is returned hides errors of the conversion. */
function withoutFallbacks({ valibotSchema, jsonSchema }: ValibotNode): JsonSchema | undefined {
  if ('fallback' in valibotSchema) {
    return Object.fromEntries(Object.entries(jsonSchema).filter(([keyword]) => NOTES.has(keyword)));
  }
  const { entries = {} } = valibotSchema;
  const { required = [] } = jsonSchema;
  const needed = required.filter((name) => !('fallback' in (entries[name] ?? {})));
  return needed.length < required.length ? { ...jsonSchema, required: needed } : undefined;
}

interface ArktypePart {
  readonly base: JsonSchema;
  readonly domain?: string;
  readonly proto?: { readonly name: string };
  readonly unit?: unknown;
}

/**
 * Schemas for what arktype cannot express in JSON Schema; without them it would accept anything. Each is a copy: arktype writes
 * descriptions into them.
 */
const arktypeFallback = {
  date: () => ({ ...forms.date }),
  domain: ({ domain }: ArktypePart) => (domain === 'bigint' ? { ...ANY_BIGINT } : notJson(`an arktype ${domain}`)),
  proto: ({ proto }: ArktypePart) => {
    if (proto?.name === 'Date') return { ...forms.date };
    if (proto?.name === 'File' || proto?.name === 'Blob') return { ...forms.file };
    return proto?.name === 'Uint8Array' ? { ...forms.bytes } : notJson(`an arktype ${proto?.name ?? 'class'}`);
  },
  // `undefined` means absent: no JSON value matches.
  unit: ({ unit }: ArktypePart) =>
    unit === undefined ? { not: {} } : notJson(`an arktype literal of a ${typeof unit}`),
};

function notJson(what: string): never {
  throw new Error(`${what} cannot be represented in JSON`);
}

/** Any number of digits, not only 64 bits. */
const { format: _int64, ...ANY_BIGINT } = forms.bigint;

interface ZodNode {
  readonly zodSchema: { readonly _zod: { readonly def: ZodDefinition } };
  readonly jsonSchema: Record<string, unknown>;
}

interface ZodDefinition {
  readonly type: string;
  readonly coerce?: boolean;
  readonly values?: readonly unknown[];
  readonly in?: { readonly _zod: { readonly def: { readonly type: string } } };
  readonly pattern?: unknown;
  readonly checks?: readonly {
    readonly _zod: { readonly def: { readonly check?: string; readonly pattern?: unknown } };
  }[];
  readonly shape?: Readonly<Record<string, { readonly _zod: { readonly optin?: string } }>>;
}

const NOT_JSON = new Set(['symbol', 'undefined', 'void', 'map', 'set', 'nan', 'function', 'promise']);

function overrideZod({ zodSchema, jsonSchema }: ZodNode, side: 'input' | 'output'): void {
  const { def } = zodSchema._zod;
  const { type } = def;
  if (NOT_JSON.has(type)) notJson(`a zod ${type}`);
  if (def.values?.some((value) => typeof value === 'bigint')) notJson('a zod literal of a bigint');
  if (type === 'date') Object.assign(jsonSchema, forms.date);
  if (type === 'bigint') Object.assign(jsonSchema, ANY_BIGINT);
  if (type === 'file') replaceRules(jsonSchema, forms.file);
  if (hasFlags(def)) delete jsonSchema['pattern'];
  if (side === 'output') return;
  if (type === 'date' && def.coerce) {
    delete jsonSchema['format'];
    delete jsonSchema['pattern'];
    jsonSchema['type'] = ['string', 'number']; // anything that Date parses
  }
  if (type === 'string' && def.coerce) jsonSchema['type'] = ['string', 'number', 'boolean'];
  if (type === 'bigint' && def.coerce) jsonSchema['type'] = ['string', 'integer', 'boolean'];
  if (def.checks?.some(({ _zod }) => _zod.def.check === 'overwrite')) jsonSchema[LIBRARY_KEYWORD] = 'limits';
  if ((type === 'number' || type === 'boolean') && def.coerce) jsonSchema[LIBRARY_KEYWORD] = 'coerced';
  if (type === 'object' && Array.isArray(jsonSchema['required'])) {
    // Zod lists those, too, that accept an absent field since they convert or catch any value.
    jsonSchema['required'] = jsonSchema['required'].filter((name: string) => !def.shape?.[name]?._zod.optin);
  }
  // These accept any value and convert it.
  if (type === 'catch' || (type === 'pipe' && def.in?._zod.def.type === 'transform')) replaceRules(jsonSchema, {});
}

/** Keeps annotations, such as the description. */
function replaceRules(jsonSchema: Record<string, unknown>, rules: JsonSchema): void {
  for (const keyword of Object.keys(jsonSchema)) if (!NOTES.has(keyword)) delete jsonSchema[keyword];
  Object.assign(jsonSchema, rules);
}

/** JSON Schema cannot express the flags of a regular expression, and without them it means something else. */
function hasFlags({ pattern, checks = [] }: ZodDefinition): boolean {
  const patterns = [pattern, ...checks.map(({ _zod }) => _zod.def.pattern)];
  return patterns.some((one) => one instanceof RegExp && /[^u]/.test(one.flags));
}
