import { once } from 'node:events';
import { connect } from 'node:net';
import { createApp, defineFunction } from 'everywire';
import type { Limits } from 'everywire';
import { serve } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { afterEach, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';

const hosts: NodeHost[] = [];
let finish: (() => void) | undefined;

/** Resolves once a call of Wait is running. */
async function waiting(): Promise<void> {
  while (!finish) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function start(limits: Partial<Limits> = {}): Promise<NodeHost> {
  const echo = defineFunction({
    name: 'Echo',
    description: 'Echoes',
    input: { type: 'object', properties: { text: { type: 'string', description: 'Text' } } },
    output: { description: 'What arrived' },
    run: (input) => input,
  });
  const wait = defineFunction({
    name: 'Wait',
    description: 'Waits to be told',
    output: { type: 'string', description: 'Done' },
    run: () => new Promise<string>((resolve) => (finish = () => resolve('done'))),
  });
  const app = createApp({ name: 'Host', version: '1.0.0', functions: [echo, wait], limits });
  const host = await serve(app, { port: 0 });
  hosts.push(host);
  return host;
}

afterEach(async () => {
  finish?.();
  finish = undefined;
  await Promise.all(hosts.splice(0).map((host) => host.drain()));
});

/** Sends raw bytes. Returns what the server sends until it closes, or until `enough` matches. */
async function raw(host: NodeHost, sent: string | readonly string[], enough?: RegExp): Promise<string> {
  const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (enough?.test(text)) socket.end();
  });
  socket.on('error', () => {});
  for (const part of typeof sent === 'string' ? [sent] : sent) {
    if (!socket.destroyed) socket.write(part);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  if (!socket.closed) await once(socket, 'close');
  return text;
}

const post = (body: string, more = '') =>
  `POST /functions/Echo HTTP/1.1\r\nHost: localhost\r\n${more}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('the Node host', () => {
  it.each([
    ['what is not HTTP', 'HELLO\r\n\r\n', 400, 'Malformed HTTP request'],
    [
      'large headers',
      `GET / HTTP/1.1\r\nHost: localhost\r\nX: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'The headers are too large',
    ],
    ['a missing Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'The Host header is missing'],
    ['CONNECT', 'CONNECT a.example:443 HTTP/1.1\r\nHost: a.example\r\n\r\n', 405, 'This server is not a proxy'],
    ['a request that never ends', post('{}').slice(0, -1), 408, 'The request did not arrive in time'],
  ])(proves('http.json-errors', 'responds in JSON to %s'), async (_title, sent, status, message) => {
    const reply = await raw(await start({ headersTimeout: 300, requestTimeout: 300 }), sent);
    expect(reply).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\r\neverywire-error-code: [A-Z_]+\r\n`, 'i'));
    expect(reply).toMatch(new RegExp(`\r\n\r\n\\{"error":"${message}"\\}$`));
  });

  it(proves('http.limits', 'refuses a large chunked body, and keeps the connection'), async () => {
    const host = await start({ body: 100 });
    const chunk = `64\r\n${'a'.repeat(100)}\r\n`;
    const reply = await raw(
      host,
      [
        'POST /functions/Echo HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
        chunk,
        chunk,
        '0\r\n\r\n',
        post('{"text":"next"}', 'Connection: close\r\n'),
      ],
      /next/,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
    expect(reply).toContain('{"error":"The body is larger than 100 bytes"}');
    expect(reply).toContain('{"result":{"text":"next"}}');
  });

  it(proves('http.limits', 'refuses a large body before it is sent, with Expect: 100-continue'), async () => {
    const host = await start({ body: 100 });
    const reply = await raw(
      host,
      'POST /functions/Echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 1000\r\n\r\n',
      /bytes"\}/,
    );
    expect(reply).toMatch(/^HTTP\/1\.1 413 /);
  });

  it(proves('http.limits', 'accepts Expect: 100-continue'), async () => {
    const host = await start();
    const head = post('{"text":"hi"}', 'Expect: 100-continue\r\nConnection: close\r\n').replace('{"text":"hi"}', '');
    const reply = await raw(host, [head, '{"text":"hi"}']);
    expect(reply).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/);
  });

  it(proves('http.keep-alive', 'serves several requests on one connection, also after an error'), async () => {
    const reply = await raw(
      await start(),
      post('{"text":"one"}') + post('{broken') + post('{"text":"two"}', 'Connection: close\r\n'),
    );
    expect(reply.match(/\{"(?:result|error)":[^\r]*\}/g)).toEqual([
      '{"result":{"text":"one"}}',
      '{"error":"Invalid JSON body"}',
      '{"result":{"text":"two"}}',
    ]);
  });

  it(proves('http.loopback', 'listens on 127.0.0.1'), async () => {
    const { url } = await start();
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it(proves('http.drain', 'exits even if its stderr is closed'), async () => {
    const served = await startServing('examples/calculator/app.ts');
    served.child.stderr?.destroy();
    expect(await served.stop()).toBe(0);
  });

  it(proves('http.drain', 'finishes running calls, and takes no new ones'), async () => {
    const host = await start();
    const call = fetch(`${host.url}/functions/Wait`, { method: 'POST' });
    await waiting();
    const drained = host.drain();
    const knock = () =>
      fetch(`${host.url}/readyz`).then(
        ({ status }) => status,
        () => 'refused',
      );
    expect([503, 'refused']).toContain(await knock()); // a connection from the backlog is still served
    await expect.poll(knock).toBe('refused');
    finish?.();
    const response = await call;
    expect(await response.text()).toBe('{"result":"done"}');
    expect(response.headers.get('connection')).toBe('close');
    expect(await drained).toBe(true);
  });

  it(proves('http.drain', 'finishes all pipelined calls, and refuses later ones'), async () => {
    const finishing: (() => void)[] = [];
    const app = createApp({
      name: 'Pipelined',
      version: '1.0.0',
      functions: [
        defineFunction({
          name: 'Wait',
          description: 'Waits to be told',
          input: { type: 'object', properties: { id: { type: 'integer', description: 'Which' } } },
          output: { type: 'integer', description: 'The same' },
          run: ({ id }) => new Promise<number>((resolve) => finishing.push(() => resolve(id!))),
        }),
      ],
    });
    const host = await serve(app, { port: 0 });
    const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
    const wait = (id: number) => post(`{"id":${id}}`).replace('Echo', 'Wait');
    socket.write(wait(1) + wait(2) + wait(3));
    await expect.poll(() => finishing.length).toBe(3);
    const drained = host.drain();
    socket.write(wait(4));
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const end of finishing.toReversed()) end();
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text.match(/HTTP\/1\.1 \d+|\{.*?\}|connection: close/gi)).toEqual([
      ...[1, 2, 3].flatMap((id) => ['HTTP/1.1 200', `{"result":${id}}`]),
      'HTTP/1.1 503',
      'connection: close',
      '{"error":"The server is stopping"}',
    ]);
    expect(await drained).toBe(true);
  });

  it(proves('http.drain', 'does not wait for idle connections'), async () => {
    const host = await start();
    const silent = connect(Number(new URL(host.url).port), '127.0.0.1');
    await once(silent, 'connect');
    silent.on('error', () => {});
    await fetch(`${host.url}/healthz`);
    expect(await host.drain()).toBe(true);
  });

  it(proves('http.drain', 'does not wait for an incomplete request'), async () => {
    const host = await start();
    const half = connect(Number(new URL(host.url).port), '127.0.0.1');
    half.on('error', () => {}).write('POST /functions/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await host.drain()).toBe(true);
  });

  it(proves('http.json-errors', 'survives clients that disconnect before the response'), async () => {
    const host = await start();
    for (const sent of ['CONNECT a:1 HTTP/1.1\r\nHost: localhost\r\n\r\n', 'GARBAGE\r\n\r\n', post('{"text":"x"}')]) {
      for (let i = 0; i < 20; i++) {
        const socket = connect(Number(new URL(host.url).port), '127.0.0.1');
        socket.on('error', () => {});
        await once(socket, 'connect');
        socket.write(sent);
        setImmediate(() => socket.resetAndDestroy());
        await once(socket, 'close');
      }
    }
    expect((await fetch(`${host.url}/healthz`)).status).toBe(200);
  });

  it(proves('http.keep-alive', 'responds to a slow call before the garbage that follows it'), async () => {
    const host = await start();
    const wait = 'POST /functions/Wait HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n';
    const reply = raw(host, `${wait}GARBAGE\r\n\r\n`);
    await waiting();
    await new Promise((resolve) => setTimeout(resolve, 30));
    finish?.();
    expect(await reply).toMatch(/^HTTP\/1\.1 200 OK[\s\S]+\{"result":"done"\}HTTP\/1\.1 400 /);
  });

  it(proves('http.limits', 'responds to a body that never ends'), async () => {
    const host = await start({ body: 100 });
    const head = 'POST /functions/Echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n';
    const reply = await raw(host, [head, 'a'.repeat(5000)]);
    expect(reply).toMatch(/^HTTP\/1\.1 413 [\s\S]+connection: close[\s\S]+larger than 100 bytes"\}$/i);
  });

  it(proves('http.json-errors', 'ignores unknown expectations'), async () => {
    const reply = await raw(await start(), post('{"text":"x"}', 'Expect: cake\r\nConnection: close\r\n'));
    expect(reply).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it(proves('http.host-origin', 'ignores case, port and trailing dot of a host'), async () => {
    const app = createApp({ name: 'Hosts', version: '1.0.0', functions: [] });
    const host = await serve(app, { port: 0, hosts: ['Api.Example', 'x.test:8080'] });
    hosts.push(host);
    for (const [name, status] of [
      ['api.example', 200],
      ['API.EXAMPLE.:1', 200],
      ['x.test:9', 200],
      ['example', 403],
    ] as const) {
      const reply = await raw(host, `GET /healthz HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`);
      expect(reply).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    }
  });

  it(proves('http.drain', 'cuts off calls that exceed the drain limit'), async () => {
    const host = await start({ drain: 50 });
    const call = fetch(`${host.url}/functions/Wait`, { method: 'POST' }).catch(() => 'cut');
    await waiting();
    expect(await host.drain()).toBe(false);
    expect(await call).toBe('cut');
  });
});
