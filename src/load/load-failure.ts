import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleError, OWN_FILES, isUserError } from './module-error.ts';

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
  const place = placeOf(problem) ?? placeIn(frames[0]) ?? (await placeOfSyntaxError(problem, path));
  const lines = [`${name} ${what}: ${explanation}${place ? ` (${place})` : ''}`, hintFor(problem), ...frames];
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
    const sentence = sentenceOf(problem);
    if (!parts.includes(sentence)) parts.push(sentence);
    else break;
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
    .trim();
  if (sentence === '') return code || name;
  return name === 'Error' || name === 'SyntaxError' || MISSING.has(code) ? sentence : `${name}: ${sentence}`;
}

const MAX_LENGTH = 2000;

/** Messages of the compiler end with the location. */
const COMPILER_PLACE = /\s*\n? *((?:\/|[A-Za-z]:[\\/])\S.*):(\d+):(\d+)\s*$/;

/** The importer of a missing module, as Node names it for ES modules and for CommonJS. */
const IMPORTER = /(?: imported from|\n?Require stack:\n-) (.+)[^]*$/;

function hintFor({ name, message }: Problem): string | undefined {
  const circular =
    name === 'ReferenceError' ? /^Cannot access '(.+)' before initialization/.exec(message)?.[1] : undefined;
  return circular === undefined
    ? undefined
    : `If two modules import each other, move what both need, such as ${circular}, into a third module.`;
}

/** Node puts the location of some errors before the stack; the compiler puts it into the message. */
function placeOf({ stack, message, code }: Problem): string | undefined {
  const importer = MISSING.has(code) ? IMPORTER.exec(message)?.[1] : undefined;
  if (importer !== undefined) return shown(importer);
  const [, file, line] = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).+):(\d+)\n/.exec(stack) ?? [];
  if (file !== undefined) return `${shown(file)}:${line}`;
  const [, path, at, column] = COMPILER_PLACE.exec(message) ?? [];
  return path === undefined ? undefined : `${shown(path)}:${at}:${column}`;
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

const placeIn = (frame: string | undefined) => frame && (/\((.+)\)$/.exec(frame)?.[1] ?? /at (.+)$/.exec(frame)?.[1]);

/** Whether a file belongs to a package, or to everywire. */
function isForeign(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file) || (OWN_FILES !== undefined && file.startsWith(OWN_FILES));
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
async function placeOfSyntaxError({ name }: Problem, path: string | undefined): Promise<string | undefined> {
  if (name !== 'SyntaxError' || path === undefined) return undefined;
  const { transformSync } = await (await import('./typescript/tools.ts')).loadTools();
  const files = [path];
  for (const file of files) {
    if (files.length > MAX_FILES) break;
    const source = readFileSync(file, 'utf8');
    const at = transformSync(file, source, { sourceType: 'unambiguous' }).errors[0]?.labels[0]?.start;
    const before = source.slice(0, at ?? 0).split('\n');
    if (at !== undefined) return `${shown(file)}:${before.length}:${before.at(-1)!.length + 1}`;
    for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const found = resolve(dirname(file), imported);
      if (existsSync(found) && statSync(found).isFile() && !files.includes(found)) files.push(found);
    }
  }
  return undefined;
}
