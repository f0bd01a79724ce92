import type { IncomingMessage, RequestListener } from 'node:http';
import { serve, toNodeHandler, type NodeHost } from 'everywire/node';
import express from 'express';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import app, { keys } from '../apps/access.ts';
import calculator from '../../examples/calculator/app.ts';
import { modern, tool } from '../mcp/mcp-post.ts';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { sharedServer } from '../kit/broker.ts';
import { command } from '../kit/command.ts';
import { startServing } from '../kit/served.ts';
import { startServer, type Server } from './issuer.ts';

expectErrors(/the store is down|was not recognised within 10000 ms|The id of a principal must be a string/);

const servers: Server[] = [];
afterEach(async () => void (await Promise.all(servers.splice(0).map((server) => server[Symbol.asyncDispose]()))));

async function listening(listener: RequestListener): Promise<string> {
  const server = await startServer(listener);
  servers.push(server);
  return server.url;
}

/** The server around the app knows its users by a cookie. */
const byCookie = ({ headers: { cookie = '' } }: Pick<IncomingMessage, 'headers'>) => {
  const user = /^user=(\w+)$/.exec(cookie)?.[1];
  if (user === 'broken') throw new Error('the store is down');
  return user === undefined ? undefined : { id: user, scopes: user === 'ann' ? ['read'] : [] };
};

const ask = async (url: string, headers: Record<string, string> = {}, name = 'Read?id=1') => {
  const response = await fetch(`${url}/functions/${name}`, { headers });
  return `${response.status} ${await response.text()}`;
};

describe('toNodeHandler', () => {
  it.each([
    ['at once', byCookie],
    ['later', async (request: IncomingMessage) => byCookie(request)],
  ])(proves('access.outer', 'takes the principal from the server around: %s'), async (_when, principal) => {
    const server = express();
    server.use('/api', toNodeHandler(app, { principal }));
    const url = `${await listening(server)}/api`;
    expect(await ask(url, { cookie: 'user=ann' })).toBe('200 {"result":"1"}');
    expect(await ask(url, { cookie: 'user=bob' })).toBe('403 {"error":"This needs the scope read"}');
    expect(await ask(url, { cookie: 'user=ann' }, 'WhoAmI')).toContain('"id":"ann","kind":"server"');
    // Who is not known there may have a key of the app.
    expect(await ask(url, { 'x-api-key': keys.reader })).toBe('200 {"result":"1"}');
    expect(await ask(url)).toBe('401 {"error":"Authentication is required"}');
    // What the server around knows comes first, also if the credential is for somebody else.
    expect(await ask(url, { cookie: 'user=ann', authorization: 'Basic YTpi' })).toBe('200 {"result":"1"}');
    expect(await ask(url, { cookie: 'user=broken' }, 'WhoAmI')).toBe(
      '503 {"error":"Credentials cannot be checked at the moment"}',
    );
  });

  it(proves('access.outer', 'for MCP too'), async () => {
    const url = await listening(toNodeHandler(app, { principal: byCookie }));
    const call = (cookie: string) => modern(url, tool('Read', { id: '1' }), undefined, { cookie });
    expect((await call('user=ann')).status).toBe(200);
    expect((await call('user=bob')).status).toBe(403);
    expect((await call('')).status).toBe(401);
  });

  it(proves('access.outer', 'refuses the call if it takes too long'), async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const pending = app.fetch(new Request('http://localhost/functions/WhoAmI'), {
        principal: () => new Promise(() => {}),
      });
      await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0), { timeout: 5000 });
      await vi.advanceTimersByTimeAsync(10_001);
      expect((await pending).status).toBe(503);
    } finally {
      vi.useRealTimers();
    }
  });

  it(proves('access.outer', 'refuses what is no principal'), async () => {
    const url = await listening(toNodeHandler(app, { principal: () => ({ id: '' }) }));
    expect(await ask(url, {}, 'WhoAmI')).toMatch(/^503 /);
  });

  it(proves('access.outer', 'needs access rules'), () => {
    expect(() => toNodeHandler(calculator, { principal: byCookie })).toThrow(
      'toNodeHandler: principal needs createApp({ access: { … } }), which says who may call what',
    );
    expect(() => toNodeHandler(app, { principal: 'ann' as never })).toThrow('The id of a principal must be a string');
  });
});

