import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { defineResource, forms, type Limits } from 'everywire';
import type { NodeHost } from 'everywire/node';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { canCertify, createCertificate, type Certificate } from '../kit/certificates.ts';
import { fn, string } from '../kit/functions.ts';
import { startHost, stopHosts, waiting } from '../kit/host-app.ts';
import { dial, postText, raw, requestText } from '../kit/raw.ts';
import { startServing } from '../kit/served.ts';
import { proves } from '../promises.ts';

let certificate: Certificate;
beforeAll(() => {
  if (canCertify) certificate = createCertificate();
});
afterEach(stopHosts);

const post = (body: string, ...more: readonly string[]) => postText('/functions/Echo', body, ...more);
const wait = (id?: number) => postText('/functions/Wait', id === undefined ? '' : `{"id":${id}}`);
const running = (count = 1) => expect.poll(() => waiting.running.length).toBe(count);

const CHUNK = 'x'.repeat(65_536);
/** More than the system keeps for a connection. */
const LONG = CHUNK.repeat(300);
let open = 0;
async function* endless<T>(chunk: T) {
  open++;
  try {
    for (;;) yield chunk;
  } finally {
    open--;
  }
}
const functions = [
  fn('Text', { output: string }, () => LONG),
  fn('Chunks', { output: string }, () => endless(CHUNK)),
  fn('File', { output: { ...forms.file, description: 'f' } }, () => ({ stream: endless(Buffer.from(CHUNK)) })),
];
const read = () => Buffer.from(LONG);
const resources = [defineResource({ uri: 'long://x', name: 'Long', description: 'Long', mimeType: 'a/b', read })];
const SHORT = { headersTimeout: 300, requestTimeout: 300, body: 100 };

