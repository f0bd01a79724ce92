import { accepts } from '../../schema/accepts.ts';
import { structureFromText } from '../../schema/from-text.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { repair } from '../../schema/repair.ts';
import type { Flag } from './flags.ts';

/** A flag and its values as typed, or whether the switch is on. */
export type Given = readonly [flag: Flag, value: boolean | readonly string[]];

/** The arguments from flags, on top of those from `--input`. */
export function argumentsFrom(given: readonly Given[], base: unknown, root: JsonSchema): unknown {
  if (given.length === 0) return base;
  if (base !== undefined && !isRecord(base)) return base; // the pipeline reports what is wrong with it
  const result: Record<string, unknown> = { ...base };
  for (const [flag, value] of given)
    put(result, flag.path, typeof value === 'boolean' ? value : read(flag, value, root));
  return result;
}

/** Converts strings to what the schema expects. The pipeline rejects what cannot be converted. */
function read({ kind, schema }: Flag, texts: readonly string[], root: JsonSchema): unknown {
  const last = texts.at(-1)!;
  if (kind !== 'list') return structured(repair(last, schema, root).value, schema, root);
  const items = repair([...texts], schema, root).value as readonly unknown[];
  if (accepts(items, schema, root)) return items;
  const whole = texts.length === 1 ? structureFromText(last) : undefined;
  if (Array.isArray(whole)) return repair(whole, schema, root).value;
  const { items: item } = schema;
  return typeof item === 'object' ? items.map((one) => structured(one, item, root)) : items;
}

/** JSON that does not match the schema is parsed all the same, so that the pipeline can report which field is wrong. */
function structured(value: unknown, schema: JsonSchema, root: JsonSchema): unknown {
  if (typeof value !== 'string' || accepts(value, schema, root)) return value;
  return structureFromText(value) ?? value;
}

function put(target: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [name, ...rest] = path as readonly [string, ...string[]];
  if (rest.length === 0) {
    target[name] = value;
    return;
  }
  const inner = target[name];
  const copy = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  target[name] = copy;
  put(copy, rest, value);
}
