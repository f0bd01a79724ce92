import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleError, isForPeople } from './module-error.ts';

/**
 * Why a module cannot be loaded, for the person who wrote it: one sentence with the file and the line, what to do about it
 * where that is known, and of the stack only the frames that are theirs. Loaded only when something is wrong.
 */
export async function loadFailure(name: string, path: string | undefined, thrown: unknown): Promise<Error> {
  if (isForPeople(thrown)) return thrown;
  const problem = problemIn(thrown);
  if (!problem) return new ModuleError(`${name} cannot be loaded: it threw ${textOf(thrown)}`);
  const { code, message } = problem;
  const json = ATTRIBUTES.has(code) ? /"(file:\/\/.+?)"/.exec(message)?.[1] : undefined;
  if (NOT_A_MODULE.has(code) || (json !== undefined && fileURLToPath(json) === path))
    return new ModuleError(`${name} is not a module; expected a .ts, .js or .mjs file`, { cause: thrown });
  const said = json === undefined ? saidBy(thrown) : `${shown(json)} has to be imported with { type: 'json' }`;
  const frames = MISSING.has(code) || json !== undefined ? [] : framesOf(problem);
  const place = placeOf(problem) ?? placeIn(frames[0]) ?? (await placeOfSyntaxError(problem, path));
  const lines = [`${name} cannot be loaded: ${said}${place ? ` (${place})` : ''}`, hintFor(problem), ...frames];
  return new ModuleError(lines.filter((line) => line !== undefined).join('\n'), { cause: thrown });
}

/** What is known of something that was thrown. */
interface Problem {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly code: string;
}

const text = (field: unknown) => (typeof field === 'string' ? field : '');

/** Undefined for what has no message. A module may throw anything, with fields of any type. */
function problemIn(thrown: unknown): Problem | undefined {
  try {
    const { name, message, stack, code } = thrown as Record<keyof Problem, unknown>;
    const problem = { name: text(name) || 'Error', message: text(message), stack: text(stack), code: text(code) };
    return thrown instanceof Error || problem.message !== '' ? problem : undefined;
  } catch {
    return undefined; // null, a Proxy, or a getter of the module that throws
  }
}

const MISSING = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND', 'ERR_PACKAGE_PATH_NOT_EXPORTED']);
const ATTRIBUTES = new Set(['ERR_IMPORT_ATTRIBUTE_MISSING', 'ERR_IMPORT_ASSERTION_TYPE_MISSING']);
const NOT_A_MODULE = new Set(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_DIR_IMPORT', 'EISDIR']);

function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'object' && thrown !== null ? 'an object that is no error' : String(thrown);
  } catch {
    return 'something that is no error'; // a Proxy that throws
  }
}

/** The message, and what caused it: what a database driver or fetch knows is often only there. */
function saidBy(thrown: unknown): string {
  const parts: string[] = [];
  for (let at = thrown; parts.length < MOST_CAUSES; at = causeOf(at)) {
    const problem = problemIn(at);
    if (!problem) break;
    const said = sentenceOf(problem);
    if (!parts.includes(said)) parts.push(said);
    else break;
  }
  return parts.join(': ').slice(0, LONGEST);
}

const MOST_CAUSES = 3;

/** Several attempts to connect that failed are one error without a message. */
function causeOf(thrown: unknown): unknown {
  try {
    const { cause, errors } = thrown as { cause?: unknown; errors?: unknown };
    return cause ?? (Array.isArray(errors) ? (errors as unknown[])[0] : undefined);
  } catch {
    return undefined; // a getter of the module that throws
  }
}

/** Without the places that Node and the compiler add to it: those are shown in another form. */
function sentenceOf({ name, message, code }: Problem): string {
  const said = (MISSING.has(code) ? message.replace(IMPORTER, '') : message)
    .slice(0, LONGEST)
    .replace(/^ParseError: /, '')
    .replace(JITI_PLACE, '')
    .trim();
  if (said === '') return code || name;
  return name === 'Error' || name === 'SyntaxError' || MISSING.has(code) ? said : `${name}: ${said}`;
}

const LONGEST = 2000;