describe.each(canCertify ? ['http', 'https'] : ['http'])('a server of %s', (scheme) => {
  const start = (limits: Partial<Limits> = {}): Promise<NodeHost> =>
    startHost({ limits, functions, resources }, scheme === 'https' ? { tls: certificate } : {});

  it.each([
    ['what is not HTTP', 'HELLO\r\n\r\n', 400, 'Malformed HTTP request'],
    ['large headers', requestText('GET /', ['Host: a', `X: ${'a'.repeat(20_000)}`]), 431, 'The headers are too large'],
    ['a missing Host', requestText('GET /', ['Connection: close']), 400, 'The Host header is missing'],
    ['CONNECT', requestText('CONNECT a.example:443', ['Host: a.example']), 405, 'This server is not a proxy'],
    ['a request that never ends', post('{}').slice(0, -1), 408, 'The request did not arrive in time'],
    ['headers that never end', 'GET /healthz HTTP/1.1\r\nHost: local', 408, 'The request did not arrive in time'],
    ['a large body', post('a'.repeat(200), 'Connection: close'), 413, 'The body is larger than 100 bytes'],
  ])(proves('http.json-errors', 'responds in JSON to %s'), async (_title, sent, status, message) => {
    const reply = await raw((await start(SHORT)).url, sent);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\neverywire-error-code: [A-Z_]+\r\n`, 'i'));
    expect(reply).toMatch(new RegExp(`\r\n\r\n\\{"error":"${message}"\\}$`));
  });

  it(proves('http.keep-alive', 'a client that half-closes gets its responses'), async () => {
    const { socket, rest } = dial((await start()).url, true);
    socket.end(wait() + wait());
    await running(2);
    await sleep(500); // longer than until the first probe
    expect(waiting.aborted).toBe(0);
    for (const end of waiting.running) end();
    const text = await rest();
    expect(text).toContain('HTTP/1.1 102 Processing');
    expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(text.match(/\{"result":"done"\}/g)).toHaveLength(2);
    expect(waiting.aborted).toBe(0);
  });

  it.each([
    ['destroy', '1.1'],
    ['destroy', '1.0'],
    ...(scheme === 'http' ? [['resetAndDestroy', '1.1'] as const] : []),
  ] as const)(proves('failure.cancelled', 'cancelled when its client leaves: %s, HTTP/%s'), async (leave, version) => {
    const { socket } = dial((await start()).url);
    socket.write(wait().replace('HTTP/1.1', `HTTP/${version}`));
    await running();
    socket[leave]();
    await expect.poll(() => waiting.aborted).toBe(1);
  });

  it(proves('failure.cancelled', 'calls and streams behind another response end with their connection'), async () => {
    const { socket, rest } = dial((await start()).url);
    const chunks = postText('/functions/Chunks', '', 'Accept: text/event-stream');
    socket.write(wait().repeat(61) + chunks.repeat(19) + postText('/functions/File').repeat(20));
    await running(61);
    await expect.poll(() => open).toBe(39);
    // One more than may be in progress.
    socket.write(wait());
    await rest();
    await expect.poll(() => [waiting.aborted, open]).toEqual([61, 0]);
  });

  it(proves('http.drain', 'finishes its calls; idle connections and handshakes do not count'), async () => {
    const { url, drain } = await start();
    const others = [dial(url), dial(url.replace('https', 'http'))];
    await Promise.all(others.map(({ socket }) => once(socket, 'connect')));
    const { socket, text } = dial(url);
    socket.write(wait());
    await running();
    const drained = drain();
    setTimeout(() => waiting.running[0]!(), 100);
    expect(await drained).toBe(true); // false after the limit
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK[^]*connection: close[^]*\{"result":"done"\}$/i);
    for (const other of others) other.socket.destroy();
  });
});

describe('the Node host', () => {
  const start = (limits: Partial<Limits> = {}) => startHost({ limits });

  it(proves('http.limits', 'refuses a large chunked body, and keeps the connection'), async () => {
    const { url } = await start({ body: 100 });
    const chunk = `64\r\n${'a'.repeat(100)}\r\n`;
    const head = requestText('POST /functions/Echo', ['Host: localhost', 'Transfer-Encoding: chunked']);
    const parts = [head, chunk, chunk, '0\r\n\r\n', post('{"text":"next"}', 'Connection: close')];
    const reply = await raw(url, parts, /next/);
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('{"error":"The body is larger than 100 bytes"}');
    expect(reply).toContain('{"result":{"text":"next"}}');
  });

  const hello = '{"text":"hi"}';
  const asking = post(hello, 'Expect: 100-continue', 'Connection: close');
  it.each([
    ['Expect: continue', 1000, [asking.replace(hello, ''), hello], /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/],
    ['a large body before it is sent', 10, [asking.replace(hello, '')], /^HTTP\/1\.1 413 /],
    [
      'a body that never ends',
      100,
      [post('').replace('Length: 0', 'Length: 100000'), 'a'.repeat(5000)],
      /^HTTP\/1\.1 413 [\s\S]+connection: close[\s\S]+larger than 100 bytes"\}$/i,
    ],
    ['Upgrade', 1000, [post('{}', 'Upgrade: h2c', 'Connection: Upgrade')], /^HTTP\/1\.1 200 OK[^]+connection: close/i],
    ['unknown expectations', 1000, [post('{}', 'Expect: cake', 'Connection: close')], /^HTTP\/1\.1 200 OK/],
  ])(proves('http.limits', 'answers %s'), async (_title, body, sent, reply) => {
    expect(await raw((await start({ body })).url, sent, /bytes"\}/)).toMatch(reply);
  });

  it(proves('http.keep-alive', 'serves several requests on one connection, also after an error'), async () => {
    const sent = post('{"text":"one"}') + post('{broken') + post('{"text":"two"}', 'Connection: close');
    const expected = ['{"result":{"text":"one"}}', '{"error":"Invalid JSON body"}', '{"result":{"text":"two"}}'];
    expect((await raw((await start()).url, sent)).match(/\{"(?:result|error)":[^\r]*\}/g)).toEqual(expected);
  });

  it(proves('http.loopback', 'listens on 127.0.0.1'), async () => {
    expect((await start()).url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it(proves('http.drain', 'exits even if its stderr is closed'), async () => {
    const served = await startServing('examples/calculator/app.ts');
    served.child.stderr?.destroy();
    expect(await served.stop()).toBe(0);
  });

  it(proves('http.drain', 'takes no new calls'), async () => {
    const { url, drain } = await start();
    const call = fetch(`${url}/functions/Wait`, { method: 'POST' });
    await running();
    const drained = drain();
    const knock = async () => (await fetch(`${url}/readyz`).catch(() => ({ status: 'refused' }))).status;
    expect([503, 'refused']).toContain(await knock()); // a connection from the backlog is still served
    await expect.poll(knock).toBe('refused');
    waiting.running[0]!();
    expect(await (await call).text()).toBe('{"result":"done"}');
    expect(await drained).toBe(true);
  });

  it(proves('http.limits', 'a call is answered although a body behind it is far too large'), async () => {
    const { url } = await start({ body: 1000 });
    const { socket, rest } = dial(url);
    const large = postText('/functions/Echo', 'x'.repeat(40_000));
    socket.write(postText('/functions/Wait', '{}', 'Content-Type: application/json') + large.slice(0, 30_000));
    await expect.poll(() => waiting.running.length).toBe(1);
    await sleep(1500); // longer than a client has that keeps sending
    expect(waiting.aborted).toBe(0);
    waiting.running[0]!();
    expect((await rest()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 413']);
  });

  it(proves('http.limits', 'a refusal that is compressed is sent once, however much follows'), async () => {
    const { url } = await startHost({ limits: { body: 10 } }, { compression: { from: 0 } });
    const chunk = `64\r\n${'x'.repeat(100)}\r\n`;
    const lines = ['Host: localhost', 'Accept-Encoding: gzip', 'Upgrade: x', 'Transfer-Encoding: chunked'];
    const sent = Array.from({ length: 20 }, () => chunk.repeat(20));
    const reply = await raw(url, [requestText('POST /functions/Echo', lines), ...sent]);
    expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 413']);
  });

  it.each([
    ['a missing Host', ['Content-Length: 500000']],
    ['a body that is not wanted', ['Host: localhost', 'Expect: 100-continue', 'Content-Length: 500000']],
  ])(proves('failure.cancelled', 'a disconnect is noticed behind %s'), async (_what, lines) => {
    const { url } = await start({ body: 1000 });
    const { socket } = dial(url);
    socket.write(postText('/functions/Wait', '{}', 'Content-Type: application/json'));
    await expect.poll(() => waiting.running.length).toBe(1);
    socket.write(requestText('POST /functions/Echo', lines, 'x'.repeat(400_000)));
    await sleep(200);
    socket.destroy();
    await expect.poll(() => waiting.aborted).toBe(1);
  });

  it(proves('http.drain', 'finishes all pipelined calls, and refuses later ones'), async () => {
    const { url, drain } = await start();
    const { socket, rest } = dial(url);
    socket.write(wait(1) + wait(2) + wait(3));
    await running(3);
    const drained = drain();
    socket.write(wait(4));
    await sleep(100);
    for (const end of waiting.running.toReversed()) end();
    expect((await rest()).match(/HTTP\/1\.1 \d+|\{.*?\}|connection: close/gi)).toEqual([
      ...[1, 2, 3].flatMap((id) => ['HTTP/1.1 200', `{"result":${id}}`]),
      'HTTP/1.1 503',
      'connection: close',
      '{"error":"The server is stopping"}',
    ]);
    expect(await drained).toBe(true);
  });

  it(proves('http.drain', 'does not wait for an incomplete request'), async () => {
    const { url, drain } = await start();
    dial(url).socket.write(post('{"text":"x"}').slice(0, -5));
    await sleep(50);
    expect(await drain()).toBe(true);
  });

  it(proves('http.json-errors', 'survives clients that disconnect before the response'), async () => {
    const { url } = await start();
    for (const sent of [requestText('CONNECT a:1', ['Host: localhost']), 'GARBAGE\r\n\r\n', post('{"text":"x"}')]) {
      for (let i = 0; i < 20; i++) {
        const { socket, rest } = dial(url);
        await once(socket, 'connect');
        socket.write(sent);
        setImmediate(() => socket.resetAndDestroy());
        await rest();
      }
    }
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
  });

  it(proves('http.keep-alive', 'responds to a slow call before the garbage that follows it'), async () => {
    const reply = raw((await start()).url, `${wait()}GARBAGE\r\n\r\n`);
    await running();
    await sleep(30);
    waiting.running[0]!();
    expect(await reply).toMatch(/^HTTP\/1\.1 200 OK[\s\S]+\{"result":"done"\}HTTP\/1\.1 400 /);
  });

  it.each([
    ['api.example', 200],
    ['API.EXAMPLE.:1', 200],
    ['x.test:9', 200],
    ['example', 403],
  ])(proves('http.host-origin', 'ignores case, port and trailing dot of a host: %s'), async (name, status) => {
    const { url } = await startHost({}, { hosts: ['Api.Example', 'x.test:8080'] });
    const reply = await raw(url, requestText('GET /healthz', [`Host: ${name}`, 'Connection: close']));
    expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  });

  it(proves('http.drain', 'cuts off calls that exceed the drain limit'), async () => {
    const { url, drain } = await start({ drain: 50 });
    const call = fetch(`${url}/functions/Wait`, { method: 'POST' }).catch(() => 'cut');
    await running();
    expect(await drain()).toBe(false);
    expect(await call).toBe('cut');
  });
});

describe.runIf(canCertify).each(['HTTP/1.1', 'HTTP/2'])('over %s', (version) => {
  const start = (responseTimeout: number) =>
    startHost({ limits: { responseTimeout }, functions, resources }, { tls: certificate });
  const MCP = 'application/json, text/event-stream';
  const RPC = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"functions.Text","arguments":{}}}';

  it.each([
    ['a result', 'POST /functions/Text', '*/*', ''],
    ['a file', 'POST /functions/File', '*/*', ''],
    ['events', 'POST /functions/Chunks', 'text/event-stream', ''],
    ['lines', 'POST /functions/Chunks', 'application/x-ndjson', ''],
    ['a resource', 'GET /resources/long%3A%2F%2Fx', '*/*', ''],
    ['a tool call', 'POST /mcp', MCP, RPC],
    ['a stream of MCP', 'POST /mcp', MCP, RPC.replace('{}', '{},"_meta":{"progressToken":1}')],
  ])(proves('http.unread', '%s is cut off if nobody reads it'), async (_title, line, accept, body) => {
    const { url, server } = await start(300);
    const connections = promisify((done: (error: Error | null, count: number) => void) => server.getConnections(done));
    const [method = '', path = ''] = line.split(' ');
    if (version === 'HTTP/2') {
      const session = connect(url, { rejectUnauthorized: false, settings: { initialWindowSize: 0 } });
      session.on('error', () => {});
      const headers = { ':method': method, ':path': path, accept, 'content-type': 'application/json' };
      session
        .request(headers)
        .on('error', () => {})
        .end(body);
      await once(session, 'connect');
    } else {
      const { socket } = dial(url);
      await once(socket, 'secureConnect');
      socket.pause().write(postText(path, body, `Accept: ${accept}`).replace('POST', method));
    }
    await expect.poll(async () => [await connections(), open]).toEqual([0, 0]);
  });

  it(proves('http.unread', 'a client that reads slowly gets everything'), async () => {
    const { url } = await start(500);
    const session = connect(url, { rejectUnauthorized: false });
    const received =
      version === 'HTTP/2'
        ? session.request({ ':method': 'POST', ':path': '/functions/Text' }).end()
        : await new Promise<IncomingMessage>((resolve) => {
            request(`${url}/functions/Text`, { method: 'POST', rejectUnauthorized: false }, resolve).end();
          });
    let size = 0;
    for await (const chunk of received) {
      size += (chunk as Buffer).length;
      await sleep((chunk as Buffer).length / 16_384);
    }
    expect(size).toBeGreaterThan(LONG.length);
    session.destroy();
  });
});
