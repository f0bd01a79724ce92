import { statSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Dependencies, foldersAbove } from '../input-states.ts';
import { helperUrl } from './helpers.ts';
import type { Tools } from './tools.ts';
import { Tsconfigs } from './tsconfig.ts';

export interface Import {
  readonly specifier: string;
  readonly hasAttributes: boolean;
}

/** Where an import leads: to a file that may have to be compiled, or to what Node loads itself. */
export type Resolved = { readonly source: string } | { readonly url: string };

export const TYPESCRIPT = /\.[cm]?tsx?$/;
const IS_PATH = /^(?:\.{1,2}(?:\/|$)|\/|file:)/;

/**
 * Resolves imports as TypeScript does: `./a.js` may mean a.ts, and tsconfig.json may have `paths`. Collects what the results depend
 * on, which decides how long compiled code is fresh.
 */
export class Resolver {
  readonly dependencies = new Dependencies();
  readonly #tsconfigs = new Tsconfigs(this.dependencies);

  constructor(private readonly createJiti: Tools['createJiti']) {}

  /** Undefined if an import leads nowhere. */
  resolve({ specifier, hasAttributes }: Import, importer: string): Resolved | undefined {
    const helper = helperUrl(specifier);
    if (helper !== undefined) return { url: helper };
    if (isBuiltin(specifier) || /^(?:data|https?):/.test(specifier)) return { url: specifier };
    const found = this.#track(specifier, importer) ?? this.#package(specifier, importer);
    if (found === undefined) return undefined;
    const path = this.dependencies.follow(found);
    const isOwn = /^\.{1,2}\//.test(specifier) && !/[\\/]node_modules[\\/]/.test(path);
    // JavaScript of the project may import TypeScript in its turn. That of packages is left to Node.
    if (TYPESCRIPT.test(path) || (isOwn && /\.m?js$/.test(path)) || (path.endsWith('.json') && !hasAttributes))
      return { source: path };
    return { url: pathToFileURL(path).href };
  }

  /** Collects what an import depends on. Returns its file, if that can be told without resolving a package. */
  #track(specifier: string, importer: string): string | undefined {
    if (IS_PATH.test(specifier)) return this.#file(pathOf(specifier, importer));
    const aliased = TYPESCRIPT.test(importer)
      ? [...this.#tsconfigs.pathsFor(specifier, importer), this.#tsconfigs.pathInBase(specifier, importer) ?? []].flat()
      : [];
    for (const path of aliased) {
      const found = this.#file(path);
      if (found !== undefined) return found;
    }
    const manifest = this.dependencies.nearest('package.json', importer);
    if (manifest !== undefined) this.dependencies.inputs.add(manifest);
    const [scope = '', name = ''] = specifier.split('/');
    const folder = scope.startsWith('@') ? `${scope}/${name}` : scope;
    for (const above of foldersAbove(dirname(importer))) {
      const copy = join(above, 'node_modules', folder);
      if (statSync(copy, { throwIfNoEntry: false })) {
        // Another version of the package has another package.json.
        const own = join(this.dependencies.follow(copy), 'package.json');
        if (isFile(own)) this.dependencies.inputs.add(own);
        break;
      }
      // A copy that is nearer to the importer would be taken instead.
      this.dependencies.missing.add(copy);
    }
    return undefined;
  }

  /** Mistakes in tsconfig.json, as sentences. */
  get mistakes(): ReadonlySet<string> {
    return this.#tsconfigs.mistakes;
  }

  /** Whether tsconfig.json turns on an option of the compiler for a file. */
  hasOption(name: string, file: string): boolean {
    return this.#tsconfigs.hasOption(name, file);
  }

  #file(path: string): string | undefined {
    return this.dependencies.firstFile(candidatesFor(path));
  }

  #package(specifier: string, importer: string): string | undefined {
    if (IS_PATH.test(specifier)) return undefined;
    const jiti = this.createJiti(importer, { fsCache: false });
    const url = jiti.esmResolve(specifier, { parentURL: pathToFileURL(importer).href, try: true });
    return url?.startsWith('file:') === true ? fileURLToPath(url) : undefined;
  }
}

function pathOf(specifier: string, importer: string): string {
  return specifier.startsWith('file:') ? fileURLToPath(specifier) : resolve(dirname(importer), specifier);
}

/** In TypeScript's order. */
function candidatesFor(path: string): readonly string[] {
  const [, stem, module = ''] = /^(.*)\.([cm]?)jsx?$/.exec(path) ?? [];
  if (stem !== undefined) return [`${stem}.${module}ts`, ...(module === '' ? [`${stem}.tsx`] : []), path];
  if (/\.\w+$/.test(path) && isFile(path)) return [path];
  const endings = ['.ts', '.tsx', '', '.js', '/index.ts', '/index.tsx', '/index.js'];
  return endings.map((ending) => path + ending);
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
