import { descriptionOf } from '../../schema/description.ts';
import { isBytesSchema, isFileSchema } from '../../schema/file-form.ts';
import { FORM_KEYWORD, isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { branchesOf, resolve, typesOf } from '../../schema/schema-tree.ts';
import { truncate } from '../../schema/truncate.ts';
import { describeLimits } from './describe-limits.ts';
import type { Flag } from './flags.ts';

/** A longer list of values does not fit next to the name of a flag. */
const LONGEST_PLACEHOLDER = 48;

/** What help shows after the name of a flag: `integer`, `mean|median|sum`, or `integer|"auto"`. */
export function placeholderOf(flag: Flag): string {
  if (isFileSchema(itemOf(flag))) return '@file';
  if (isBytesSchema(itemOf(flag))) return 'base64|@file';
  const whole = typeNameOf(itemOf(flag), flag.root);
  return whole.length > LONGEST_PLACEHOLDER ? 'value' : whole;
}

/** The values that a flag allows, if they are listed. */
export function valuesOf(flag: Flag): readonly string[] {
  return valuesIn(itemOf(flag), flag.root)?.map(String) ?? [];
}

export function itemOf({ kind, schema, root }: Flag): JsonSchema {
  return kind === 'list' && isRecord(schema.items) ? resolve({ schema: schema.items, root }) : schema;
}

/** All values that a schema allows, except null; undefined if they are not listed. */
function valuesIn(schema: JsonSchema, root: JsonSchema): readonly unknown[] | undefined {
  if ('const' in schema) return [schema.const];
  if (schema.enum) return schema.enum.filter((value) => value !== null);
  const values = branchesIn(schema, root)?.map((branch) => valuesIn(branch, root));
  return values && !values.includes(undefined) ? values.flatMap((some) => some ?? []) : undefined;
}

/** The branches of a union, without null. */
function branchesIn(schema: JsonSchema, root: JsonSchema): readonly JsonSchema[] | undefined {
  return branchesOf(schema)
    ?.filter(isRecord)
    .map((branch) => resolve({ schema: branch, root }))
    .filter(({ type }) => type !== 'null');
}

function typeNameOf(schema: JsonSchema, root: JsonSchema, isBranch = false): string {
  const values = valuesIn(schema, root);
  // Next to the names of types, a value is quoted: integer|"auto".
  if (values && values.length > 0)
    return values.map((value) => (isBranch ? JSON.stringify(value) : String(value))).join('|');
  const branches = branchesIn(schema, root);
  if (branches && branches.length > 0) {
    return [...new Set(branches.map((branch) => typeNameOf(branch, root, branches.length > 1)))].join('|');
  }
  const types = typesOf(schema)?.filter((type) => type !== 'null') ?? [];
  return [...new Set(types.map((type) => nameOfType(type, schema)))].join('|') || 'value';
}

const NAMES: Readonly<Record<string, string>> = { bigint: 'integer', bytes: 'base64' };

function nameOfType(type: string, schema: JsonSchema): string {
  if (type === 'object' || type === 'array') return 'json';
  const form = NAMES[String(schema[FORM_KEYWORD])];
  if (form !== undefined || type !== 'string') return form ?? type;
  const { format, contentEncoding } = schema;
  return typeof format === 'string' && /^[\w-]{1,24}$/.test(format)
    ? format
    : typeof contentEncoding === 'string'
      ? contentEncoding
      : type;
}

const MAX_VALUES = 200;

/** The description in help: what the parameter means, then what it takes. By position, its name shows no type. */
export function describeFlag(flag: Flag, isPositional = false): string {
  const { schema, kind, required, root } = flag;
  const item = itemOf(flag);
  const values = placeholderOf(flag) === 'value' ? valuesOf(flag) : [];
  const notes = [
    isPositional && !['string', 'value'].includes(placeholderOf(flag)) && placeholderOf(flag),
    required && 'required',
    kind === 'list' && !isPositional && 'repeatable',
    values.length > 0 && `one of ${truncate(values.join(', '), MAX_VALUES)}`,
    ...describeLimits(schema),
    ...(item === schema ? [] : describeLimits(item)),
    schema['deprecated'] === true && 'deprecated',
    schema.default !== undefined && `default: ${JSON.stringify(schema.default)}`,
  ].filter(Boolean);
  const description = descriptionOf({ schema, root });
  return [description, notes.length > 0 && `(${notes.join(', ')})`].filter(Boolean).join(' ');
}
