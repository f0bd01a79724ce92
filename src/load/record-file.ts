import { closeSync, constants, existsSync, fstatSync, openSync, rmSync, writeSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { App } from '../app/app.ts';

/** Bytes after which nothing more is written: its reader is gone. */
const MOST = 4 * 1024 * 1024;
/** The reader sets the access time of the file more often than this, in milliseconds. A server that was killed does not. */
export const READER_TIMEOUT_MS = 60_000;
const LONGEST_LINE = 8192;
const LONGEST_NAME = 180;

/** Where processes of a module write their audit records, while somebody watches. In the cache folder, which is the user's own. */
export function recordFileOf(module: string): string {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  const folder = join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'everywire');
  return join(folder, `records${nameOf(module)}.jsonl`);
}

/** Another one for every path: their calls must not be mixed. */
function nameOf(module: string): string {
  const name = encodeURIComponent(module.toWellFormed());
  return name.length <= LONGEST_NAME ? name : `${name.slice(-LONGEST_NAME)}~${checksumOf(name)}`;
}

/** FNV-1a. Not SHA-256: Node needs two milliseconds to load that, at every start. */
function checksumOf(text: string): string {
  let sum = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 0x01000193);
  return (sum >>> 0).toString(16);
}

/** If a console watches the module, it hears of the calls of this process, too. */
export function reportRecords(app: App, module: string): void {
  const file = recordFileOf(module);
  if (existsSync(file)) app.records.observe((record) => append(file, `${JSON.stringify(record)}\n`));
}

/** Without creating it: then nobody watches any more. */
function append(file: string, line: string): void {
  let opened: number | undefined;
  try {
    opened = openSync(file, constants.O_WRONLY | constants.O_APPEND);
    const { size, atimeMs } = fstatSync(opened);
    if (atimeMs < Date.now() - READER_TIMEOUT_MS) rmSync(file, { force: true });
    else if (line.length <= LONGEST_LINE && size < MOST) writeSync(opened, line);
  } catch {
    // A call must not fail, nor print anything, because somebody watched.
  } finally {
    if (opened !== undefined) closeSync(opened);
  }
}
