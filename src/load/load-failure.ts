import { existsSync, opendirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { OWN_FOLDER } from '../core/log.ts';
import { codeFrame, lineOf, positionAt } from '../responses/source-mistake.ts';
import type { SourcePosition } from '../responses/source-mistake.ts';
import { suggest } from '../schema/suggest.ts';
import { foldersAbove } from './input-states.ts';
import { ModuleError, isUserError } from './module-error.ts';

/**
 * Explains why a module cannot be loaded, or its app cannot start: one sentence with file and line, a hint if there is one, and
 * the stack frames in the author's own files. This file is loaded only if something is wrong.
 */
export async function loadFailure(
  name: string,
  path: string | undefined,
  thrown: unknown,
  what: 'cannot be loaded' | 'cannot start' = 'cannot be loaded',
): Promise<Error> {
  if (isUserError(thrown)) return thrown;
  const problem = problemIn(thrown);
  if (!problem) return new ModuleError(`${name} ${what}: it threw ${textOf(thrown)}`);
  const { code, message } = problem;
  const json = ATTRIBUTES.has(code) ? /"(file:\/\/.+?)"/.exec(message)?.[1] : undefined;
  // Otherwise it is something else, which the module imports.
  const isEntry = path !== undefined && (json === undefined ? message.includes(path) : fileURLToPath(json) === path);
  if (isEntry && (NOT_A_MODULE.has(code) || json !== undefined))
    return new ModuleError(`${name} is not a module; expected a .ts, .js or .mjs file`, { cause: thrown });
  const explanation = json === undefined ? explain(thrown) : `${shown(json)} has to be imported with { type: 'json' }`;
  const frames = MISSING.has(code) || json !== undefined ? [] : framesOf(problem);
  const imported = importOf(problem);
  const mistake =
    imported ?? syntaxErrorIn(problem) ?? (frames.length === 0 ? await findSyntaxError(problem, path) : undefined);
  const place = (mistake && placeOf(mistake)) ?? placeIn(problem) ?? frames[0]?.replace(FRAME, '$1');
  const lines = [
    `${name} ${what}: ${explanation}${place ? ` (${place})` : ''}`,
    mistake && codeFrame(lineOf(mistake.source, mistake), mistake),
    hintFor(problem) ?? (imported ? hintForPackage(imported) : mistake && (await hintForName(problem, mistake))),
    ...frames,
  ];
  return new ModuleError(lines.filter((line) => line !== undefined).join('\n'), { cause: thrown });
}

/** The fields of an error. */
interface Problem {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code: string;
}

const text = (field: unknown) => (typeof field === 'string' ? field : '');

/** Undefined if there is no message. A module may throw anything, with fields of any type. */
function problemIn(thrown: unknown): Problem | undefined {
  try {
    const { name, message, stack, code } = thrown as Record<keyof Problem, unknown>;
    const problem = { name: text(name) || 'Error', message: text(message), stack: text(stack), code: text(code) };
    return thrown instanceof Error || problem.message !== '' ? problem : undefined;
  } catch {
    return undefined; // null, a Proxy, or a getter that throws
  }
}

const MISSING = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);
const ATTRIBUTES = new Set(['ERR_IMPORT_ATTRIBUTE_MISSING', 'ERR_IMPORT_ASSERTION_TYPE_MISSING']);
const NOT_A_MODULE = new Set(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_DIR_IMPORT', 'EISDIR']);

function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'object' && thrown !== null ? 'an object that is not an error' : String(thrown);
  } catch {
    return 'something that is not an error'; // a Proxy that throws
  }
}

/** The message and those of its causes, which often hold the details of a failed fetch or database connection. */
function explain(thrown: unknown): string {
  const parts: string[] = [];
  for (let at = thrown; parts.length < MAX_CAUSES; at = causeOf(at)) {
    const problem = problemIn(at);
    if (!problem) break;
    // Many errors repeat the message of their cause.
    if (problem.message !== '' && parts.some((part) => part.includes(problem.message))) break;
    parts.push(sentenceOf(problem));
  }
  return parts.join(': ').slice(0, MAX_LENGTH);
}

const MAX_CAUSES = 3;

/** An AggregateError of failed connection attempts has no message; its first error has. */
function causeOf(thrown: unknown): unknown {
  try {
    const { cause, errors } = thrown as { cause?: unknown; errors?: unknown };
    return cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined);
  } catch {
    return undefined; // a getter that throws
  }
}

