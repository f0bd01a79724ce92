import type { Call } from '../../core/call.ts';
import type { Caller } from '../../core/context.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { refuse } from '../../core/failure.ts';
import { invalidArguments } from '../../core/invalid-arguments.ts';
import { accepts } from '../../schema/accepts.ts';
import { allowsType } from '../../schema/allows-type.ts';
import { isTooDeep } from '../../schema/bounds.ts';
import { shortPointer } from '../../schema/engine/place.ts';
import { isBytesSchema } from '../../schema/file-form.ts';
import { structureFromText } from '../../schema/from-text.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { listFromTexts } from '../../schema/list-from-texts.ts';
import { expectation } from '../../schema/problem.ts';
import type { Problem } from '../../schema/problem.ts';
import { repair } from '../../schema/repair.ts';
import { typesOf, unionsOf } from '../../schema/schema-tree.ts';
import { decodeInput } from './decode-input.ts';
import type { CliHost } from './decode-input.ts';
import { itemOf } from './flag-help.ts';
import type { Flag } from './flags.ts';

/** A call as it was typed. */
export interface CliRequest {
  readonly fn: RegisteredFunction;
  readonly flags: readonly Given[];
  /** The value of `--input`: JSON, `@file`, or `-` for stdin. */
  readonly input: string | undefined;
}

export interface DecodedCli {
  readonly call: Pick<Call, 'name' | 'fn' | 'input' | 'refused' | 'caller'>;
  /** More about a mistake, for people. */
  readonly hint?: string | undefined;
}

/** The user who types a command has started the process. */
export const CLI: Caller = Object.freeze({ wire: 'cli', isLocal: true });

/** The call that flags and `--input` describe. Flags override fields of the input. */
export async function decodeCli({ fn, flags, input }: CliRequest, host: CliHost): Promise<DecodedCli> {
  const call = { name: fn.name, fn, caller: CLI };
  const decoded = await decodeInput(input, host);
  if ('refused' in decoded) return { call: { ...call, refused: decoded.refused }, hint: decoded.hint };
  const repeated = repeatedFlags(flags, fn.inputSchema);
  if (repeated.length > 0) return { call: { ...call, refused: invalidArguments(repeated) } };
  const namesFiles = fn.takesFiles || flags.some(([flag]) => isBytesSchema(itemOf(flag)));
  const given = namesFiles ? await (await import('./file-flags.ts')).openFiles(flags, host) : flags;
  if ('ok' in given) return { call: { ...call, refused: given } };
  const twice = given.find(
    ([flag, value], i) => Array.isArray(value) && given.some(([one], k) => one === flag && k !== i),
  );
  if (twice) {
    const [{ path, name }] = twice;
    const message = `Invalid arguments: /${path.join('/')}: given by its position and as --${name}`;
    return { call: { ...call, refused: refuse('INVALID_ARGUMENTS', message) } };
  }
  return { call: { ...call, input: argumentsFrom(given, decoded.input, fn.inputSchema) } };
}

/** Flags that are given more than once although they take one value, and objects that are given both as a whole and by field. */
function repeatedFlags(given: readonly Given[], root: JsonSchema): Problem[] {
  const counts = new Map<Flag, number>();
  for (const [flag, value] of given) {
    // By position and as a flag is reported in other words.
    if (typeof value === 'boolean') counts.set(flag, (counts.get(flag) ?? 0) + 1);
    else if (Array.isArray(value)) counts.set(flag, Math.max(counts.get(flag) ?? 0, value.length));
  }
  const objects = new Map([...counts.keys()].map(({ path }) => [JSON.stringify(path), path]));
  const problems = new Map<string, Problem>();
  const add = (path: readonly string[], message: string) => {
    const pointer = shortPointer(path);
    problems.set(pointer, { pointer, message });
  };
  for (const [{ kind, path, schema }, count] of counts) {
    for (let length = 1; length < path.length; length++) {
      const object = objects.get(JSON.stringify(path.slice(0, length)));
      if (object) add(object, 'given as a value and as an object');
    }
    if (count < 2 || kind === 'list' || allowsType(schema, 'array', root)) continue;
    add(path, `given ${count} times, expected ${expectation(schema)}`);
  }
  return [...problems.values()];
}

/** A flag and its values as typed, or whether the switch is on, or the files that it names. */
export type Given = readonly [flag: Flag, value: boolean | readonly string[] | OpenedFiles];

/** What file flags stand for: one file, or a list. */
interface OpenedFiles {
  readonly files: File | readonly File[];
}

/** The arguments from flags, on top of those from `--input`. */
export function argumentsFrom(given: readonly Given[], base: unknown, root: JsonSchema): unknown {
  if (given.length === 0) return base;
  if (base !== undefined && !isRecord(base)) return base; // the pipeline reports what is wrong with it
  const result: Record<string, unknown> = { ...base };
  for (const [flag, value] of given) put(result, flag.path, valueOf(flag, value, root));
  return result;
}

function valueOf(flag: Flag, value: Given[1], root: JsonSchema): unknown {
  if (typeof value === 'boolean') return value;
  return 'files' in value ? value.files : read(flag, value, root);
}

/** Converts strings to what the schema expects. The pipeline rejects what cannot be converted. */
function read({ kind, schema }: Flag, texts: readonly string[], root: JsonSchema): unknown {
  if (kind !== 'list' && texts.length === 1) {
    const text = texts[0]!;
    // Where any value is allowed, an object or a list is meant as JSON, not as a string.
    const json = typesOf(schema) || unionsOf(schema).length > 0 ? undefined : structureFromText(text);
    return json && !isTooDeep(json) && accepts(json, schema, root)
      ? json
      : structured(repair(text, schema, root).value, schema, root);
  }
  const json = texts.length === 1 ? structureFromText(texts[0]!) : undefined;
  const whole = Array.isArray(json) && !isTooDeep(json) ? repair(json, schema, root).value : undefined;
  if (whole !== undefined && accepts(whole, schema, root)) return whole;
  const items = repair(listFromTexts(texts, schema, root), schema, root).value as readonly unknown[];
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
  const given = target[name] ?? {};
  const inner = typeof given === 'string' ? structureFromText(given) : given;
  // Left for the pipeline to report.
  if (!isRecord(inner)) return;
  const copy = { ...inner };
  target[name] = copy;
  put(copy, rest, value);
}
