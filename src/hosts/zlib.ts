import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Coding } from './accept-encoding.ts';

const compressBrotli = promisify(brotliCompress);

/** Brotli's default of 11 is for files that are compressed once; this takes as long as gzip. */
const BROTLI_QUALITY = 4;

/** These run on threads of their own: the event loop waits for none of them. */
export const compressors: Readonly<Record<Coding, (text: string) => Promise<Uint8Array>>> = {
  gzip: promisify<string, Uint8Array>(gzip),
  br: (text) =>
    compressBrotli(text, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
        [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
        [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
      },
    }),
};
