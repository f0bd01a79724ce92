import { createReadStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, extname } from 'node:path';
import { DiskSpool } from '../../hosts/disk-spool.ts';
import type { Process } from '../process.ts';

/** A file for an argument: `@path`. Its bytes are read when the function reads them. `-` is stdin. */
export async function openFile(proc: Process, typed: string, limit: number): Promise<File> {
  if (typed === '-') return new File([await spooled(proc, proc.stdin, limit)], '');
  const path = proc.resolve(typed);
  const found = await stat(path);
  if (found.isDirectory()) throw new Error(`${typed} is a folder`);
  // A pipe, such as <(command) of a shell, can be read only once.
  const blob = found.isFile() ? await openAsBlob(path) : await spooled(proc, createReadStream(path), limit);
  const name = found.isFile() ? basename(path) : '';
  return new File([blob], name, { type: TYPES[extname(name).toLowerCase()] ?? '' });
}

/** One byte more than the limit is enough to be refused. */
async function spooled(proc: Process, stream: AsyncIterable<Uint8Array>, limit: number): Promise<Blob> {
  const spool = new DiskSpool();
  proc.on('exit', () => spool.disposeSync());
  let size = 0;
  for await (const chunk of stream) {
    await spool.write(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return spool.end();
}

/** The media types of common files. Others have none. */
const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.csv': 'text/csv',
  '.gif': 'image/gif',
  '.gz': 'application/gzip',
  '.html': 'text/html',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.json': 'application/json',
  '.md': 'text/markdown',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain',
  '.wav': 'audio/wav',
  '.webp': 'image/webp',
  '.xml': 'application/xml',
  '.zip': 'application/zip',
};
