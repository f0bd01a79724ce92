import { accepts } from '../../schema/accepts.ts';
import { structureFromText } from '../../schema/from-text.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { repair } from '../../schema/repair.ts';
import type { Flag } from './flags.ts';

/** What was given for a flag: its texts, or whether the switch is on. */
export type Given = readonly [flag: Flag, value: boolean | readonly string[]];

/** The arguments that flags spell, laid over those that came as JSON. */
export function argumentsFrom(given: readonly Given[], base: unknown, root: JsonSchema): unknown {
  if (given.length === 0) return base;
  if (base !== undefined && !isRecord(base)) return base; // the pipeline says what is wrong with it
  const result: Record<string, unknown> = { ...base };
  for (const [flag, value] of given)
    put(result, flag.path, typeof value === 'boolean' ? value : read(flag, value, root));
  return result;
}

/** A flag is text; what it stands for is what the schema says. What fits nothing is left for the pipeline to refuse. */
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

/** JSON that does not fit is still what was meant: the pipeline then says which of its fields is wrong. */
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
