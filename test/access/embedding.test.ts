import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createApp } from 'everywire';
import { toNodeHandler } from 'everywire/node';
import express from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import app, { keys, options } from '../apps/access.ts';
import calculator from '../../examples/calculator/app.ts';
import { modern, tool } from '../mcp/mcp-post.ts';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';

expectErrors(/the store is down|was not recognised within 10000 ms|The id of a principal must be a string/);

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
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

  it(proves('access.outer', 'keeps nothing of a principal for the next request'), async () => {
    const served = createApp(options);
    const statuses = [];
    for (const principal of [{ id: 'ann', scopes: ['read'] }, undefined, { id: 'bob' }])
      statuses.push((await served.fetch(read(), { principal })).status);
    expect(statuses).toEqual([200, 401, 403]);
  });

  it.each([
    ['Bun', { requestIP: () => ({ address: '192.0.2.7', family: 'IPv4', port: 1 }) }],
    ['Deno', { remoteAddr: { transport: 'tcp', hostname: '192.0.2.7', port: 1 } }],
  ])(proves('access.caller', 'knows the address that a runtime passes on: %s'), async (_runtime, info) => {
    const response = await app.fetch(new Request('http://localhost/functions/WhoAmI'), info);
    expect(await response.text()).toContain('"address":"192.0.2.7"');
  });
});
