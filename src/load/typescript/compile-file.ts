import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { digestOf } from '../digest.ts';
import { ModuleError } from '../module-error.ts';
import { keepLines } from './keep-lines.ts';
import type { Resolver } from './resolve-import.ts';
import type { Tools } from './tools.ts';
import { Unsupported } from './unsupported.ts';

/** A TypeScript file as JavaScript, in pieces between which the specifiers of its imports belong. */
export interface CompiledFile {
  readonly path: string;
  /** Of the source. */
  readonly digest: string;
  /** One more than there are imports. */
  readonly pieces: readonly string[];
  readonly imports: readonly Import[];
}

export interface Import {
  readonly specifier: string;
  readonly hasAttributes: boolean;
}

/** What only CommonJS has. A word in a comment or a string counts, too: then the file is merely run by something slower. */
const COMMONJS = /\brequire\s*[(.]|\b__(?:dirname|filename)\b|\bmodule\.exports\b|(?<![\w$./'"`-])exports\.\w+\s*=/;

export function compileFile(path: string, { transformSync, parse }: Tools, resolver: Resolver): CompiledFile {
  const source = readFileSync(path, 'utf8');
  if (COMMONJS.test(source)) throw new Unsupported(`${path} uses CommonJS`);
  const transform = (legacy: boolean) =>
    transformSync(path, source, {
      lang: 'ts',
      sourceType: 'module',
      target: 'es2022',
      sourcemap: true,
      decorator: { legacy },
    });
  const { code, map, errors } = transform(true);
  if (errors.length > 0 || !map) throw new Unsupported(`${path} has errors`);
  const isDecorated = source.includes('@') && transform(false).code !== code;
  // Neither the transpiler nor Node has the decorators of the standard, and these ones do something else.
  if (isDecorated && !resolver.hasLegacyDecorators(path))
    throw new ModuleError(
      `${path} has decorators, which run only with "experimentalDecorators": true in tsconfig.json; build it with TypeScript otherwise`,
    );
  const text = keepLines(code, map as never);
  const { pieces, imports } = split(path, text, parse);
  return { path, digest: digestOf(source), pieces, imports };
}

function split(path: string, text: string, parse: Tools['parse']): Pick<CompiledFile, 'pieces' | 'imports'> {
  const [found] = parse(text, path);
  const imports: Import[] = [];
  const pieces: string[] = [];
  let piece = '';
  let at = 0;
  for (const one of found) {
    const { start, end } = one;
    if (one.type === 'import-meta') {
      const [whole, value] = metaAt(path, text.slice(start));
      piece += text.slice(at, start) + value;
      at = start + whole;
      continue;
    }
    // A computed import would be resolved from the cache folder.
    if (one.specifier === undefined || (one.type === 'dynamic' && one.glob) || one.phase !== null)
      throw new Unsupported(`${path} imports what it computes`);
    // The lexer counts the quotes of a static import as outside, and those of a dynamic one as inside.
    const quotes = one.type === 'dynamic' ? 0 : 1;
    pieces.push(piece + text.slice(at, start - quotes));
    imports.push({ specifier: one.specifier, hasAttributes: one.attributesStart !== -1 });
    piece = '';
    at = end + quotes;
  }
  return { pieces: [...pieces, piece + text.slice(at)], imports };
}

/** What stands for `import.meta.url` and the like, since the code is loaded from the cache folder. */
function metaAt(path: string, text: string): [length: number, value: string] {
  const [whole = '', name] = /^import\.meta\.(url|filename|dirname)\b/.exec(text) ?? [];
  if (name === undefined) throw new Unsupported(`${path} uses import.meta`);
  const value = name === 'url' ? pathToFileURL(path).href : name === 'filename' ? path : dirname(path);
  return [whole.length, JSON.stringify(value)];
}
