import { readFile, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { lazily } from '../core/lazily.ts';
import { etagOf, isKnown } from '../wires/http/etag.ts';
import type { HttpReply, HttpRequest } from '../wires/http/message.ts';

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
};

/** Nothing from elsewhere, nothing inline, and no other page around this one. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data: blob:",
  'media-src data: blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
};

type Files = ReadonlyMap<string, HttpReply>;

/** The files of the page. Each is one reply, so that the host compresses it only once. */
export function createStaticFiles(): (name: string, request: HttpRequest) => Promise<HttpReply | undefined> {
  const files = lazily(readFiles);
  return async (name, request) => {
    const reply = (await files()).get(name);
    const { etag = '' } = reply?.headers ?? {};
    return reply && isKnown(etag, request) ? { status: 304, headers: { ...HEADERS, etag }, body: '' } : reply;
  };
}

/** All are known from the start, so that no request can name another file. */
async function readFiles(): Promise<Files> {
  // Not a URL relative to this one: bundlers would take it for a file that they must include.
  const folder = join(dirname(fileURLToPath(import.meta.url)), '../console');
  const names = (await readdir(folder)).filter((name) => TYPES[name.split('.').at(-1)!] !== undefined);
  const replies = names.map(async (name): Promise<[string, HttpReply]> => {
    const body = await readFile(join(folder, name), 'utf8');
    const type = TYPES[name.split('.').at(-1)!]!;
    return [name, { status: 200, headers: { 'content-type': type, ...HEADERS, etag: await etagOf(body) }, body }];
  });
  return new Map(await Promise.all(replies));
}