/** The message without the location that Node and the compiler add, which is printed separately. */
function sentenceOf({ name, message, code }: Problem): string {
  const sentence = (MISSING.has(code) ? message.replace(IMPORTER, '') : message)
    .slice(0, MAX_LENGTH)
    .replace(COMPILER_PLACE, '')
    .replace(COMMONJS_ADVICE, '')
    .replace(IMPORTED_URL, (_, before: string, url: string) => `${before}'${shown(sourceAt(url))}'`)
    .replace(MISSING_PATH, (_, path: string) => `Cannot find module '${shown(path)}'`)
    .replace(MISSING_ENTRY, (_, entry: string, from: string) => `Cannot find '${from}${entry}'`)
    .trim();
  if (sentence === '') return code || name;
  return name === 'Error' || name === 'SyntaxError' || MISSING.has(code) ? sentence : `${name}: ${sentence}`;
}

const MAX_LENGTH = 2000;

/** The imports of compiled code are URLs. */
const IMPORTED_URL = /(The requested module )'(file:[^']+)'/g;

/** Four lines, with the path of the package. */
const COMMONJS_ADVICE = /, which may not support all module\.exports as named exports[^]*$/;

/** The source of compiled code, which its end names. */
function sourceAt(url: string): string {
  try {
    return /\n\/\/# sourceURL=(file:.+)/.exec(readFileSync(new URL(url), 'utf8').slice(-MAX_LENGTH))?.[1] ?? url;
  } catch {
    return url;
  }
}

/** Messages of the compiler end with the location. */
const COMPILER_PLACE = /\s*\n? *((?:\/|[A-Za-z]:[\\/])\S.*):(\d+):(\d+)\s*$/;

/** The importer of a missing module, as Node names it for ES modules and for CommonJS. */
const IMPORTER = /(?: imported from|\n?Require stack:\n-) (.+)[^]*$/;

const MISSING_PATH = /^Cannot find module '(\/.+?|[A-Za-z]:.+?)'/;
const MISSING_ENTRY =
  /^Package subpath '\.(.+?)' is not defined by "exports" in .*node_modules[\\/](.+?)[\\/]package\.json/;

/** A mistake in an import. */
interface ImportMistake extends SyntaxMistake {
  readonly specifier: string;
}

/** The import of what is missing, in the file that Node names; the specifier of a path is found by what it leads to. */
function importOf({ code, message }: Problem): ImportMistake | undefined {
  const importer = MISSING.has(code) ? IMPORTER.exec(message)?.[1] : undefined;
  const found = importer === undefined ? undefined : mistakeAt(importer, 1, 1);
  if (!found) return undefined;
  const [, path] = MISSING_PATH.exec(message) ?? [];
  const [, entry = '', name] = MISSING_ENTRY.exec(message) ?? [];
  const wanted = name === undefined ? /^Cannot find (?:module|package) '(.+?)'/.exec(message)?.[1] : name + entry;
  const isWanted = (specifier: string) =>
    path === undefined
      ? specifier === wanted || specifier.startsWith(`${wanted}/`)
      : IS_PATH.test(specifier) && stemOf(resolve(dirname(found.file), specifier)) === stemOf(path);
  for (const { 1: specifier = '', indices } of found.source.matchAll(SPECIFIER))
    if (isWanted(specifier)) return { ...found, specifier, ...positionAt(found.source, indices![1]![0] - 1) };
  return undefined;
}

const SPECIFIER = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*['"]([^'"\n]+)['"]/dg;
const IS_PATH = /^(?:\.{1,2}(?:\/|$)|\/|file:)/;

/** A package that is not installed, or an entry of ours that does not exist. */
function hintForPackage({ specifier, file }: ImportMistake): string | undefined {
  const [name] = PACKAGE.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  if (name === 'everywire' && specifier !== name) {
    const entries = [...ownEntries().keys()];
    const meant = suggest(specifier, entries);
    return meant ? `Did you mean ${meant}?` : `There are ${entries.join(', ')}.`;
  }
  const isInstalled = foldersAbove(dirname(file)).some((folder) => existsSync(join(folder, 'node_modules', name)));
  return isInstalled ? undefined : `Add it with: npm install ${name}`;
}

/** The name of a package, as npm allows it, at the beginning of a specifier. */
const PACKAGE = /^(?:@[a-z\d~-][\w.~-]*\/)?[a-z\d~-][\w.~-]*(?=\/|$)/;