describe('app.fetch', () => {
  const read = () => new Request('http://localhost/functions/Read?id=1');

  it(proves('access.outer', 'takes a principal, or a function'), async () => {
    expect((await app.fetch(read(), { principal: { id: 'ann', scopes: ['read'] } })).status).toBe(200);
    expect((await app.fetch(read(), { principal: { id: 'bob' } })).status).toBe(403);
    expect((await app.fetch(read(), { principal: () => undefined })).status).toBe(401);
    expect((await app.fetch(read(), { principal: (request) => ({ id: request.url, scopes: ['*'] }) })).status).toBe(
      200,
    );
    await expect(app.fetch(read(), { principal: { id: 'x', scopes: 'read' as never } })).rejects.toThrow('scopes');
    await expect(calculator.fetch(read(), { principal: { id: 'x' } })).rejects.toThrow('principal needs createApp');
  });

  it.each([
    ['Bun', { requestIP: () => ({ address: '192.0.2.7', family: 'IPv4', port: 1 }) }],
    ['Deno', { remoteAddr: { transport: 'tcp', hostname: '192.0.2.7', port: 1 } }],
  ])(proves('access.caller', 'knows the address that a runtime passes on: %s'), async (_runtime, info) => {
    const response = await app.fetch(new Request('http://localhost/functions/WhoAmI'), info);
    expect(await response.text()).toContain('"address":"192.0.2.7"');
  });
});

async function seen(url: string, headers: Record<string, string>): Promise<[string, string]> {
  const response = await fetch(`${url}/functions/WhoAmI`, { headers });
  const { result } = (await response.json()) as { result: { address: string; scheme: string } };
  return [result.address, result.scheme];
}

describe('a server that trusts a proxy on this machine, and a network', () => {
  let host: NodeHost;
  beforeAll(async () => void (host = await serve(app, { port: 0, trustProxy: ['127.0.0.1', '10.0.0.0/8'] })));
  afterAll(() => host.drain());

  it.each([
    ['nothing', {}, '127.0.0.1', 'http'],
    ['an address', { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }, '192.0.2.1', 'https'],
    ['a claim of the client', { 'x-forwarded-for': '6.6.6.6, 192.0.2.1' }, '192.0.2.1', 'http'],
    ['two proxies', { 'x-forwarded-for': '6.6.6.6, 192.0.2.1, 10.9.9.9' }, '192.0.2.1', 'http'],
    ['only proxies', { 'x-forwarded-for': '10.1.1.1, 10.9.9.9' }, '10.1.1.1', 'http'],
    ['IPv6', { 'x-forwarded-for': '2001:db8::1' }, '2001:db8::1', 'http'],
    ['IPv6 with a port', { 'x-forwarded-for': '[2001:db8::1]:443' }, '2001:db8::1', 'http'],
    ['IPv4 with a port', { 'x-forwarded-for': '192.0.2.1:443' }, '192.0.2.1', 'http'],
    ['IPv4 as IPv6', { 'x-forwarded-for': '::ffff:192.0.2.1' }, '192.0.2.1', 'http'],
    ['nonsense', { 'x-forwarded-for': '192.0.2.1, unknown' }, '127.0.0.1', 'http'],
    ['nonsense before a proxy', { 'x-forwarded-for': 'x, 10.9.9.9' }, '10.9.9.9', 'http'],
    ['another scheme', { 'x-forwarded-proto': 'gopher' }, '127.0.0.1', 'http'],
    ['two schemes', { 'x-forwarded-proto': 'https, http' }, '127.0.0.1', 'http'],
    ['RFC 7239', { forwarded: 'for=6.6.6.6, for="[2001:db8::1]:80";proto=https;by=x' }, '2001:db8::1', 'https'],
    ['RFC 7239 in capitals', { forwarded: 'Proto=HTTPS;For=192.0.2.1' }, '192.0.2.1', 'https'],
    ['a comma in quotes', { forwarded: 'for=192.0.2.1;by="a, for=6.6.6.6"' }, '192.0.2.1', 'http'],
    ['a quote that the client opens', { forwarded: 'for=6.6.6.6;a=", for="192.0.2.1:80"' }, '192.0.2.1', 'http'],
    ['a field in quotes', { forwarded: 'by="a;for=6.6.6.6;proto=https";for=192.0.2.1' }, '192.0.2.1', 'http'],
    ['an escaped quote', { forwarded: 'for=6.6.6.6, for=192.0.2.1;by="a\\"b"' }, '127.0.0.1', 'http'],
    ['a hidden client', { forwarded: 'for=_hidden' }, '127.0.0.1', 'http'],
    ['both headers, alike', { forwarded: 'for=192.0.2.1', 'x-forwarded-for': '192.0.2.1' }, '192.0.2.1', 'http'],
    ['both headers, different', { forwarded: 'for=6.6.6.6', 'x-forwarded-for': '192.0.2.1' }, '127.0.0.1', 'http'],
  ])(proves('access.proxy', 'believes it: %s'), async (_what, headers, address, scheme) => {
    expect(await seen(host.url, headers)).toEqual([address, scheme]);
  });

  it(proves('access.proxy', 'takes time in proportion to the header'), async () => {
    const forwarded = `for=1;${'a="b,;'.repeat(1000)}`;
    expect(await seen(host.url, { forwarded, 'x-forwarded-for': ','.repeat(7000) })).toEqual(['127.0.0.1', 'http']);
  });
});

