import { readFileSync, realpathSync, statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Import } from './compile-file.ts';
import { helperUrl } from './decorator-helpers.ts';
import type { Tools } from './tools.ts';
import { NotThere, Unsupported } from './unsupported.ts';

/** Where an import leads: to TypeScript that has to be compiled, or to what Node loads itself. */
export type Resolved = { readonly typescript: string } | { readonly url: string };

/** Resolves imports as TypeScript does: `./a.js` may mean a.ts, and tsconfig.json may have `paths`. */
export class Resolver {
  /** Files whose content decides where imports lead. */
  readonly inputs = new Set<string>();
  /** Paths that would lead elsewhere if there was a file. */
  readonly missing = new Set<string>();
  /** Paths that are links, and where they lead: they may lead elsewhere later, as pnpm's do. */
  readonly links = new Map<string, string>();

  readonly #configs = new Map<string, readonly string[]>();

  constructor(private readonly createJiti: Tools['createJiti']) {}

  resolve({ specifier, hasAttributes }: Import, importer: string): Resolved {
    const helper = helperUrl(specifier);
    if (helper !== undefined) return { url: helper };
    if (isBuiltin(specifier) || specifier.startsWith('data:')) return { url: specifier };
    const found = /^\.{1,2}(?:\/|$)|^\//.test(specifier)
      ? this.#file(resolve(dirname(importer), specifier))
      : this.#package(specifier, importer);
    if (found === undefined) throw new NotThere(`${importer} imports ${specifier}, which is not there`);
    const path = this.#follow(found);
    if (/\.m?ts$/.test(path)) return { typescript: path };
    if (/\.[cm]?js$/.test(path) || (path.endsWith('.json') && hasAttributes)) return { url: pathToFileURL(path).href };
    throw new Unsupported(`${importer} imports ${specifier}, which Node cannot load`);
  }

  #follow(path: string): string {
    const real = realpathSync(path);
    if (real !== path) this.links.set(path, real);
    return real;
  }

  #file(path: string): string | undefined {
    for (const candidate of candidatesFor(path)) {
      const found = statSync(candidate, { throwIfNoEntry: false });
      if (found?.isFile()) return candidate;
      if (!found) this.missing.add(candidate);
    }
    return undefined;
  }

  #package(specifier: string, importer: string): string | undefined {
    const tsconfig = this.#nearest('tsconfig.json', importer);
    if (tsconfig !== undefined) this.#addConfig(tsconfig);
    const jiti = this.createJiti(importer, {
      fsCache: false,
      ...(tsconfig !== undefined && { tsconfigPaths: tsconfig }),
    });
    const url = jiti.esmResolve(specifier, { parentURL: pathToFileURL(importer).href, try: true });
    if (url === undefined || !url.startsWith('file:')) return undefined;
    const path = fileURLToPath(url);
    // Another version of the package has another package.json. A copy that is nearer to the importer would be taken instead.
    const manifest = this.#nearest('package.json', path);
    if (manifest !== undefined) this.inputs.add(manifest);
    const [scope = '', name = ''] = specifier.split('/');
    const folder = scope.startsWith('@') ? `${scope}/${name}` : scope;
    for (let at = dirname(importer); ; at = dirname(at)) {
      const copy = join(at, 'node_modules', folder);
      if (statSync(copy, { throwIfNoEntry: false })) {
        this.#follow(copy);
        break;
      }
      this.missing.add(copy);
      if (at === dirname(at)) break;
    }
    return path;
  }

  /** The file of this name in the nearest folder above a file. */
  #nearest(name: string, path: string): string | undefined {
    for (let at = dirname(path); ; at = dirname(at)) {
      const candidate = join(at, name);
      if (isFile(candidate)) return candidate;
      this.missing.add(candidate);
      if (at === dirname(at)) return undefined;
    }
  }

  /** Whether tsconfig.json turns on the decorators that TypeScript had before the standard. */
  hasLegacyDecorators(file: string): boolean {
    const tsconfig = this.#nearest('tsconfig.json', file);
    const texts = tsconfig === undefined ? [] : this.#addConfig(tsconfig);
    const said = texts.flatMap((text) => /"experimentalDecorators"\s*:\s*(true|false)/.exec(text)?.[1] ?? []);
    return said[0] === 'true';
  }

  /** The texts of a tsconfig.json and of those that it extends, the one that wins first. */
  #addConfig(path: string): readonly string[] {
    const known = this.#configs.get(path);
    if (known || !isFile(path)) return known ?? [];
    this.inputs.add(path);
    const text = readFileSync(path, 'utf8').replaceAll(COMMENT, '$1');
    const texts = [text];
    this.#configs.set(path, texts);
    for (const [list] of text.matchAll(/(?<="extends"\s*:\s*)(?:"[^"]*"|\[[^\]]*\])/g))
      for (const [, parent = ''] of [...list.matchAll(/"(\.[^"]*)"/g)].toReversed())
        texts.push(...this.#addConfig(resolve(dirname(path), parent.endsWith('.json') ? parent : `${parent}.json`)));
    return texts;
  }
}

/** Or a string, which is kept. */
const COMMENT = /("(?:\\.|[^"\\])*")|\/\/[^\n]*|\/\*[^]*?\*\//g;

/** In TypeScript's order. */
function candidatesFor(path: string): readonly string[] {
  const [, stem, module = ''] = /^(.*)\.(m?)js$/.exec(path) ?? [];
  if (stem !== undefined) return [`${stem}.${module}ts`, path];
  if (/\.\w+$/.test(path) && isFile(path)) return [path];
  return [`${path}.ts`, path, `${path}.js`, join(path, 'index.ts'), join(path, 'index.js')];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
