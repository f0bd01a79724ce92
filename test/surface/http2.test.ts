import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect, constants } from 'node:http2';
import type { ClientHttp2Session, ClientHttp2Stream, OutgoingHttpHeaders } from 'node:http2';
import { buffer } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { defineResource, type Limits } from 'everywire';
import type { NodeHost } from 'everywire/node';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canCertify, createCertificate, type Certificate } from '../kit/certificates.ts';
import { fn, integer, record } from '../kit/functions.ts';
import { logged, startHost, stopHosts, waiting } from '../kit/host-app.ts';
import { postText, raw, statusOf } from '../kit/raw.ts';
import { proves } from '../promises.ts';

let certificate: Certificate;
beforeAll(() => {
  if (canCertify) certificate = createCertificate();
});

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) close();
  const errors = [...logged];
  await stopHosts();
  expect(errors).toEqual([]);
});

const count = fn('Count', { output: integer }, (_, { progress }) => {
  for (let i = 1; i <= 3; i++) progress(i, 3);
  return 3;
});
const picture = new Uint8Array(100_000).map((_, i) => i);
const resources = [
  defineResource({ uri: 'pics://x', name: 'Pic', description: 'P', mimeType: 'image/png', read: () => picture }),
];
const start = (limits: Partial<Limits> = {}) =>
  startHost({ functions: [count], resources, limits }, { tls: certificate });
const untilRunning = (calls = 1) => expect.poll(() => waiting.running.length).toBe(calls);

function open({ url }: NodeHost): ClientHttp2Session {
  const session = connect(url, { rejectUnauthorized: false });
  session.on('error', () => {});
  closing.push(() => session.destroy());
  return session;
}

async function replyOf(stream: ClientHttp2Stream) {
  const [[headers], body] = (await Promise.all([once(stream, 'response'), buffer(stream)])) as [
    [Record<string, string>],
    Buffer,
  ];
  return { status: Number(headers[':status']), headers, body: body.toString(), bytes: body.length };
}

/** A request whose body is still to be written. Its errors are ignored. */
const send = (session: ClientHttp2Session, path: string, more: OutgoingHttpHeaders = {}) =>
  session.request({ ':path': path, ':method': 'POST', ...more }).on('error', () => {});

async function ask(session: ClientHttp2Session, path: string, body?: object | string, more: OutgoingHttpHeaders = {}) {
  const method = body === undefined ? 'GET' : 'POST';
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const stream = send(session, path, { ':method': method, ...json, ...more });
  stream.end(body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body));
  return replyOf(stream);
}

const ACCEPT = { accept: 'application/json, text/event-stream' };