/** The entry of ours that exports a name. */
async function hintForName({ message }: Problem, { source, line, column }: SyntaxMistake): Promise<string | undefined> {
  const name = MISSING_EXPORT.exec(message)?.[1];
  if (name === undefined) return undefined;
  const rest = source
    .split('\n')
    .slice(line - 1)
    .join('\n')
    .slice(column - 1);
  if (!/^[^'"]*\bfrom\s*['"]everywire(?:\/[\w-]+)?['"]/.test(rest)) return undefined;
  for (const [entry, url] of ownEntries()) {
    // Some need a package that is not installed.
    const exports = (await import(/* webpackIgnore: true */ url).catch(() => ({}))) as object;
    if (Object.hasOwn(exports, name)) return `${name} is exported by ${entry}`;
  }
  return undefined;
}

/** The URLs of the entries of this package, by what imports them; none in a bundle. */
function ownEntries(): ReadonlyMap<string, string> {
  if (OWN_FOLDER === undefined) return new Map();
  const manifest = new URL('../package.json', OWN_FOLDER);
  const { exports } = JSON.parse(readFileSync(manifest, 'utf8')) as { exports: Record<string, { default?: string }> };
  return new Map(
    Object.entries(exports).flatMap(([entry, { default: file }]) =>
      file === undefined ? [] : [[`everywire${entry.slice(1)}`, new URL(file, manifest).href]],
    ),
  );
}

function hintFor({ name, message, code }: Problem): string | undefined {
  const missing = MISSING.has(code) ? MISSING_PATH.exec(message)?.[1] : undefined;
  const meant = missing === undefined ? undefined : similarTo(missing);
  if (meant !== undefined) return `Did you mean ${shown(meant)}?`;
  const circular =
    name === 'ReferenceError' ? /^Cannot access '(.+)' before initialization/.exec(message)?.[1] : undefined;
  return circular === undefined
    ? undefined
    : `If two modules import each other, move what both need, such as ${circular}, into a third module.`;
}

/** A mistake in a file of the author. */
interface SyntaxMistake extends SourcePosition {
  readonly file: string;
  readonly source: string;
}

const placeOf = ({ file, line, column }: SyntaxMistake) => `${shown(file)}:${line}:${column}`;

/** Node puts the importer of a missing module into the message, and the location of some errors before the stack. */
function placeIn({ stack, message, code }: Problem): string | undefined {
  const importer = MISSING.has(code) ? IMPORTER.exec(message)?.[1] : undefined;
  if (importer !== undefined) return shown(importer);
  const [, file, line] = STACK_HEAD.exec(stack) ?? [];
  return file === undefined ? undefined : `${shown(file)}:${line}`;
}

/** Some stacks begin with a location, and then have the line and a caret. */
const STACK_HEAD = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).+):(\d+)\n(?:(.*)\n(\s*)\^)?/;

/** The compiler puts the location into the message; Node puts it, with the line and a caret, before the stack. */
function syntaxErrorIn({ name, stack, message }: Problem): SyntaxMistake | undefined {
  if (name !== 'SyntaxError') return undefined;
  const [, path, at, column] = COMPILER_PLACE.exec(message) ?? [];
  if (path !== undefined) return mistakeAt(path, Number(at), Number(column));
  const [, file, line, shownLine, indent] = STACK_HEAD.exec(stack) ?? [];
  const found =
    file === undefined || indent === undefined ? undefined : mistakeAt(file, Number(line), indent.length + 1);
  if (found?.source.split('\n')[found.line - 1]?.trimEnd() === shownLine?.trimEnd()) return found;
  // The lines of compiled code are others than those of its source.
  const missing = MISSING_EXPORT.exec(message)?.[1];
  const index = missing === undefined ? undefined : found?.source.search(new RegExp(IMPORTED(missing), 'm'));
  return found && index !== undefined && index !== -1 ? { ...found, ...positionAt(found.source, index) } : undefined;
}

const MISSING_EXPORT = /\bexport (?:named )?'([\w$]+)'/;

/** A name in an import or an export from another module. */
const IMPORTED = (name: string) =>
  `(?<=^(?:import|export)\\b[^'"]*[\\s{,])${name.replaceAll('$', '\\$')}(?=[\\s},][^'"]*\\bfrom\\b)`;

function mistakeAt(file: string, line: number, column: number): SyntaxMistake | undefined {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  try {
    return { file: path, source: readFileSync(path, 'utf8'), line, column };
  } catch {
    return undefined; // not a file, or gone
  }
}

const MAX_FRAMES = 8;

