import { once } from 'node:events';
import { createServer, request as sendRequest } from 'node:http';
import type { IncomingMessage, RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import fastifyCors from '@fastify/cors';
import { getRequestListener } from '@hono/node-server';
import koaCors from '@koa/cors';
import cors from 'cors';
import { createApp, defineFunction } from 'everywire';
import { toNodeHandler } from 'everywire/node';
import express from 'express';
import Fastify from 'fastify';
import { Hono } from 'hono';
import { cors as honoCors } from 'hono/cors';
import Koa from 'koa';
import { afterAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

// Behind the real middlewares, which decide which origins may call.

const ORIGIN = 'https://page.example';

const app = createApp({
  name: 'Shared',
  version: '1.0.0',
  functions: [
    defineFunction({
      name: 'Hello',
      description: 'Says hello',
      output: { type: 'string', description: 'Hello' },
      run: () => 'hello',
    }),
  ],
});

const handle = toNodeHandler(app, { base: '/api' });

const OUTER: Record<string, () => RequestListener | Promise<RequestListener>> = {
  express() {
    const outer = express();
    outer.use(cors({ origin: ORIGIN }));
    return outer.use('/api', toNodeHandler(app));
  },
  async fastify() {
    const outer = Fastify();
    await outer.register(fastifyCors, { origin: [ORIGIN] });
    outer.all('/api/*', (request, reply) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value ?? '');
      handle(Object.assign(request.raw, { body: request.body }), reply.raw);
    });
    await outer.ready();
    return outer.routing.bind(outer);
  },
  koa() {
    const outer = new Koa();
    outer.use(koaCors({ origin: ORIGIN }));
    outer.use((context) => {
      context.respond = false;
      handle(context.req, context.res);
    });
    return outer.callback();
  },
  hono() {
    const outer = new Hono();
    outer.use(honoCors({ origin: ORIGIN }));
    outer.all('/api/*', (context) => app.fetch(context.req.raw, { base: '/api' }));
    return getRequestListener(outer.fetch);
  },
};

const servers: Server[] = [];
afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Sends a request as a browser does; returns the status, and every header that CORS is about. */
async function send(url: string, method: string, headers: Record<string, string>, body = '') {
  const request = sendRequest(url, { method, headers }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  const names = response.rawHeaders.filter((_value, i) => i % 2 === 0).map((name) => name.toLowerCase());
  return {
    status: response.statusCode,
    allowed: response.headers['access-control-allow-origin'],
    vary: response.headers.vary?.toLowerCase().split(/, */),
    twice: names.filter((name, i) => names.indexOf(name) < i),
    cors: names.filter((name) => name.startsWith('access-control-')),
  };
}

describe.each(Object.keys(OUTER))('behind the CORS of %s', (name) => {
  it(proves('embed.cors', 'a page of an allowed origin calls, and another one is refused by its browser'), async () => {
    const server = createServer(await OUTER[name]!()).listen(0, '127.0.0.1');
    servers.push(server);
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/functions/Hello`;
    const json = { 'content-type': 'application/json' };
    const asks = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };

    const preflight = await send(url, 'OPTIONS', { origin: ORIGIN, ...asks });
    expect(preflight).toMatchObject({ status: 204, allowed: ORIGIN, twice: [] });
    const called = await send(url, 'POST', { origin: ORIGIN, ...json }, '{}');
    expect(called).toMatchObject({ status: 200, allowed: ORIGIN, twice: [] });
    expect(called.vary).toContain('origin');
    // Hono's own header replaces ours.
    if (name !== 'hono') expect(called.vary).toContain('accept');
    const failed = await send(`${url}X`, 'POST', { origin: ORIGIN, ...json }, '{}');
    expect(failed).toMatchObject({ status: 404, allowed: ORIGIN, twice: [] });

    // Never sent by a browser: it has asked before, and was not allowed.
    expect((await send(url, 'POST', { origin: 'https://evil.example', ...json }, '{}')).status).toBe(200);
    // Sent without asking: cross-site request forgery.
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', undefined]) {
      const forged = await send(url, 'POST', { origin: 'https://evil.example', ...(type && { 'content-type': type }) });
      expect([403, 415]).toContain(forged.status);
    }
  });
});
