import { accepts } from '../../../schema/accepts.ts';
import type { JsonSchema } from '../../../schema/json-schema.ts';
import type { JsDoc } from './jsdoc.ts';
import { readLiteral } from './literals.ts';

type Writable = Record<string, unknown>;

const NUMBER = (text: string) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined);
const STEP = (text: string) => (Number(text) > 0 ? NUMBER(text) : undefined);
const COUNT = (text: string) => (/^\d+$/.test(text.trim()) ? Number(text) : undefined);
const TEXT = (text: string) => (text.trim() === '' ? undefined : text.trim());
const PATTERN = (text: string) => {
  const [, source = text.trim(), flags = ''] = /^\/(.+)\/([dgimsuvy]*)$/s.exec(text.trim()) ?? [];
  try {
    // JSON Schema has no flags, and without these the pattern would mean something else.
    return source === '' || /[imsvy]/.test(flags) ? undefined : new RegExp(source, 'u').source;
  } catch {
    return undefined; // no pattern: left out, as all values that cannot be read
  }
};
const YES = () => true;

/** Tags that become a keyword, by their name in lower case. */
const KEYWORDS: Readonly<Record<string, readonly [keyword: string, read: (text: string) => unknown]>> = {
  format: ['format', TEXT],
  pattern: ['pattern', PATTERN],
  minimum: ['minimum', NUMBER],
  min: ['minimum', NUMBER],
  maximum: ['maximum', NUMBER],
  max: ['maximum', NUMBER],
  exclusiveminimum: ['exclusiveMinimum', NUMBER],
  exclusivemaximum: ['exclusiveMaximum', NUMBER],
  multipleof: ['multipleOf', STEP],
  minlength: ['minLength', COUNT],
  maxlength: ['maxLength', COUNT],
  minitems: ['minItems', COUNT],
  maxitems: ['maxItems', COUNT],
  uniqueitems: ['uniqueItems', YES],
  minproperties: ['minProperties', COUNT],
  maxproperties: ['maxProperties', COUNT],
  title: ['title', TEXT],
  deprecated: ['deprecated', YES],
  writeonly: ['writeOnly', YES],
  default: ['default', (text) => readLiteral(text)?.value],
};

export const isSchemaTag = (name: string): boolean => Object.hasOwn(KEYWORDS, name);

const INTEGERS = new Set(['int', 'integer', 'int32', 'int64', 'uint', 'uint32']);
export const isIntegerName = (name: string): boolean => INTEGERS.has(name.toLowerCase());

/** Like zod: what a double can represent exactly. */
export const INTEGER: JsonSchema = {
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
};

/** Adds what the tags of a declaration say, and its description. Unreadable values are left out, and defaults that do not fit. */
export function withTags(schema: JsonSchema, { description, tags }: JsDoc): JsonSchema {
  let tagged: Writable | undefined;
  for (const { name, text } of tags) {
    if (name === 'integer' || name === 'int' || (name === 'type' && isIntegerName(text.replaceAll(/[{}\s]/g, '')))) {
      tagged = { ...(tagged ?? schema), ...((tagged ?? schema).type === 'number' ? INTEGER : {}) };
    }
    if (!isSchemaTag(name)) continue;
    const [keyword, read] = KEYWORDS[name]!;
    const value = read(text);
    if (value !== undefined && fits(keyword, tagged ?? schema)) (tagged ??= { ...schema })[keyword] = value;
  }
  return described(tagged ? withoutMisfit(tagged) : schema, description);
}

/** The schema without a default that it does not accept: nothing could be served with it. */
export function withoutMisfit(schema: JsonSchema): JsonSchema {
  if (!('default' in schema)) return schema;
  const { default: value, ...rest } = schema;
  return isDefault(value, rest) ? schema : rest;
}

/** Whether a value can be the default. Of a type with definitions nobody knows yet what they say. */
export function isDefault(value: unknown, schema: JsonSchema): boolean {
  return !JSON.stringify(schema).includes('"$ref"') && accepts(value, schema, schema);
}

/** Puts the description where libraries put it: after the rules, before the default. */
export function described(schema: JsonSchema, description: string): JsonSchema {
  if (description === '') return schema;
  const { description: _, default: value, ...rest } = schema;
  return { ...rest, description, ...(value !== undefined && { default: value }) };
}

const FOR: Readonly<Record<string, readonly string[]>> = {
  string: ['format', 'pattern', 'minLength', 'maxLength'],
  number: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
  array: ['minItems', 'maxItems', 'uniqueItems'],
  object: ['minProperties', 'maxProperties'],
};

/** A keyword for another type would be ignored by validators, which looks like a rule and is none. */
function fits(keyword: string, { type }: JsonSchema): boolean {
  const owner = Object.keys(FOR).find((name) => FOR[name]!.includes(keyword));
  if (!owner || type === undefined) return true;
  const types = new Set([type].flat());
  return types.has(owner) || (owner === 'number' && types.has('integer'));
}
