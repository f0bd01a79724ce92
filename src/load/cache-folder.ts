import { lstatSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The cache folder of this user, or undefined if there is none. Other users must not be able to write to it, as they could in
 * /tmp: code is run from it.
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
    return undefined; // a folder that cannot be written: nothing is kept
  }
}