describe.runIf(canCertify)('HTTP/2', () => {
  it(proves('http.two', 'is what curl uses by itself, with the same bytes as HTTP/1.1'), async () => {
    const { url } = await start();
    const curl = async (...args: readonly string[]) => {
      const { stdout } = await promisify(execFile)('curl', ['-s', '-k', '-w', ' HTTP/%{http_version}', ...args]);
      return stdout;
    };
    for (const args of [
      ['--json', '{"text":"x"}', `${url}/functions/Echo`],
      ['--json', '{"text":5}', `${url}/functions/Echo`],
      ['--json', '{broken', `${url}/functions/Echo`],
      ['--json', '{}', `${url}/functions/No`],
      [`${url}/openapi.json`],
      [`${url}/nowhere`],
    ]) {
      const [one, two] = await Promise.all([curl('--http1.1', ...args), curl(...args)]);
      expect(two).toMatch(/ HTTP\/2$/);
      expect(two).toBe(one.replace(/ HTTP\/1\.1$/, ' HTTP/2'));
    }
    expect(await curl('--head', `${url}/healthz`)).toMatch(
      /^HTTP\/2 200 \r\n[^]*content-length: 15\r\n[^]*\r\n\r\n HTTP\/2$/,
    );
  });

  it(proves('http.two', 'takes as many header fields as HTTP/1.1, and sees all of them'), async () => {
    const host = await start();
    const session = open(host);
    for (const fields of [100, 130, 1000]) {
      const more = Object.fromEntries(Array.from({ length: fields }, (_, i) => [`x${i}`, '']));
      expect(await ask(session, '/functions/Echo', { text: 'x' }, more)).toMatchObject({ status: 200 });
    }
    const filler = Array.from({ length: 2100 }, () => 'a:');
    for (const [second, status] of [
      ['Host: other', 400],
      ['Origin: https://evil.example', 403],
    ] as const) {
      const sent = postText('/functions/Echo', '{"text":"x"}', 'Connection: close', ...filler, second);
      expect(statusOf(await raw(host.url, sent))).toBe(status);
    }
  });

  it(proves('http.two', 'never runs a part of a request'), async () => {
    const host = await start();
    const ways: Record<string, (stream: ClientHttp2Stream, session: ClientHttp2Session) => unknown> = {
      'no error': (stream) => stream.close(constants.NGHTTP2_NO_ERROR),
      cancel: (stream) => stream.close(constants.NGHTTP2_CANCEL),
      'internal error': (stream) => stream.close(constants.NGHTTP2_INTERNAL_ERROR),
      goaway: (_stream, session) => session.goaway(),
      destroyed: (_stream, session) => session.destroy(),
    };
    for (const [way, leave] of Object.entries(ways))
      for (const sent of ['', '{"a":']) {
        const session = open(host);
        const stream = send(session, '/functions/Wait', { 'content-type': 'application/json', 'content-length': 11 });
        if (sent) stream.write(sent);
        await new Promise((resolve) => setTimeout(resolve, 30));
        leave(stream, session);
        await new Promise((resolve) => setTimeout(resolve, 50));
        session.destroy();
        expect([way, sent, waiting.running.length]).toEqual([way, sent, 0]);
      }
  });

  it(proves('http.two', 'runs many calls at once on one connection'), async () => {
    const session = open(await start());
    const slow = ask(session, '/functions/Wait', {});
    const texts = Array.from({ length: 200 }, (_, i) => String(i));
    const replies = await Promise.all(texts.map((text) => ask(session, '/functions/Echo', { text })));
    expect(replies.map(({ body }) => body)).toEqual(texts.map((text) => `{"result":{"text":"${text}"}}`));
    await untilRunning();
    waiting.running[0]!();
    expect(await slow).toMatchObject({ status: 200, body: '{"result":"done"}' });
  });

  it.each(['127.0.0.1', '::1', '::'])(proves('http.two', 'callers are the same as on HTTP/1.1: %s'), async (host) => {
    const functions = [fn('Who', { output: record }, (_, { caller }) => caller)];
    const access = { scopes: 'public', headers: ['x-a', 'x-none', 'user-agent'] } as const;
    const trustProxy = host === '::' ? undefined : ['192.0.2.1'];
    const { url } = await startHost({ functions, access }, { tls: certificate, host, trustProxy });
    const reached = url.replace('[::]', '127.0.0.1');
    const headers = { 'x-a': 'b', 'x-forwarded-for': '192.0.2.9', 'x-forwarded-proto': 'http', 'x-request-id': 'id' };
    const lines = Object.entries(headers).map((header) => header.join(': '));
    const one = await raw(reached, postText('/functions/Who', '', ...lines, 'Connection: close'));
    const session = open({ url: reached } as NodeHost);
    const two = await ask(session, '/functions/Who', {}, { ':authority': 'localhost', ...headers });
    expect(two.body).toContain(`"address":"${host === '::1' ? '::1' : '127.0.0.1'}","scheme":"https"`);
    expect(one.slice(one.indexOf('\r\n\r\n') + 4)).toBe(two.body);
  });

  it(proves('http.two', 'serves binary resources, HEAD, OPTIONS and 304'), async () => {
    const session = open(await start());
    expect(await ask(session, '/resources/pics%3A%2F%2Fx')).toMatchObject({ status: 200, bytes: 100_000 });
    const head = await ask(session, '/openapi.json', undefined, { ':method': 'HEAD' });
    const whole = await ask(session, '/openapi.json');
    expect([head.status, head.bytes]).toEqual([200, 0]);
    expect(Number(head.headers['content-length'])).toBe(whole.bytes);
    const fresh = await ask(session, '/openapi.json', undefined, { 'if-none-match': whole.headers['etag'] });
    expect(fresh).toMatchObject({ status: 304, bytes: 0, headers: { etag: whole.headers['etag'] } });
    expect(fresh.headers['vary']).toBe(whole.headers['vary']);
    const options = await ask(session, '/functions/Echo', undefined, { ':method': 'OPTIONS' });
    expect(options).toMatchObject({ status: 204, headers: { allow: 'POST, OPTIONS' } });
  });

  it(proves('http.two', 'streams events of /mcp'), async () => {
    const session = open(await start());
    const call = { name: 'functions.Count', arguments: {}, _meta: { progressToken: 1 } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: call };
    const reply = await ask(session, '/mcp', message, ACCEPT);
    expect(reply.headers['content-type']).toBe('text/event-stream');
    expect(reply.headers['content-encoding']).toBeUndefined();
    expect(reply.body.match(/"progress":\d/g)).toEqual(['"progress":1', '"progress":2', '"progress":3']);
    expect(reply.body).toContain('"structuredContent":{"result":3}');
  });

  it(proves('failure.cancelled', 'a call is cancelled when its stream or connection ends'), async () => {
    const host = await start();
    const session = open(host);
    const stream = send(session, '/functions/Wait');
    stream.end();
    await untilRunning();
    stream.close(constants.NGHTTP2_CANCEL);
    await expect.poll(() => waiting.aborted).toBe(1);
    expect(await ask(session, '/functions/Echo', { text: 'next' })).toMatchObject({ status: 200 });
    send(session, '/functions/Wait').end();
    await untilRunning(2);
    session.destroy();
    await expect.poll(() => waiting.aborted).toBe(2);
  });

  it(proves('http.host-origin', 'a foreign :authority, Host or Origin is refused'), async () => {
    const session = open(await start());
    const refused = (more: OutgoingHttpHeaders) => ask(session, '/healthz', undefined, more);
    expect((await refused({ ':authority': 'evil.example' })).status).toBe(403);
    expect((await refused({ ':authority': 'localhost', host: 'evil.example' })).status).toBe(400);
    expect((await refused({ ':authority': 'localhost', host: 'localhost' })).status).toBe(200);
    expect((await refused({ ':authority': 'localhost', origin: 'https://evil.example' })).status).toBe(403);
    expect((await refused({ ':authority': 'localhost', origin: 'http://localhost' })).status).toBe(403);
    expect((await refused({ ':authority': 'localhost', origin: 'https://localhost' })).status).toBe(200);
  });

  it(proves('http.limits', 'a body over the limit is 413, also before it is sent; the connection stays'), async () => {
    const host = await start({ body: 1000 });
    const session = open(host);
    expect(await ask(session, '/functions/Echo', 'a'.repeat(2000))).toMatchObject({ status: 413 });
    expect(await ask(session, '/functions/Echo', 'a'.repeat(500_000))).toMatchObject({ status: 413 });
    expect(await replyOf(send(session, '/functions/Echo', { 'content-length': 2000 }))).toMatchObject({ status: 413 });
    const endless = send(session, '/functions/Echo');
    const reply = replyOf(endless);
    const pump = setInterval(() => endless.writable && endless.write('a'.repeat(10_000)), 1);
    expect(await reply).toMatchObject({ status: 413, body: '{"error":"The body is larger than 1000 bytes"}' });
    if (!endless.closed) await once(endless, 'close');
    clearInterval(pump);
    expect(await ask(session, '/functions/Echo', { text: 'next' })).toMatchObject({ status: 200 });
  });

  it(proves('http.limits', 'Expect: 100-continue is answered'), async () => {
    const session = open(await start());
    const stream = send(session, '/functions/Echo', { expect: '100-continue' });
    await once(stream, 'continue');
    stream.end('{"text":"x"}');
    expect(await replyOf(stream)).toMatchObject({ status: 200, body: '{"result":{"text":"x"}}' });
  });

  it(proves('http.limits', 'slow requests get 408, and a connection without requests is closed'), async () => {
    const host = await start({ headersTimeout: 300, requestTimeout: 300 });
    const session = open(host);
    const slow = send(session, '/functions/Echo');
    slow.write('{');
    expect(await replyOf(slow)).toMatchObject({ status: 408, body: '{"error":"The request did not arrive in time"}' });
    const pings = setInterval(() => session.destroyed || session.ping(() => {}), 20);
    await once(session, 'close');
    clearInterval(pings);
    // Half of the preface, and then nothing; nor does it close the connection when the server does.
    const options = { port: Number(new URL(host.url).port), rejectUnauthorized: false, ALPNProtocols: ['h2'] };
    const socket = connectTls(Object.assign(options, { allowHalfOpen: true }));
    closing.push(() => socket.destroy());
    socket.on('error', () => {}).write('PRI * HTTP/2.0\r\n');
    await once(socket, 'secureConnect');
    const connections = promisify((done: (error: Error | null, count: number) => void) =>
      host.server.getConnections(done),
    );
    expect(await connections()).toBe(1);
    await expect.poll(connections, { timeout: 5000 }).toBe(0);
  });

  it(proves('http.limits', 'headers over the limit end the request, not the server'), async () => {
    const host = await start();
    const session = open(host);
    const large = { x: 'a'.repeat(20_000) };
    expect(await ask(session, '/healthz', undefined, large)).toMatchObject({ status: 431 });
    // Node resets what is even larger.
    const huge = send(session, '/healthz', { x: 'a'.repeat(60_000), y: 'a'.repeat(60_000) });
    await new Promise((resolve) => huge.once('close', resolve));
    expect(await ask(open(host), '/healthz')).toMatchObject({ status: 200 });
  });

  it(proves('http.drain', 'finishes running calls, and closes the connection'), async () => {
    const host = await start();
    const session = open(host);
    const idle = open(host);
    await once(idle, 'connect');
    const running = ask(session, '/functions/Wait', {});
    await untilRunning();
    const drained = host.drain();
    await once(session, 'goaway');
    setTimeout(() => waiting.running[0]!(), 100);
    expect(await running).toMatchObject({ status: 200, body: '{"result":"done"}' });
    expect(await drained).toBe(true);
    await expect.poll(() => [session.closed, idle.closed]).toEqual([true, true]);
  });

  it(proves('http.drain', 'does not wait for an incomplete request'), async () => {
    const host = await start();
    const session = open(host);
    send(session, '/functions/Echo').write('{');
    await ask(session, '/healthz');
    expect(await host.drain()).toBe(true); // false after the limit
  });

  it(proves('http.drain', 'cuts off calls that do not end, and says so'), async () => {
    const host = await start({ drain: 300 });
    const session = open(host);
    const running = ask(session, '/functions/Wait', {}).catch(() => 'cut off');
    await untilRunning();
    expect(await host.drain()).toBe(false);
    session.destroy();
    await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 100))]);
    await expect.poll(() => waiting.aborted).toBe(1);
  });

  it(proves('http.two', 'survives frames that break the protocol'), async () => {
    const host = await start();
    const port = Number(new URL(host.url).port);
    for (const sent of [
      'GET / HTTP/1.1\r\n\r\n',
      `PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n${'\xff'.repeat(100)}`,
      '\0'.repeat(64),
    ]) {
      const socket = connectTls({ port, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
      socket.on('error', () => {}).write(Buffer.from(sent, 'latin1'));
      socket.resume();
      await once(socket, 'close');
    }
    // Requests that are reset as soon as they are made.
    const session = open(host);
    await once(session, 'connect');
    for (let i = 0; i < 500 && !session.closed; i++) {
      send(session, '/functions/Wait').close(constants.NGHTTP2_CANCEL);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(await ask(open(host), '/functions/Echo', { text: 'x' })).toMatchObject({ status: 200 });
  });
});
