import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModuleError } from '../module-error.ts';
import { jsonMistake, unexpected } from '../../responses/source-mistake.ts';
import type { SourcePosition } from '../../responses/source-mistake.ts';
import { positionAtByte } from './tools.ts';
import { TYPESCRIPT } from './resolve-import.ts';
import type { Import, Resolved, Resolver } from './resolve-import.ts';
import type { Tools } from './tools.ts';

/** A file as JavaScript that is to be loaded from another place. */
export interface CompiledFile {
  readonly path: string;
  readonly isCommonJs: boolean;
  /** Without the edits. */
  readonly code: string;
  readonly edits: readonly Edit[];
  /** The TypeScript that it loads with `require`. */
  readonly requires: Readonly<Record<string, Resolved>>;
  /** The mappings of a source map; undefined if the code is the source. */
  readonly mappings?: string;
}

/** Characters that something else takes the place of: other code, or the specifier of an import. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly by: string | Resolved;
  /** Of a late import: what to do instead if what it leads to cannot be compiled. */
  readonly otherwise?: Edit;
}

/** The function of compiled code that returns its context. */
export const CONTEXT = '__everywire';

/** Compiles TypeScript and JSON. JavaScript of the project stays as it is, apart from its imports. */
export function compileFile(path: string, tools: Tools, resolver: Resolver): CompiledFile {
  const source = readFileSync(path, 'utf8');
  if (path.endsWith('.json')) return { ...NO_IMPORTS, path, code: jsonModule(path, source) };
  if (!TYPESCRIPT.test(path)) return compileJavaScript(path, source, tools, resolver);
  const transformed = transform(path, source, tools, resolver);
  const [, , , isModule] = tools.parse(transformed.code, path);
  const isCommonJs = !isModule && (path.endsWith('.cts') || COMMONJS.test(transformed.code));
  const first = preamble(path, transformed.code, isCommonJs, tools);
  const code = first + transformed.code;
  return {
    path,
    isCommonJs,
    code,
    edits: findEdits(path, code, tools.parse, (one) => resolver.resolve(one, path)),
    requires: requiresIn(code, path, resolver),
    mappings: (first === '' ? '' : ';') + transformed.mappings,
  };
}

const NO_IMPORTS = { isCommonJs: false, edits: [], requires: {} };

function compileJavaScript(path: string, code: string, { parse }: Tools, resolver: Resolver): CompiledFile {
  // An import that leads nowhere is explained by Node, if the file is run at all.
  const find = (one: Import) =>
    resolver.resolve(one, path) ?? { url: one.specifier.startsWith('.') ? urlAt(one.specifier, path) : one.specifier };
  try {
    return { ...NO_IMPORTS, path, code, edits: findEdits(path, code, parse, find) };
  } catch {
    return { ...NO_IMPORTS, path, code }; // no module, or with a mistake, which Node explains
  }
}

const urlAt = (specifier: string, path: string) => pathToFileURL(resolve(dirname(path), specifier)).href;

function transform(
  path: string,
  source: string,
  { transformSync }: Tools,
  resolver: Resolver,
): { code: string; mappings: string } {
  const { code, map, errors } = transformSync(path, source, {
    lang: path.endsWith('x') ? 'tsx' : 'ts',
    sourceType: 'module',
    target: 'es2022',
    sourcemap: true,
    decorator: { legacy: true },
    typescript: { onlyRemoveTypeImports: resolver.hasOption('verbatimModuleSyntax', path) },
  });
  const [error] = errors;
  if (error || !map)
    throw syntaxError(
      error?.message ?? 'It cannot be compiled',
      path,
      positionAtByte(source, error?.labels[0]?.start ?? 0),
    );
  // Neither the transpiler nor Node has the decorators of the standard, and these ones do something else.
  if (DECORATED.test(code) && !resolver.hasOption('experimentalDecorators', path))
    throw new ModuleError(
      `${path} has decorators, which run only with "experimentalDecorators": true in tsconfig.json; build it with TypeScript otherwise`,
    );
  // Otherwise nothing could precede a first line that names a program.
  return { code: code.replace(/^#!/, '//'), mappings: map.mappings };
}

/** How compiled code starts that has decorators. */
const DECORATED = /^import \w+ from "@oxc-project\/runtime\/helpers\/decorate\w*";$/m;

/** With its place at the end of the message, where load-failure.ts looks for it. */
function syntaxError(message: string, path: string, { line, column }: SourcePosition): SyntaxError {
  return new SyntaxError(`${message}\n ${path}:${line}:${column}`);
}

/** The default and the names of a JSON file, as TypeScript has them. */
function jsonModule(path: string, source: string): string {
  const text = source.replace(/^\uFEFF/, '');
  const parse = (): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      const mistake = jsonMistake(text);
      throw syntaxError(`It is not JSON: ${unexpected(mistake)}`, path, mistake);
    }
  };
  const data = parse();
  const names = typeof data === 'object' && data !== null && !Array.isArray(data) ? Object.keys(data) : [];
  const exported = names.filter((name) => name !== 'default' && name.isWellFormed());
  return [
    `const data = JSON.parse(${JSON.stringify(JSON.stringify(data))});\nexport default data;`,
    ...exported.map((name, i) => `const v${i} = data[${JSON.stringify(name)}];`),
    `export { ${exported.map((name, i) => `v${i} as ${JSON.stringify(name)}`).join(', ')} };`,
  ].join('\n');
}