/** The compiler ends its messages with the place. */
const JITI_PLACE = /\s*\n? *((?:\/|[A-Za-z]:[\\/])\S.*):(\d+):(\d+)\s*$/;

/** Who imports what is missing, as Node says it of modules and of CommonJS. */
const IMPORTER = /(?: imported from|\n?Require stack:\n-) (.+)[^]*$/;

function hintFor({ name, message }: Problem): string | undefined {
  const circular =
    name === 'ReferenceError' ? /^Cannot access '(.+)' before initialization/.exec(message)?.[1] : undefined;
  return circular === undefined
    ? undefined
    : `If two modules import each other, move what both of them need, such as ${circular}, into a third one.`;
}

/** Node puts the place of some errors before the stack, and the compiler into the message. */
function placeOf({ stack, message, code }: Problem): string | undefined {
  const importer = MISSING.has(code) ? IMPORTER.exec(message)?.[1] : undefined;
  if (importer !== undefined) return shown(importer);
  const [, file, line] = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).+):(\d+)\n/.exec(stack) ?? [];
  if (file !== undefined) return `${shown(file)}:${line}`;
  const [, path, at, column] = JITI_PLACE.exec(message) ?? [];
  return path === undefined ? undefined : `${shown(path)}:${at}:${column}`;
}

const MOST_FRAMES = 8;

function framesOf({ stack }: Problem): string[] {
  const frames = stack.split('\n').flatMap((line) => {
    const [, what = '', file, at] =
      /^ +at (?:(.*) \()?((?:file:\/\/|\/|[A-Za-z]:[\\/]|built#).*?)(:\d+:\d+)\)?$/.exec(line) ?? [];
    if (file === undefined || isForeign(file)) return [];
    const place = `${shown(file)}${at}`;
    const caller = what.replace(/^async /, '');
    return [caller === '' || caller === 'Object.<anonymous>' ? `    at ${place}` : `    at ${caller} (${place})`];
  });
  // In a build, what loads the app is among the author's own code.
  const loader = frames.findIndex((frame) => frame.startsWith('    at load ('));
  return frames.slice(0, loader === -1 ? MOST_FRAMES : Math.min(loader, MOST_FRAMES));
}

const placeIn = (frame: string | undefined) => frame && (/\((.+)\)$/.exec(frame)?.[1] ?? /at (.+)$/.exec(frame)?.[1]);

/** Of a package, or of ours. */
function isForeign(file: string): boolean {
  return /[\\/]node_modules[\\/]/.test(file) || (OWN !== undefined && file.startsWith(OWN));
}

/** Where this is published, unless it is part of a build, which is the author's own. */
const OWN = /^(file:.*\/dist\/)chunks\/[^/]+$/.exec(import.meta.url)?.[1];

function shown(file: string): string {
  const path = file.startsWith('file:') ? fileURLToPath(file) : file;
  const near = relative('', path);
  return near.startsWith('..') || path.startsWith('built#') ? path : near;
}

const MOST_FILES = 200;

/**
 * Node knows where a syntax error is, and prints it only when it dies of it. So the files are parsed again, the module
 * first and then what it imports by relative names, until one cannot be.
 */
async function placeOfSyntaxError({ name }: Problem, path: string | undefined): Promise<string | undefined> {
  if (name !== 'SyntaxError' || path === undefined) return undefined;
  const { createJiti } = await import('jiti');
  const jiti = createJiti(import.meta.url, { fsCache: false });
  const files = [path];
  for (const file of files) {
    if (files.length > MOST_FILES) break;
    const source = readFileSync(file, 'utf8');
    // What cannot be parsed becomes code that says so.
    const [, line, column] =
      /^exports\.__JITI_ERROR__ = .*"line":(\d+),"column":(\d+)/.exec(
        jiti.transform({ source, filename: file, ts: true }),
      ) ?? [];
    if (line !== undefined) return `${shown(file)}:${line}:${column}`;
    for (const [, imported = ''] of source.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const found = resolve(dirname(file), imported);
      if (existsSync(found) && statSync(found).isFile() && !files.includes(found)) files.push(found);
    }
  }
  return undefined;
}
