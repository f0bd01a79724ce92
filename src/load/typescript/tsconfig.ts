import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { codeFrame, jsonMistake, lineOf, unexpected } from '../../responses/source-mistake.ts';
import { Dependencies, foldersAbove } from '../input-states.ts';

/** A value, and the folder of the tsconfig.json that has it. */
interface Option {
  readonly value: unknown;
  readonly folder: string;
}
type Options = Readonly<Record<string, Option>>;

/** Configurations that extend each other in a circle must not be followed for ever. */
const MAX_PARENTS = 20;

/** Reads the nearest tsconfig.json of files, with those that it extends, once. */
export class Tsconfigs {
  readonly #known = new Map<string, Options>();
  /** Mistakes in the JSON, as sentences. */
  readonly mistakes = new Set<string>();

  constructor(private readonly dependencies = new Dependencies()) {}

  /** The paths that an import may mean by `paths`, in their order; none if none matches. */
  pathsFor(specifier: string, importer: string): readonly string[] {
    const { paths, baseUrl } = this.#optionsOf(importer);
    const base = baseUrl === undefined ? paths?.folder : resolve(baseUrl.folder, String(baseUrl.value));
    const found = Object.entries(isRecord(paths?.value) ? paths.value : {})
      .map(([pattern, targets]) => ({ pattern, targets, part: matched(pattern, specifier) }))
      .filter(({ part }) => part !== undefined)
      // The exact one, or the one that says most.
      .toSorted((a, b) => weightOf(b.pattern) - weightOf(a.pattern))[0];
    return stringsOf(found?.targets).map((target) => {
      const path = target.replace('*', () => found!.part!);
      return resolve(base!, path);
    });
  }

  /** The path that an import may mean by `baseUrl`, before packages are looked at. */
  pathInBase(specifier: string, importer: string): string | undefined {
    const { baseUrl } = this.#optionsOf(importer);
    return baseUrl && resolve(baseUrl.folder, String(baseUrl.value), specifier);
  }

  /** Whether an option of the compiler is turned on for a file. */
  hasOption(name: string, file: string): boolean {
    return this.#optionsOf(file)[name]?.value === true;
  }

  #optionsOf(file: string): Options {
    const config = this.dependencies.nearest('tsconfig.json', file);
    if (config === undefined) return {};
    const known = this.#known.get(config) ?? this.#read(config, dirname(config), 0);
    this.#known.set(config, known);
    return known;
  }

  /** Its own options, and those of configurations that it extends; the last of several counts. */
  #read(config: string, configDir: string, nesting: number): Options {
    this.dependencies.inputs.add(config);
    const settings = nesting > MAX_PARENTS ? {} : readSettings(config, configDir, this.mistakes);
    const inherited = stringsOf(settings['extends']).map((parent) => {
      const found = this.#parent(parent, dirname(config));
      return found === undefined ? {} : this.#read(found, configDir, nesting + 1);
    });
    const { compilerOptions } = settings;
    const own = Object.entries(isRecord(compilerOptions) ? compilerOptions : {});
    const folder = dirname(config);
    return Object.assign({}, ...inherited, Object.fromEntries(own.map(([name, value]) => [name, { value, folder }])));
  }

  /** The file that a tsconfig.json in a folder extends: a path, or a file of a package. */
  #parent(parent: string, folder: string): string | undefined {
    const isPath = /^\.{1,2}(?:\/|$)/.test(parent) || isAbsolute(parent);
    const places = isPath
      ? [resolve(folder, parent)]
      : foldersAbove(folder).map((one) => join(one, 'node_modules', parent));
    const found = this.dependencies.firstFile(
      places.flatMap((one) => [one, `${one}.json`, join(one, 'tsconfig.json')]),
    );
    return found && this.dependencies.follow(found);
  }
}

/** What the star of a pattern stands for; undefined if the pattern does not match. */
function matched(pattern: string, specifier: string): string | undefined {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return specifier === start ? '' : undefined;
  const isBetween = specifier.length >= start.length + end.length;
  if (!isBetween || !specifier.startsWith(start) || !specifier.endsWith(end)) return undefined;
  return specifier.slice(start.length, specifier.length - end.length);
}

const weightOf = (pattern: string) => (pattern.includes('*') ? pattern.indexOf('*') : Infinity);

/** Keeps the places of what follows. */
const blank = (_: string, kept: string | undefined, left: string) => kept ?? left.replaceAll(/[^\n]/g, ' ');

/** JSON with comments, trailing commas and perhaps a byte order mark. */
function readSettings(path: string, configDir: string, mistakes: Set<string>): Readonly<Record<string, unknown>> {
  let source = '';
  try {
    source = readFileSync(path, 'utf8');
  } catch {
    return {}; // missing, and a change of it is noticed
  }
  const json = source
    .replace(/^\uFEFF/, '')
    .replaceAll(/("(?:[^"\\]|\\.)*")|(\/\/[^\n]*|\/\*[^]*?\*\/)/g, blank)
    .replaceAll(/("(?:[^"\\]|\\.)*")|(,)(?=\s*[}\]])/g, blank);
  try {
    const found: unknown = JSON.parse(json.replaceAll('${configDir}', () => JSON.stringify(configDir).slice(1, -1)));
    return isRecord(found) ? found : {};
  } catch {
    if (json.trim() === '') return {}; // the compiler takes it for {}
    const mistake = jsonMistake(json);
    const near = relative('', path);
    const place = `${near.startsWith('..') ? path : near}:${mistake.line}:${mistake.column}`;
    mistakes.add(
      `${place}: ${unexpected(mistake)}; options in it may be ignored\n${codeFrame(lineOf(source, mistake), mistake)}`,
    );
    return {};
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The strings of a setting that is a string or a list of them. */
const stringsOf = (setting: unknown) => [setting].flat().filter((one) => typeof one === 'string');
