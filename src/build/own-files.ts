import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Code that refers to its own place, and may look for files there. */
export const SELF_REFERENCE = /\b__dirname\b|\b__filename\b|\bimport\.meta\b|\brequire\.resolve\b/;

/** Names for the place of a module. */
const PLACE = String.raw`__dirname|__filename|import\.meta\.(?:url|dirname|filename)`;

/** The work for a module must not grow with the square of its size. */
const MAX_PLACES = 200;
const MAX_STATEMENT = 300;

/**
 * Whether the code of a module names a file or a folder that is beside it: `join(__dirname, 'data.json')`,
 * `new URL('./worker.js', import.meta.url)`. In a bundle, such a path leads elsewhere. A path that is computed is not
 * recognised: then `--external` says it.
 */
export function readsOwnFiles(code: string, file: string): boolean {
  const folder = dirname(file);
  const isThere = (...path: readonly string[]) => {
    const found = join(folder, ...path).replace(/[/\\]$/, '');
    return found !== folder && EXTENSIONS.some((extension) => existsSync(found + extension));
  };
  const places = new RegExp(String.raw`\b(?:${[PLACE, ...aliasesIn(code)].join('|')})(?![\w$])`, 'g');
  for (const { index, 0: place } of firstOf(code.matchAll(places), MAX_PLACES)) {
    const after = restOfCall(code.slice(index + place.length, index + MAX_STATEMENT));
    const words = stringsIn(after);
    if (words.some((word) => isThere(word)) || (words.length > 1 && isThere(...words))) return true;
    const [, url] = /new URL\(\s*["'`]([^"'`\n]+)["'`]\s*,\s*$/.exec(code.slice(Math.max(0, index - 200), index)) ?? [];
    if (url !== undefined && !/^\w+:/.test(url) && isThere(url)) return true;
  }
  for (const [, path = ''] of firstOf(code.matchAll(RESOLVED), MAX_PLACES)) if (isThere(path)) return true;
  for (const [, path = ''] of firstOf(code.matchAll(BINARY), MAX_PLACES)) if (isThere(path)) return true;
  return (
    hasOwnRequire(code) && [...firstOf(code.matchAll(REQUIRED), MAX_PLACES)].some(([, path = '']) => isThere(path))
  );
}

const EXTENSIONS = ['', '.js', '.cjs', '.json'];
const RESOLVED = /\brequire\.resolve\(\s*["'`](\.[^"'`\n]+)["'`]/g;
/** WebAssembly is often loaded by a name that is far from the place where it is joined with the folder. */
const BINARY = /["'`]([\w./-]+\.(?:wasm|node))["'`]/g;
const REQUIRED = /\brequire\(\s*["'`](\.{1,2}\/[^"'`\n]+)["'`]/g;

/** Bundlers do not see what `createRequire(import.meta.url)` loads. */
const hasOwnRequire = (code: string) => /\brequire\s*=\s*[^;\n]{0,80}\bcreateRequire\b/.test(code);

/** Variables that hold the place: `const here = dirname(fileURLToPath(import.meta.url))`. */
function aliasesIn(code: string): string[] {
  const alias = new RegExp(String.raw`\b(?:const|let|var)\s+([\w$]{2,})\s*=[^;,\n]{0,80}\b(?:${PLACE})`, 'g');
  return [...firstOf(code.matchAll(alias), MAX_PLACES)].map(([, name = '']) => name.replaceAll('$', String.raw`\$`));
}

/** The text until the end of the call or statement that it begins in. */
function restOfCall(text: string): string {
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    const char = text[i];
    if (char === '(' || char === '[') depth++;
    else if (char === ')' || char === ']') depth--;
    if (depth < 0 || (char === ';' && depth === 0)) return text.slice(0, i);
  }
  return text;
}

function stringsIn(text: string): string[] {
  return [...text.matchAll(/(["'`])([\w@. /-]+)\1/g)].map(([, , word = '']) => word);
}

function* firstOf<T>(all: Iterable<T>, count: number): Iterable<T> {
  let taken = 0;
  for (const one of all) {
    if (taken++ === count) return;
    yield one;
  }
}
