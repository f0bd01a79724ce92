import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ModuleError } from './module-error.ts';

/**
 * Why a module cannot be loaded, for the person who wrote it: one sentence with the file and the line, what to do about it
 * where that is known, and of the stack only the frames that are theirs. Loaded only when something is wrong.
 */
export async function loadFailure(name: string, path: string | undefined, thrown: unknown): Promise<Error> {
  if (!(thrown instanceof Error)) return new ModuleError(`${name} cannot be loaded: it threw ${textOf(thrown)}`);
  if (FOR_PEOPLE.has(thrown.name)) return thrown;
  const code = (thrown as NodeJS.ErrnoException).code ?? '';
  const said = sentenceOf(thrown);
  if (MISSING.has(code)) return new ModuleError(`${name} cannot be loaded: ${said}`, { cause: thrown });
  const json = ATTRIBUTES.has(code) ? /"file:\/\/(.+?)"/.exec(thrown.message)?.[1] : undefined;
  if (NOT_A_MODULE.has(code) || (json !== undefined && decodeURI(json) === path))
    return new ModuleError(`${name} is not a module; expected a .ts, .js or .mjs file`, { cause: thrown });
  if (json !== undefined)
    return new ModuleError(
      `${name} cannot be loaded: ${shown(decodeURI(json))} has to be imported with { type: 'json' }`,
      { cause: thrown },
    );
  const frames = framesOf(thrown);
  const place = placeOf(thrown) ?? placeIn(frames[0]) ?? (await placeOfSyntaxError(thrown, path));
  const lines = [`${name} cannot be loaded: ${said}${place ? ` (${place})` : ''}`, hintFor(thrown), ...frames];
  return new ModuleError(lines.filter((line) => line !== undefined).join('\n'), { cause: thrown });
}

const FOR_PEOPLE = new Set(['AppError', 'ModuleError', 'ProjectError']);
const MISSING = new Set(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);
const ATTRIBUTES = new Set(['ERR_IMPORT_ATTRIBUTE_MISSING', 'ERR_IMPORT_ASSERTION_TYPE_MISSING']);
const NOT_A_MODULE = new Set(['ERR_UNKNOWN_FILE_EXTENSION', 'ERR_UNSUPPORTED_DIR_IMPORT', 'EISDIR']);

function textOf(thrown: unknown): string {
  try {
    return typeof thrown === 'object' && thrown !== null ? 'an object that is no error' : String(thrown);
  } catch {
    return 'something that is no error'; // a Proxy that throws
  }
}

/** Without the places that Node and the compiler add to it: those are shown in another form. */
function sentenceOf({ name, message, code }: NodeJS.ErrnoException): string {
  const text = MISSING.has(code ?? '') ? (message.split('\n')[0] ?? '').replace(/ imported from .*$/, '') : message;
  const said = text
    .replace(/^ParseError: /, '')
    .replace(JITI_PLACE, '')
    .trim()
    .slice(0, LONGEST);
  return name === 'Error' || name === 'SyntaxError' || MISSING.has(code ?? '') ? said || name : `${name}: ${said}`;
}

const LONGEST = 2000;

/** The compiler ends its messages with the place. */
const JITI_PLACE = /\s*\n? *((?:\/|[A-Za-z]:[\\/])\S.*):(\d+):(\d+)\s*$/;

function hintFor({ name, message }: Error): string | undefined {
  const circular =
    name === 'ReferenceError' ? /^Cannot access '(.+)' before initialization/.exec(message)?.[1] : undefined;
  return circular === undefined
    ? undefined
    : `If two modules import each other, move what both of them need, such as ${circular}, into a third one.`;
}

/** Node puts the place of some errors before the stack, and the compiler into the message. */
function placeOf({ stack = '', message }: Error): string | undefined {
  const [, file, line] = /^((?:file:\/\/|\/|[A-Za-z]:[\\/]).+):(\d+)\n/.exec(stack) ?? [];
  if (file !== undefined) return `${shown(file)}:${line}`;
  const [, path, at, column] = JITI_PLACE.exec(message) ?? [];
  return path === undefined ? undefined : `${shown(path)}:${at}:${column}`;
}

const MOST_FRAMES = 8;

function framesOf({ stack = '' }: Error): string[] {
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
async function placeOfSyntaxError(thrown: Error, path: string | undefined): Promise<string | undefined> {
  if (thrown.name !== 'SyntaxError' || path === undefined) return undefined;
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
    for (const [, name = ''] of source.matchAll(/(?:from|import)\s*\(?\s*['"](\.{1,2}\/[^'"]+)['"]/g)) {
      const found = resolve(dirname(file), name);
      if (existsSync(found) && statSync(found).isFile() && !files.includes(found)) files.push(found);
    }
  }
  return undefined;
}
