import { once } from 'node:events';
import { connect } from 'node:http2';
import type { ClientHttp2Session } from 'node:http2';
import { createApp } from 'everywire';
import type { App } from 'everywire';
import { serve } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import uploads from '../apps/uploads.ts';
import { canCertify, createCertificate } from '../kit/certificates.ts';
import { proves } from '../promises.ts';

let host: NodeHost;
let session: ClientHttp2Session;
beforeAll(async () => {
  if (!canCertify) return;
  const functions = uploads.functions.map(({ definition }) => definition);
  const limits = { file: 1_000_000, body: 10_000 };
  const app = createApp({ name: 'Two', version: '1.0.0', functions, limits }) as App;
  host = await serve(app, { port: 0, tls: createCertificate() });
  session = connect(host.url, { rejectUnauthorized: false });
});
afterAll(async () => {
  session?.destroy();
  await host?.drain();
});

async function upload(fn: string, size: number) {
  const stream = session.request({
    ':method': 'POST',
    ':path': `/functions/${fn}`,
    'content-type': 'multipart/form-data; boundary=b',
  });
  stream.on('error', () => {});
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.write('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n');
  stream.end(Buffer.concat([Buffer.alloc(size, 'x'), Buffer.from('\r\n--b--')]));
  const ended = once(stream, 'end');
  const [headers] = (await once(stream, 'response')) as [Record<string, string>];
  await ended;
  return { status: headers[':status'], body: Buffer.concat(chunks) };
}

describe.runIf(canCertify)('HTTP/2', () => {
  it(proves('file.everywhere', 'takes files and returns them'), async () => {
    const { status, body } = await upload('Echo', 900_000);
    expect([status, body.length]).toEqual([200, 900_000]);
  });

  it(proves('file.refused', 'refuses what is too large, and goes on'), async () => {
    const { status, body } = await upload('Hash', 3_000_000);
    expect([status, String(body)]).toEqual([413, '{"error":"The files are larger than 1000000 bytes"}']);
    expect((await upload('Hash', 3)).status).toBe(200);
  });
});
