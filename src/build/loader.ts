// The head of every built file; pack.ts fills in PLACES and adds what starts it. The app's code follows as text, in
// scripts that are read and compiled only when something needs them: a request over CGI must not pay for the MCP server.
import type { Script } from 'node:vm';

/** Where a script stands in the text, and what V8 made of it: from where, and how many letters. */
type Place = readonly [
  imports: 0 | 1,
  isSqueezed: 0 | 1,
  at: number,
  length: number,
  cacheAt?: number,
  cacheLength?: number,
];

/** By the names of the parts that are in it. */
declare const PLACES: readonly (readonly [names: readonly string[], place: Place])[];

/** A function with all of the text in it, as a comment, and how long it is: the end of the file. */
declare function text(): void;
declare const LENGTH: number;

type Exports = Record<string, unknown>;
type Part = (exports: Exports, require: unknown, module: { exports: Exports }, file: string, folder: string) => void;

/** Gives a part by its name, and by any other what `requireOf` gives. */
export function createLoad(path: string, requireOf: () => (id: string) => Exports): (id: string) => Exports {
  // Not imported: a module that imports a part of Node pays for all that it has.
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
    const [imports, isSqueezed, at, length, cacheAt, cacheLength] = place;
    const code = all.slice(at, at + length);
    const cache = cacheAt === undefined ? undefined : all.slice(cacheAt, cacheAt + cacheLength!);
    const script = new vm.Script(isSqueezed ? bytesIn(code, 1).toString() : reveal(code), {
      // V8 keeps it with what it made, and where that was is nobody's business; only what imports must know where it is.
      filename: imports ? `${path}#${names[0]}` : `built#${names[0]}`,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      // Another version of V8 refuses it, and compiles the text.
      cachedData: cache === undefined ? undefined : bytesIn(cache, isSqueezed),
    });
    // For warm.ts, which asks V8 what it has made of it.
    (globalThis as { everywireScripts?: Map<readonly string[], Script> }).everywireScripts?.set(names, script);
    const made = script.runInThisContext() as Readonly<Record<string, Part>>;
    for (const name of names) parts.set(name, made[name]!);
  }
}

/** Node has read the file, so that a function's source is in memory; only what a tool has rewritten is another. */
function allText(path: string): string {
  const source = text.toString();
  if (source.length === LENGTH) return source;
  const file = process.getBuiltinModule('node:fs').readFileSync(path, 'latin1');
  return file.slice(-LENGTH);
}

function bytesIn(base64: string, isSqueezed: 0 | 1): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  return isSqueezed ? process.getBuiltinModule('node:zlib').brotliDecompressSync(bytes) : bytes;
}

/** What pack.ts has hidden. */
function reveal(code: string): string {
  if (!code.includes('\x7f')) return code;
  return code.replace(/\x7f(!|....)/g, (_, what: string) =>
    what === '!' ? '*/' : String.fromCharCode(Number.parseInt(what, 16)),
  );
}
