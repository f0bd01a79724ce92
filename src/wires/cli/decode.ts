import type { Call } from '../../core/call.ts';
import type { Limits } from '../../core/limits.ts';
import type { Failed } from '../../core/outcome.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { accepts } from '../../schema/accepts.ts';
import { structureFromText } from '../../schema/from-text.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { JsonSchema } from '../../schema/json-schema.ts';
import { listFromTexts } from '../../schema/list-from-texts.ts';
import { repair } from '../../schema/repair.ts';
import { decodeJson, tooLarge } from '../json-body.ts';
import type { Flag } from './flags.ts';
import { jsonMistake } from './json-mistake.ts';

/** A call as it was typed. */
export interface CliRequest {
  readonly fn: RegisteredFunction;
  readonly flags: readonly Given[];
  /** The value of `--input`: JSON, or `-` for stdin. */
  readonly input: string | undefined;
}

/** What decoding needs from the process. */
export interface CliHost {
  readonly limits: Limits;
  readonly stdin: () => AsyncIterable<Uint8Array>;
  readonly fileExists: (path: string) => boolean;
  /** Not read yet. `-` is stdin. Rejects if there is no such file. */
  readonly openFile: (path: string) => Promise<File>;
}

export interface DecodedCli {
  readonly call: Pick<Call, 'name' | 'fn' | 'input' | 'refused' | 'caller'>;
  /** More about a mistake, for people. */
  readonly hint?: string | undefined;
}

/** The call that flags and `--input` describe. Flags override fields of the input. */
export async function decodeCli({ fn, flags, input }: CliRequest, host: CliHost): Promise<DecodedCli> {
  const call = { name: fn.name, fn, caller: { wire: 'cli' } };
  const decoded = await decodeInput(input, host);
  if ('refused' in decoded) return { call: { ...call, refused: decoded.refused }, hint: decoded.hint };
  const given = fn.takesFiles ? await (await import('./file-flags.ts')).openFiles(flags, host.openFile) : flags;
  if ('ok' in given) return { call: { ...call, refused: given } };
  return { call: { ...call, input: argumentsFrom(given, decoded.input, fn.inputSchema) } };
}

type Decoded = { readonly input: unknown } | { readonly refused: Failed; readonly hint?: string };

async function decodeInput(text: string | undefined, { limits, stdin, fileExists }: CliHost): Promise<Decoded> {
  const { body: limit, depth } = limits;
  if (text === undefined) return { input: undefined };
  if (text !== '-')
    return decodeText(new TextEncoder().encode(text), depth, (mistake) => hintAbout(text, mistake, fileExists));
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stdin()) {
    size += chunk.length;
    if (size > limit) return { refused: tooLarge(limit) };
    chunks.push(chunk);
  }
  return decodeText(Buffer.concat(chunks), depth, (mistake) => `\n--input: ${mistake}`);
}

/** The body of the response is the same on every wire; the hint is only for people who type. */
function decodeText(bytes: Uint8Array, depth: number, hint: (mistake: string) => string): Decoded {
  const result = decodeJson(bytes, depth);
  if (!('ok' in result)) return result;
  const { line, column, found } = jsonMistake(new TextDecoder().decode(bytes));
  return { refused: result, hint: hint(`not JSON from line ${line}, column ${column} on, where ${found} is`) };
}

/** People type the name of a file, or `@file`, as other programs accept it. */
function hintAbout(text: string, mistake: string, fileExists: CliHost['fileExists']): string {
  if (/^\s*[[{"]/.test(text)) return `\n--input: ${mistake}`;
  const file = text.replace(/^@/, '');
  const isThere = fileExists(file);
  const instead = `to read the arguments from a file, use: --input - < ${isThere ? file : '<file>'}`;
  return isThere
    ? `\n--input takes JSON; ${instead}`
    : `\n--input takes JSON, which ${text} is not, and there is no file ${file}; ${instead}`;
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
  if (kind !== 'list') return structured(repair(texts.at(-1)!, schema, root).value, schema, root);
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
  const inner = target[name];
  const copy = typeof inner === 'object' && inner !== null ? { ...inner } : {};
  target[name] = copy;
  put(copy, rest, value);
}