/** What only CommonJS has. */
const COMMONJS = /\brequire\s*[(.]|\b__(?:dirname|filename)\b|\bmodule\.exports\b|(?<![\w$./'"`-])exports\.\w+\s*=/;

/** What a file expects of CommonJS, bound to the place of its source. Empty, or one line. */
function preamble(path: string, code: string, isCommonJs: boolean, { transformSync }: Tools): string {
  const values = {
    require: `${CONTEXT}().require`,
    __filename: JSON.stringify(path),
    __dirname: JSON.stringify(dirname(path)),
  };
  const used = Object.entries(values).filter(([name]) => new RegExp(`\\b${name}\\b`).test(code));
  if (used.length === 0 && !isCommonJs) return '';
  if (isCommonJs) return `"use strict"; ${used.map(([name, value]) => `${name} = ${value};`).join(' ')}\n`;
  // The transpiler replaces names that the file does not declare, and only those: a second declaration would be a mistake.
  const define = Object.fromEntries(used.map(([name]) => [name, `${CONTEXT}_${name}`]));
  const { code: replaced } = transformSync(path, code, { lang: 'js', sourceType: 'module', define });
  const free = used.filter(([name]) => replaced.includes(define[name]!));
  return free.length === 0 ? '' : `const ${free.map(([name, value]) => `${name} = ${value}`).join(', ')};\n`;
}

function requiresIn(code: string, path: string, resolver: Resolver): CompiledFile['requires'] {
  const found: Record<string, Resolved> = {};
  for (const [, , specifier = ''] of code.matchAll(/\brequire\(\s*(["'])([^"'\n]+)\1\s*\)/g)) {
    const target = resolver.resolve({ specifier, hasAttributes: true }, path);
    if (target && 'source' in target && TYPESCRIPT.test(target.source)) found[specifier] = target;
  }
  return found;
}

function findEdits(
  path: string,
  code: string,
  parse: Tools['parse'],
  find: (one: Import) => Resolved | undefined,
): readonly Edit[] {
  return parse(code, path)[0].map((one): Edit => {
    if (one.type === 'import-meta') return metaEdit(path, code, one.start);
    const isLate = one.type === 'dynamic';
    const wanted: Import = { specifier: one.specifier ?? '', hasAttributes: one.attributesStart !== -1 };
    const found = isLate && (one.specifier === undefined || one.glob) ? undefined : find(wanted);
    // The lexer counts the quotes of a static import as outside, and those of a dynamic one as inside.
    const quotes = isLate ? 0 : 1;
    // Computed specifiers, and those that lead nowhere, are resolved when they run.
    const whenRun = { start: one.importStart, end: one.importStart, by: `${CONTEXT}().` };
    const edit = { start: one.start - quotes, end: one.end + quotes };
    if (found) return { ...edit, by: found, ...(isLate && { otherwise: whenRun }) };
    if (!isLate) throw notFound(wanted.specifier, path);
    return whenRun;
  });
}

/** What stands for `import.meta`, since the code is loaded from another place. */
function metaEdit(path: string, code: string, start: number): Edit {
  const [whole, name] = /^import\.meta(?:\.(url|filename|dirname)\b)?/.exec(code.slice(start, start + 30))!;
  const values = { url: pathToFileURL(path).href, filename: path, dirname: dirname(path) };
  const by = name === undefined ? `${CONTEXT}().meta` : JSON.stringify(values[name as keyof typeof values]);
  return { start, end: start + whole.length, by };
}

/** As Node says it. */
export function notFound(specifier: string, importer: string): Error {
  const isPath = /^(?:\.|\/|file:)/.test(specifier);
  const what = isPath ? `module '${resolve(dirname(importer), specifier)}'` : `package '${specifier}'`;
  return Object.assign(new Error(`Cannot find ${what} imported from ${importer}`), { code: 'ERR_MODULE_NOT_FOUND' });
}
