import { createRequire, isBuiltin } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';

/** What compiled code gets from here, since it is loaded from another place than its source. */
interface Context {
  readonly meta: object;
  readonly require: NodeJS.Require;
  readonly import: (specifier: unknown, options?: ImportCallOptions) => Promise<unknown>;
}

type ImportFrom = (importer: string, specifier: string, options?: ImportCallOptions) => Promise<unknown>;

/** The name of the symbol under which compiled code finds `contextOf`. */
export const CONTEXTS = 'everywire.typescript';

/** Makes contexts available to compiled code. */
export function provideContexts(importFrom: ImportFrom): void {
  const known = new Map<string, Context>();
  const contextOf = (path: string, requires: Readonly<Record<string, string>>, code: string) => {
    const context = known.get(code) ?? createContext(path, requires, code, importFrom);
    known.set(code, context);
    return context;
  };
  Object.assign(globalThis, { [Symbol.for(CONTEXTS)]: contextOf });
}

/** `requires` has the names of compiled files next to `code`, by what the source calls them. */
function createContext(
  path: string,
  requires: Readonly<Record<string, string>>,
  code: string,
  importFrom: ImportFrom,
): Context {
  const url = pathToFileURL(path).href;
  const [own, compiled] = [createRequire(path), createRequire(code)];
  const require = (id: string): unknown => (Object.hasOwn(requires, id) ? compiled(requires[id]!) : own(id));
  return {
    meta: { url, filename: path, dirname: dirname(path), main: false, resolve: (id: string) => resolveAt(id, path) },
    require: Object.assign(require, own) as NodeJS.Require,
    import: (specifier, options) => importFrom(path, String(specifier), options),
  };
}

/** `import.meta.resolve`, which does not look whether there is a file. */
function resolveAt(specifier: string, path: string): string {
  const url = pathToFileURL(path).href;
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  if (/^(?:\.{0,2}\/|[a-z]+:)/.test(specifier)) return new URL(specifier, url).href;
  const { createJiti } = createRequire(import.meta.url)('jiti') as typeof import('jiti');
  return createJiti(path, { fsCache: false }).esmResolve(specifier, { parentURL: url });
}
