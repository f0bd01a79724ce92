import { GrowingBytes } from '../core/growing-bytes.ts';
import { baseName } from '../schema/file-form.ts';
import { Download } from './download.ts';
import { UnreadFile } from './unread-file.ts';

/**
 * The file in a response; undefined if the response is not one. Up to the limit it is read and in memory; a larger one is
 * received while it is read.
 */
export async function fileIn(
  response: Response,
  limit: number,
  signal: AbortSignal | undefined,
): Promise<File | undefined> {
  const disposition = response.headers.get('content-disposition') ?? '';
  if (!/^attachment\b/i.test(disposition)) return undefined;
  const type = (response.headers.get('content-type') ?? '').toLowerCase();
  const name = baseName(nameIn(disposition));
  // A browser may keep a large Blob on the disk.
  if (limit === Infinity || !response.body) return new File([await response.blob()], name, { type });
  const download = new Download(response, signal);
  const received = new GrowingBytes();
  if (!(download.size !== undefined && download.size > limit)) {
    for (;;) {
      const chunk = await download.read();
      if (!chunk) return new File([received.bytes as Uint8Array<ArrayBuffer>], name, { type });
      received.add(chunk);
      if (received.size > limit) break;
    }
  }
  return new UnreadFile({ name, type }, limit, download, received.bytes);
}

/** RFC 6266. */
function nameIn(disposition: string): string {
  const extended = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(disposition)?.[1];
  try {
    if (extended !== undefined) return decodeURIComponent(extended);
  } catch {
    // Broken: the other name counts.
  }
  return /;\s*filename="([^"]*)"/i.exec(disposition)?.[1] ?? '';
}
