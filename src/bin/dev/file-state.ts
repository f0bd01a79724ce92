import { createHash } from 'node:crypto';
import { readFile, readdir, stat } from 'node:fs/promises';

/** What a file contained when it was looked at. */
export interface FileState {
  /** Cheap to get, and different after most changes. */
  readonly mark: string;
  /** Equal for equal content. Of a folder: the names in it. */
  readonly content: string;
  readonly changedAt: number;
}

const MISSING: FileState = { mark: '', content: '', changedAt: 0 };

/** Larger files are judged by their marks. */
const MAX_SIZE = 10_000_000;

/** Looks at a file again. Returns the same state if nothing has changed; never fails. */
export async function stateOf(path: string, known?: FileState): Promise<FileState> {
  try {
    const found = await stat(path);
    const mark = `${found.ino} ${found.size} ${found.mtimeMs} ${found.ctimeMs}`;
    if (known?.mark === mark) return known;
    const content = found.isDirectory()
      ? (await readdir(path)).toSorted().join('\n')
      : await digestOf(path, found.size, mark);
    return { mark, content: `${found.isDirectory() ? 'folder' : 'file'} ${content}`, changedAt: found.mtimeMs };
  } catch {
    return MISSING; // or unreadable, which comes to the same
  }
}

async function digestOf(path: string, size: number, mark: string): Promise<string> {
  return size > MAX_SIZE
    ? mark
    : createHash('sha1')
        .update(await readFile(path))
        .digest('hex');
}
