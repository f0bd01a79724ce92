// The start of every built file. pack.ts defines PLACES and adds the code that runs it. The app's code follows in a
// comment, as scripts that are compiled only when needed: a CGI request must not pay for the MCP server.
import type { Script } from 'node:vm';

/** Where a script and its code cache are in the text: offset and length in characters. */
type Place = readonly [imports: 0 | 1, at: number, length: number, cacheAt?: number, cacheLength?: number];

/** By the names of the parts in each script. */
declare const PLACES: readonly (readonly [names: readonly string[], place: Place])[];

/** A function at the end of the file whose body is a comment with all scripts, and its length. */
declare function text(): void;
declare const LENGTH: number;

type Exports = Record<string, unknown>;
type Part = (exports: Exports, require: unknown, module: { exports: Exports }, file: string, folder: string) => void;

/** Returns a `require` for the parts; all other ids go to the one that `requireOf` returns. */
export function createLoad(path: string, requireOf: () => (id: string) => Exports): (id: string) => Exports {
  // Not imported: an import of a built-in module creates bindings for all its exports, which takes time.
  const vm = process.getBuiltinModule('node:vm');
  const folder = process.getBuiltinModule('node:path').dirname(path);
  const scripts = new Map(PLACES.flatMap(([names, place]) => names.map((name) => [name, { names, place }])));
  const parts = new Map<string, Part>();
  const loaded = new Map<string, { exports: Exports }>();
  const all = allText(path);
  let require: ((id: string) => Exports) | undefined;
  return load;

  function load(id: string): Exports {
    const name = id.replace(/^(?:\.\/|everywire:)/, '');
    const known = loaded.get(name);
    if (known) return known.exports;
    const script = scripts.get(name);
    if (!script) return (require ??= requireOf())(id);
    if (!parts.has(name)) compile(script.names, script.place);
    const module = { exports: {} };
    loaded.set(name, module);
    parts.get(name)!(module.exports, load, module, path, folder);
    return module.exports;
  }

  function compile(names: readonly string[], place: Place): void {
    const [imports, at, length, cacheAt, cacheLength] = place;
    const cache = cacheAt === undefined ? undefined : all.slice(cacheAt, cacheAt + cacheLength!);
    const script = new vm.Script(unescapeText(all.slice(at, at + length)), {
      // The code cache contains the file name, which must not reveal build paths. Only import() needs the real one.
      filename: imports ? `${path}#${names[0]}` : `built#${names[0]}`,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      // Another version of V8 rejects it and compiles the source.
      cachedData: cache === undefined ? undefined : Buffer.from(cache, 'base64'),
    });
    // For code-cache.ts, which reads the code cache from it.
    (globalThis as { everywireScripts?: Map<readonly string[], Script> }).everywireScripts?.set(names, script);
    const made = script.runInThisContext() as Readonly<Record<string, Part>>;
    for (const name of names) parts.set(name, made[name]!);
  }
}

/** Node has the source in memory already. The file is read only if a tool has changed the source on loading. */
function allText(path: string): string {
  const source = text.toString();
  if (source.length === LENGTH) return source;
  const file = process.getBuiltinModule('node:fs').readFileSync(path, 'latin1');
  return file.slice(-LENGTH);
}

/** Reverses `escapeText` of pack.ts. */
function unescapeText(code: string): string {
  if (!code.includes('\x7f')) return code;
  return code.replace(/\x7f(!|....)/g, (_, what: string) =>
    what === '!' ? '*/' : String.fromCharCode(Number.parseInt(what, 16)),
  );
}