function framesOf({ stack }: Problem): string[] {
  const frames = stack.split('\n').flatMap((line) => {
    const [, what = '', file, at] =
      /^ +at (?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]|built#).*?)(:\d+:\d+)\)?$/.exec(line) ?? [];
    if (file === undefined || isForeign(file)) return [];
    const place = `${shown(file)}${at}`;
    const caller = what.replace(/^async /, '');
    return [caller === '' || caller === 'Object.<anonymous>' ? `    at ${place}` : `    at ${caller} (${place})`];
  });
  // In a built file, the frames of our loader look like the author's.
  const loader = frames.findIndex((frame) => frame.startsWith('    at load ('));
  return frames.slice(0, loader === -1 ? MAX_FRAMES : Math.min(loader, MAX_FRAMES));
}

/** With the location of a frame as `$1`. */
const FRAME = /^ +at (?:.* \()?(.+?)\)?$/;

/** Whether a file belongs to a package, or to everywire. */
function isForeign(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file) || (OWN_FOLDER !== undefined && file.startsWith(OWN_FOLDER));
}

function shown(file: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  const near = relative('', path);
  return near.startsWith('..') || path.startsWith('built#') ? path : near;
}

const MAX_FILES = 200;

/**
 * Node prints the location of a syntax error only if the error is uncaught. So the files are parsed again, first the module and
 * then its relative imports, until one fails.
 */
async function findSyntaxError({ name }: Problem, path: string | undefined): Promise<SyntaxMistake | undefined> {
  if (name !== 'SyntaxError' || path === undefined) return undefined;
  const { loadTools, positionAtByte } = await import('./typescript/tools.ts');
  const { transformSync } = await loadTools();
  const files = [path];
  for (const file of files) {
    if (files.length > MAX_FILES) break;
    const source = readFileSync(file, 'utf8');
    const at = transformSync(file, source, { sourceType: 'unambiguous' }).errors[0]?.labels[0]?.start;
    if (at !== undefined) return { file, source, ...positionAtByte(source, at) };
    for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const found = resolve(dirname(file), imported);
      if (existsSync(found) && statSync(found).isFile() && !files.includes(found)) files.push(found);
    }
  }
  return undefined;
}

/** A file or folder that does not exist, with the name of one that was probably meant. */
export function missingFile(what: 'module' | 'file', path: string, name: string): ModuleError {
  const meant = similarTo(path);
  // As it was typed: with the same beginning.
  const typed =
    meant &&
    (name.endsWith(basename(path)) && dirname(meant) === dirname(path)
      ? name.slice(0, -basename(path).length) + basename(meant)
      : shown(meant));
  const isNoPath = what === 'module' && (!/[\\/.]/.test(name) || /^https?:/.test(name));
  const hint = typed ? ` (did you mean ${typed}?)` : isNoPath ? '; name a .ts, .js or .mjs file, or a folder' : '';
  return new ModuleError(`No such ${what}: ${name}${hint}`);
}

/** The first part of the path that does not exist is compared with what there is. */
function similarTo(path: string): string | undefined {
  let [folder, name, rest] = [dirname(path), basename(path), ''];
  while (!existsSync(folder) && folder !== dirname(folder))
    [folder, name, rest] = [dirname(folder), basename(folder), join(name, rest)];
  const stems = new Map<string, string>();
  for (const found of namesIn(folder)) {
    // TypeScript wins over what was compiled from it.
    const stem = stemOf(found);
    if (!stems.has(stem) || /\.[cm]?tsx?$/.test(found)) stems.set(stem, found);
  }
  const meant = stems.get(suggest(stemOf(name), stems.keys()) ?? '');
  const found = [meant && join(folder, meant, rest), join(folder, 'src', name, rest)];
  return found.find((one) => one !== undefined && existsSync(one));
}

const stemOf = (name: string) => name.replace(MODULE, '');
const MODULE = /\.(?:[cm]?[jt]sx?|json)$/;

const MAX_ENTRIES = 1000;

/** Modules and folders. */
function namesIn(folder: string): string[] {
  try {
    const names: string[] = [];
    const entries = opendirSync(folder);
    for (let i = 0, entry = entries.readSync(); entry && i < MAX_ENTRIES; i++, entry = entries.readSync())
      if (
        !entry.name.startsWith('.') &&
        (entry.isDirectory() ? entry.name !== 'node_modules' : MODULE.test(entry.name))
      )
        names.push(entry.name);
    entries.closeSync();
    return names.toSorted();
  } catch {
    return []; // it cannot be read
  }
}
