// The head of every built file; pack.ts fills in PLACES. The app's code follows it as text, in parts that are read and
// compiled only when something needs them: a request over CGI must not pay for the MCP server.
import { closeSync, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script, constants } from 'node:vm';

/** Where each part stands: bytes from the end of the file, and how many. */
declare const PLACES: Readonly<Record<string, readonly [fromEnd: number, length: number]>>;

type Exports = Record<string, unknown>;

const path = fileURLToPath(import.meta.url);
const loaded = new Map<string, { exports: Exports }>();

function load(id: string): Exports {
  const name = id.replace(/^(?:\.\/|everywire:)/, '');
  const place = PLACES[name];
  if (!place) return process.getBuiltinModule(id) as unknown as Exports;
  const known = loaded.get(name);
  if (known) return known.exports;
  const module = { exports: {} };
  loaded.set(name, module);
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${textAt(...place)}\n})`, {
    filename: `${path}/${name}`,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  (script.runInThisContext() as Function)(module.exports, load, module, path, dirname(path));
  return module.exports;
}

function textAt(fromEnd: number, length: number): string {
  const file = openSync(path, 'r');
  const bytes = Buffer.allocUnsafe(length);
  for (let at = 0; at < length;) {
    const came = readSync(file, bytes, at, length - at, fstatSync(file).size - fromEnd + at);
    if (came === 0) throw new Error(`${path} is not whole; build it again`);
    at += came;
  }
  closeSync(file);
  return bytes.toString().replaceAll('*\x7f/', '*/');
}

const app = load('main.js')['default'] as { run(argv: readonly string[]): Promise<void> };
export default app;

const started = process.argv[1];
if (started !== undefined && realpathSync(started) === realpathSync(path)) await app.run(process.argv);
