import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isRecord } from '../../schema/json-schema.ts';

/** `paths` of a tsconfig.json: what imports may mean that name neither a file nor a package. */
interface Aliases {
  /** What the targets are relative to. */
  readonly base: string;
  readonly paths: Readonly<Record<string, unknown>>;
}

/** Configurations that extend each other in a circle must not be followed for ever. */
const MAX_PARENTS = 20;

/** Reads `paths` of the nearest tsconfig.json of each file, once. */
export class PathAliases {
  readonly #known = new Map<string, Aliases | undefined>();

  /** The paths that an import may mean; none if no alias matches. */
  pathsFor(specifier: string, importer: string): readonly string[] {
    const aliases = this.#above(dirname(importer));
    if (!aliases) return [];
    return Object.entries(aliases.paths).flatMap(([pattern, targets]) => {
      const [start = '', end] = pattern.split('*');
      const isMatch = end === undefined ? specifier === start : isBetween(specifier, start, end);
      if (!isMatch || !Array.isArray(targets)) return [];
      const part = specifier.slice(start.length, specifier.length - (end ?? '').length);
      return targets.map((target) =>
        resolve(
          aliases.base,
          String(target).replace('*', () => part),
        ),
      );
    });
  }

  #above(folder: string): Aliases | undefined {
    if (this.#known.has(folder)) return this.#known.get(folder);
    const config = join(folder, 'tsconfig.json');
    const isTop = dirname(folder) === folder;
    const found = existsSync(config) ? aliasesIn(config) : isTop ? undefined : this.#above(dirname(folder));
    this.#known.set(folder, found);
    return found;
  }
}

const isBetween = (text: string, start: string, end: string) =>
  text.length >= start.length + end.length && text.startsWith(start) && text.endsWith(end);

/** Its own, or those of a configuration that it extends; the last of several counts. */
function aliasesIn(config: string, folder = dirname(config), nesting = 0): Aliases | undefined {
  const text = nesting > MAX_PARENTS ? undefined : readSettings(config);
  const options = isRecord(text?.['compilerOptions']) ? text['compilerOptions'] : {};
  const { paths, baseUrl } = options;
  const place = (path: string) =>
    resolve(
      dirname(config),
      path.replace('${configDir}', () => folder),
    );
  if (isRecord(paths)) return { base: typeof baseUrl === 'string' ? place(baseUrl) : dirname(config), paths };
  const parents = [text?.['extends'] ?? []]
    .flat()
    .map(String)
    .filter((one) => /^[./]/.test(one));
  return parents
    .map((parent) => aliasesIn(place(parent.endsWith('.json') ? parent : `${parent}.json`), folder, nesting + 1))
    .findLast((one) => one !== undefined);
}

/** JSON with comments and trailing commas. */
function readSettings(path: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const text = readFileSync(path, 'utf8')
      .replaceAll(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[^]*?\*\//g, '$1')
      .replaceAll(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1');
    const found: unknown = JSON.parse(text);
    return isRecord(found) ? found : undefined;
  } catch {
    return undefined; // missing or broken: loading the app says so, and a change of it is noticed
  }
}
