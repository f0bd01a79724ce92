import type { RegisteredFunction } from '../../core/registered-function.ts';
import { accepts } from '../../schema/accepts.ts';
import { MAX_DEPTH } from '../../schema/bounds.ts';
import { isFileSchema } from '../../schema/file-form.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { sampleOf } from '../../schema/sample.ts';
import { toJson } from '../../schema/to-json.ts';
import { argumentsFrom } from './decode.ts';
import type { Given } from './decode.ts';
import { itemOf, placeholderOf } from './flag-help.ts';
import type { Flag } from './flags.ts';

/**
 * Words that can be typed as they are: the author's first example, or valid values for everything that is required. If no
 * valid value was found, what is required is named instead.
 */
export function exampleOf(fn: RegisteredFunction, flags: readonly Flag[], positionals: readonly Flag[] = []): string {
  const [example] = fn.definition.examples ?? [];
  const input = example === undefined ? sampleOf(fn.inputSchema, fn.inputSchema) : asJson(example.input);
  if (input === undefined) return placeholders(flags, positionals);
  const spelled = isRecord(input) ? spell(input, flags, positionals) : undefined;
  const isValid = spelled && accepts(decoded(spelled.given, fn), fn.inputSchema, fn.inputSchema);
  return isValid ? spelled.words.join(' ') : `--input ${quoted(JSON.stringify(input))}`;
}

const decoded = (given: readonly Given[], { inputSchema }: RegisteredFunction) => argumentsFrom(given, {}, inputSchema);

/** Examples may contain dates and the like. */
function asJson(value: unknown): unknown {
  const json = toJson(value, MAX_DEPTH);
  return json.problem ? undefined : json.value;
}

interface Spelled {
  readonly words: readonly string[];
  /** The same as it would be parsed. */
  readonly given: readonly Given[];
}

function spell(input: object, flags: readonly Flag[], positionals: readonly Flag[]): Spelled {
  const words: string[] = [];
  const given: Given[] = [];
  const placed = new Set<Flag>();
  for (const flag of positionals) {
    const texts = textsOf(flag, valueAt(input, flag.path));
    // After a gap, or with what looks like a flag, the position would be wrong.
    if (texts.length === 0 || texts.some((text) => text.startsWith('-'))) break;
    placed.add(flag);
    words.push(...wordsOf(flag, texts));
    given.push([flag, texts]);
  }
  for (const flag of flags) {
    const value = valueAt(input, flag.path);
    if (placed.has(flag) || value === undefined) continue;
    if (flag.kind === 'switch' && typeof value === 'boolean') {
      words.push(value ? `--${flag.name}` : `--no-${flag.name}`);
      given.push([flag, value]);
      continue;
    }
    const texts = textsOf(flag, value);
    // `--x -1` would be read as two flags, except for numbers.
    words.push(...wordsOf(flag, texts).map((word) => `--${flag.name}${/^'?-\D/.test(word) ? '=' : ' '}${word}`));
    if (texts.length > 0) given.push([flag, texts]);
  }
  return { words, given };
}

function textsOf({ kind }: Flag, value: unknown): string[] {
  if (value === undefined) return [];
  const values: readonly unknown[] = kind === 'list' && Array.isArray(value) ? value : [value];
  return values.map((one) => (typeof one === 'string' ? one : JSON.stringify(one)));
}

/** A file is named, not spelled out. */
const wordsOf = (flag: Flag, texts: readonly string[]) =>
  isFileSchema(itemOf(flag)) ? texts.map(() => '@file') : texts.map(quoted);

function placeholders(flags: readonly Flag[], positionals: readonly Flag[]): string {
  const required = flags.filter((flag) => flag.required && !positionals.includes(flag));
  return [
    ...positionals.filter((flag) => flag.required).map((flag) => `<${flag.path.join('.')}>`),
    ...required.map((flag) => (flag.kind === 'switch' ? `--${flag.name}` : `--${flag.name} <${placeholderOf(flag)}>`)),
  ].join(' ');
}

/** Quotes a word for a POSIX shell. */
export function quoted(text: string): string {
  return /^[\w./:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, key) => (isRecord(inner) && Object.hasOwn(inner, key) ? inner[key] : undefined),
    value,
  );
}
