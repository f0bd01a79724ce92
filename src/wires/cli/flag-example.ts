import type { RegisteredFunction } from '../../core/registered-function.ts';
import { isFileSchema } from '../../schema/file-form.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { branchesOf, typesOf } from '../../schema/schema-tree.ts';
import type { Flag } from './flags.ts';

/** Flags that can be typed as they are: the author's first example, or a sample for each required flag. */
export function exampleOf(fn: RegisteredFunction, flags: readonly Flag[]): string {
  const example = fn.definition.examples?.[0]?.input;
  const shown = flags.flatMap((flag) => {
    const value =
      example === undefined ? (flag.required ? sample(flag.schema) : undefined) : valueAt(example, flag.path);
    return value === undefined ? [] : spell(flag, value);
  });
  return shown.join(' ');
}

function spell({ name, kind }: Flag, value: unknown): string[] {
  if (kind === 'switch') return [value ? `--${name}` : `--no-${name}`];
  const values = kind === 'list' && Array.isArray(value) ? value : [value];
  return values.map((one) => `--${name} ${quoted(typeof one === 'object' ? JSON.stringify(one) : String(one))}`);
}

/** Quotes a word for a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string, unknown> | undefined)?.[key], value);
}

const SAMPLES: Record<string, unknown> = {
  integer: 1,
  number: 1.5,
  boolean: true,
  string: 'text',
  object: {},
  null: null,
};

function sample(schema: JsonSchema): unknown {
  const { default: fallback, enum: allowed, items } = schema;
  if (fallback !== undefined) return fallback;
  if (isFileSchema(schema)) return '@file';
  if (allowed) return allowed[0];
  const [branch] = branchesOf(schema) ?? [];
  if (branch) return sample(branch);
  const [type = 'string'] = typesOf(schema) ?? [];
  if (type === 'array') return [typeof items === 'object' ? sample(items) : 'text'];
  return typeof schema['minimum'] === 'number' ? schema['minimum'] : SAMPLES[type];
}
