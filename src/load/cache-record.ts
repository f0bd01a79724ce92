import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { commit, version } from '../version.ts';
import { cacheFolder } from './cache-folder.ts';
import { digestOf } from './digest.ts';
import { writeAtomically } from './write-atomically.ts';

/** What another version wrote may mean something else. */
const MAKER = `${version} ${commit}`;

/**
 * A value that was kept for a later start. Undefined if there is none, if another version wrote it, or if a single byte of it
 * differs from what was written: a cache may be cut off, restored from a backup or edited.
 */
export function readRecord(kind: string, key: string): unknown {
  const folder = cacheFolder();
  if (folder === undefined) return undefined;
  try {
    const text = readFileSync(pathOf(folder, kind, key), 'utf8');
    const end = text.indexOf('\n');
    const body = text.slice(end + 1);
    return text.slice(0, end) === headOf(key, body) ? (JSON.parse(body) as unknown) : undefined;
  } catch {
    return undefined;
  }
}

/** Without a cache folder, or on a full disk, nothing is kept, and the next start does the work again. */
export function writeRecord(kind: string, key: string, value: unknown): void {
  const folder = cacheFolder();
  if (folder === undefined) return;
  try {
    const body = JSON.stringify(value);
    mkdirSync(join(folder, kind), { recursive: true, mode: 0o700 });
    writeAtomically(pathOf(folder, kind, key), `${headOf(key, body)}\n${body}`, 0o600);
  } catch {
    // See above.
  }
}

const pathOf = (folder: string, kind: string, key: string) => join(folder, kind, `${digestOf(key)}.json`);

const headOf = (key: string, body: string) => `${MAKER} ${digestOf(`${key}\n${body}`)}`;