it.each([[undefined], [[]], [['10.0.0.0/8', '::1']]])(
  proves('access.proxy', 'nobody else is believed: %j'),
  async (trustProxy) => {
    const host = await serve(app, { port: 0, trustProxy });
    const headers = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https', forwarded: 'for=192.0.2.1' };
    expect(await seen(host.url, headers)).toEqual(['127.0.0.1', 'http']);
    await host.drain();
  },
);

it.each([['yes'], ['0.0.0.0/0'], ['10.0.0.0/33'], ['10.0.0.0/8/8'], ['localhost'], [''], ['::/0']])(
  proves('access.proxy', 'only addresses can be trusted: %s'),
  async (given) => {
    await expect(serve(app, { port: 0, trustProxy: [given] })).rejects.toThrow(
      `trustProxy must list the addresses of proxies, such as 10.0.0.7 or 10.0.0.0/8, not ${JSON.stringify(given)}`,
    );
    await expect(serve(app, { port: 0, trustProxy: 'yes' as never })).rejects.toThrow('trustProxy must be a list');
  },
);

it(proves('access.proxy', '--trust-proxy, also several times'), async () => {
  const url = await sharedServer('test/apps/access.ts', '--trust-proxy', '10.0.0.0/8', '--trust-proxy', '127.0.0.1');
  expect(await seen(url, { 'x-forwarded-for': '192.0.2.1, 10.0.0.1' })).toEqual(['192.0.2.1', 'http']);
  const wrong = await command(['serve', 'test/apps/access.ts', '--trust-proxy', 'yes']);
  expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining('not "yes"')]);
});

describe('a server on a network', () => {
  const WARNING =
    /^warning: everybody who can reach http:\/\/0\.0\.0\.0:\d+ can call every function; createApp\(\{ access/gm;

  it.each([
    ['without access rules', 'examples/calculator/app.ts', '0.0.0.0', 1],
    ['with access rules', 'test/apps/access.ts', '0.0.0.0', 0],
    ['on this machine only', 'examples/calculator/app.ts', '127.0.0.1', 0],
  ])(proves('access.warning', 'warns once: %s'), async (_what, module, address, count) => {
    const served = await startServing(module, '--host', address);
    await served.stop();
    expect([...served.stderr().matchAll(WARNING)]).toHaveLength(count);
  });
});
