import { accepts } from '../../schema/accepts.ts';
import { structureFromText } from '../../schema/from-text.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { repair } from '../../schema/repair.ts';
import { branchesOf, propertiesOf, resolve, typesOf } from '../../schema/schema-tree.ts';

/** A parameter as it is given on the command line. */
export interface Flag {
  /** Without dashes: `x`, or `address.city` for a field of an object. */
  readonly name: string;
  /** Where the value goes in the arguments. */
  readonly path: readonly string[];
  /** `switch` is on or off (`--loud`, `--no-loud`); `list` may be given more than once. */
  readonly kind: 'value' | 'switch' | 'list';
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/** Objects inside objects get dotted flags to this depth; deeper ones are given as JSON. */
const DEEPEST = 4;

/**
 * The flags of a function, from its input schema. A name the command uses itself gets a prefix. A parameter that no
 * flag can be named after, or whose flag another one has, is given with --input.
 */
export function flagsOf(root: JsonSchema, reserved: ReadonlySet<string>): Flag[] {
  const taken = new Set(reserved);
  return flagsIn(root, root, [], true)
    .map((flag) => (reserved.has(flag.name) ? { ...flag, name: `arg-${flag.name}` } : flag))
    .filter((flag) => {
      const names = flag.kind === 'switch' ? [flag.name, `no-${flag.name}`] : [flag.name];
      const free = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(flag.name) && !names.some((name) => taken.has(name));
      if (free) for (const name of names) taken.add(name);
      return free;
    });
}

function flagsIn(schema: JsonSchema, root: JsonSchema, path: readonly string[], required: boolean): Flag[] {
  const properties = propertiesOf({ schema, root });
  const entries = properties === 'open' ? Object.entries(schema.properties ?? {}) : [...properties];
  return entries.flatMap(([name, property]) => {
    const here = [...path, name];
    const field = resolve({ schema: property, root });
    const needed = required && (schema.required?.includes(name) ?? false);
    if (field.type === 'object' && here.length < DEEPEST) {
      const inner = flagsIn(field, root, here, needed);
      if (inner.length > 0) return inner;
    }
    return [{ name: here.join('.'), path: here, kind: kindOf(field), required: needed, schema: field }];
  });
}

function kindOf(schema: JsonSchema): Flag['kind'] {
  const types = (branchesOf(schema)?.flatMap((branch) => typesOf(branch) ?? ['string']) ?? typesOf(schema))?.filter(
    (type) => type !== 'null',
  );
  if (types?.length !== 1) return 'value';
  if (types[0] === 'boolean') return 'switch';
  return types[0] === 'array' ? 'list' : 'value';
}

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
