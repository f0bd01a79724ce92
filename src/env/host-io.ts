import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { FolderError } from './folder.ts';
import type { OpenFile } from './folder.ts';
import { hidingHostErrors } from './host-errors.ts';

/** Node aborts the process if one read is larger than it supports. */
const MAX_READ = 2 ** 30;

export function readFrom(handle: FileHandle): OpenFile['read'] {
  return (offset, length) =>
    hidingHostErrors(async () => {
      if (length > MAX_READ) throw new FolderError('tooLarge');
      const bytes = new Uint8Array(length);
      let at = 0;
      while (at < length) {
        const { bytesRead } = await handle.read(bytes, at, length - at, offset + at);
        if (bytesRead === 0) break;
        at += bytesRead;
      }
      return bytes.subarray(0, at);
    });
}

export async function writeAll(handle: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await handle.write(bytes, at)).bytesWritten;
}

/** Without it, a power cut could lose a new name. Not every file system supports it. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  await handle
    .sync()
    .catch(() => {})
    .finally(() => handle.close());
}
