import { lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * A folder for what is made once and used again, or undefined where there can be none. It is this user's alone: whoever else
 * could write to it, as to a folder of all in /tmp, could have us run anything.
 */
export function cacheFolder(): string | undefined {
  const { XDG_CACHE_HOME: given = '' } = process.env;
  const folder = join(isAbsolute(given) ? given : join(homedir(), '.cache'), 'everywire');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const found = lstatSync(folder);
    const isOwn = process.getuid === undefined || (found.uid === process.getuid() && (found.mode & 0o022) === 0);
    return found.isDirectory() && isOwn ? folder : undefined;
  } catch {
    return undefined;
  }
}
