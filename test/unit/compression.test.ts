import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createCompress } from '../../src/hosts/compression.ts';
import { compressors } from '../../src/hosts/zlib.ts';
import type { HttpReply } from '../../src/wires/http/message.ts';
import { proves } from '../promises.ts';

const GZIP = { headers: { 'accept-encoding': 'gzip' } };
const replyOf = (body: string, headers: Record<string, string> = {}): HttpReply => ({ status: 200, headers, body });

afterEach(() => void vi.restoreAllMocks());

describe('compressing replies', () => {
  it(proves('http.compression', 'is done once for a reply with an ETag that is sent again'), async () => {
    const gzip = vi.spyOn(compressors, 'gzip');
    const compress = createCompress({ from: 1 }, () => {});
    const document = replyOf('x'.repeat(1000), { etag: '"1"' });
    const sent = await Promise.all(Array.from({ length: 10 }, async () => compress(document, GZIP)));
    expect(gzip).toHaveBeenCalledTimes(1);
    for (const { body } of sent) expect(gunzipSync(body as Uint8Array).toString()).toBe(document.body);
    await compress(replyOf('x'.repeat(1000)), GZIP);
    expect(gzip).toHaveBeenCalledTimes(2);
  });

  it(proves('http.compression', 'leaves out replies when too many wait'), async () => {
    const compress = createCompress({ from: 1 }, () => {});
    const sent = await Promise.all(Array.from({ length: 100 }, async () => compress(replyOf('x'.repeat(1000)), GZIP)));
    const codings = sent.map(({ headers }) => headers['content-encoding']);
    expect(codings.filter((coding) => coding === 'gzip')).toHaveLength(32);
    expect(sent.at(-1)).toEqual(replyOf('x'.repeat(1000), { vary: 'Accept-Encoding' }));
  });

  it(proves('http.compression', 'that fails is logged, and the reply is sent as it is'), async () => {
    vi.spyOn(compressors, 'gzip').mockRejectedValue(new Error('out of memory'));
    const logged: unknown[] = [];
    const compress = createCompress({ from: 1 }, (thrown) => logged.push(thrown));
    const document = replyOf('text', { etag: 'W/"1"', vary: 'Accept' });
    expect(await compress(document, GZIP)).toEqual(replyOf('text', { etag: 'W/"1"', vary: 'Accept, Accept-Encoding' }));
    expect(logged).toEqual([new Error('out of memory')]);
    vi.restoreAllMocks();
    expect((await compress(document, GZIP)).headers['content-encoding']).toBe('gzip');
  });

  it(proves('http.compression', 'does not keep the event loop waiting'), async () => {
    const body = JSON.stringify(Array.from({ length: 200_000 }, (_, i) => i * 7919));
    const compress = createCompress({}, () => {});
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    await compress(replyOf(body), GZIP);
    clearInterval(timer);
    expect(turns).toBeGreaterThan(0);
  });
});
