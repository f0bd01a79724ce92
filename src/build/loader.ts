// The head of every built file; pack.ts fills in PLACES. The app's code follows it as text, in parts that are read and
// compiled only when something needs them: a request over CGI must not pay for the MCP server.
import type { Script } from 'node:vm';

// Not imported: a module that imports node:fs pays for all that it has.
const fs = process.getBuiltinModule('node:fs');
const paths = process.getBuiltinModule('node:path');
const { fileURLToPath } = process.getBuiltinModule('node:url');
const { createRequire } = process.getBuiltinModule('node:module');
const vm = process.getBuiltinModule('node:vm');
let require: NodeJS.Require | undefined;

/** Where a part stands, and what V8 made of it: bytes from the end of the file, and how many. */
type Place = readonly [
  imports: 0 | 1,
  isSqueezed: 0 | 1,
  fromEnd: number,
  length: number,
  cacheFromEnd?: number,
  cacheLength?: number,
];

declare const PLACES: Readonly<Record<string, Place>>;

type Exports = Record<string, unknown>;

const path = fileURLToPath(import.meta.url);
const loaded = new Map<string, { exports: Exports }>();
// Held open: a new build takes this one's name, and what is read later must not be of that.
const file = fs.openSync(path, 'r');
const { size } = fs.fstatSync(file);

function load(id: string): Exports {
  const name = id.replace(/^(?:\.\/|everywire:)/, '');
  const place = PLACES[name];
  if (!place) return (require ??= createRequire(import.meta.url))(id) as Exports;
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const [imports, isSqueezed, fromEnd, length, cacheFromEnd, cacheLength] = place;
  const text = textAt(fromEnd, length);
  const cache = cacheLength ? textAt(cacheFromEnd!, cacheLength) : undefined;
  const script = new vm.Script(
    `(function (exports, require, module, __filename, __dirname) { 'use strict';${isSqueezed ? bytesIn(text, 1).toString() : reveal(text)}\n})`,
    {
      // V8 keeps it with what it made, and where that was is nobody's business; only what imports must know where it is.
      filename: imports ? `${path}#${name}` : `built#${name}`,
      importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      // Another version of V8 refuses it, and compiles the text.
      cachedData: cache === undefined ? undefined : bytesIn(cache, isSqueezed),
    },
  );
  // For warm.ts, which asks V8 what it has made of it.
  (globalThis as { everywireScripts?: Map<string, Script> }).everywireScripts?.set(name, script);
  (script.runInThisContext() as Function)(module.exports, load, module, path, paths.dirname(path));
  return module.exports;
}

function textAt(fromEnd: number, length: number): string {
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const came = fs.readSync(file, bytes, at, length - at, size - fromEnd + at);
    if (came === 0) throw new Error(`${path} is not whole; build it again`);
    at += came;
  }
  return bytes.toString('latin1');
}

function bytesIn(text: string, isSqueezed: 0 | 1): Buffer {
  const bytes = Buffer.from(text, 'base64');
  return isSqueezed ? process.getBuiltinModule('node:zlib').inflateRawSync(bytes) : bytes;
}

/** What pack.ts has hidden. */
function reveal(text: string): string {
  if (!text.includes('\x7f')) return text;
  return text.replace(/\x7f(!|....)/g, (_, what: string) =>
    what === '!' ? '*/' : String.fromCharCode(Number.parseInt(what, 16)),
  );
}

function isSame(started: string | undefined): boolean {
  try {
    return started !== undefined && fs.realpathSync(started) === fs.realpathSync(path);
  } catch {
    return false; // no file at all
  }
}

const isMain = isSame(process.argv[1]);
const app = () => load('main.js')['default'];
/** The app, for those who import it; as a command, it is loaded when stdout is out of its reach. */
export default isMain ? undefined : app();
if (isMain) {
  const run = load('run.js') as { runModule(load: () => Promise<unknown>, argv: string[]): Promise<void> };
  await run.runModule(async () => app(), process.argv);
}
