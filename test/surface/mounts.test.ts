import { once } from 'node:events';
import { connect } from 'node:net';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createApp, defineFunction } from 'everywire';
import type { App, Limits } from 'everywire';
import { createServer } from 'everywire/node';
import type { NodeHost, ServeOptions } from 'everywire/node';
import { afterEach, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

const hosts: NodeHost[] = [];
let finish = () => {};
let running = 0;

afterEach(async () => {
  finish();
  await Promise.all(hosts.splice(0).map((host) => host.drain()));
});

function appOf(name: string, limits: Partial<Limits> = {}): App {
  const who = defineFunction({
    name: 'Who',
    description: 'Who answers',
    input: { type: 'object', properties: { text: { type: 'string', description: 'Ignored' } } },
    output: { type: 'string', description: 'A name' },
    run: () => name,
  });
  const wait = defineFunction({
    name: 'Wait',
    description: 'Waits to be told',
    output: { type: 'string', description: 'A name' },
    run: () => {
      running++;
      return new Promise<string>((resolve) => (finish = () => resolve(name)));
    },
  });
  return createApp({ name, version: '1.0.0', functions: [who, wait], limits }) as App;
}

async function start(apps: Record<string, App>, options: ServeOptions = {}): Promise<string> {
  const host = await createServer(apps, { port: 0, ...options });
  hosts.push(host);
  return host.url;
}

async function ask(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  return [response.status, await response.json()];
}

const who = (url: string, text = '') =>
  ask(`${url}/functions/Who`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text }),
  });

/** A request line as no client library would send it. */
async function raw(url: string, target: string): Promise<string> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write(`POST ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nConnection: close\r\n\r\n`);
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk: string) => void (text += chunk));
  await once(socket, 'close');
  return text;
}

describe('several apps on one port', () => {
  it(proves('http.mounts', 'each has its own path, document and MCP endpoint'), async () => {
    const url = await start({ '/v1': appOf('one'), '/v2/': appOf('two') });
    expect(await who(`${url}/v1`)).toEqual([200, { result: 'one' }]);
    expect(await who(`${url}/v2`)).toEqual([200, { result: 'two' }]);
    for (const [path, title] of [
      ['/v1', 'one'],
      ['/v2', 'two'],
    ]) {
      const document = await fetch(`${url}${path}/openapi.json`);
      expect(await document.json()).toMatchObject({ info: { title }, servers: [{ url: path }] });
      const client = new Client({ name: 'mounts', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(`${url}${path}/mcp`)));
      const { structuredContent } = await client.callTool({ name: 'functions.Who' });
      expect(structuredContent).toEqual({ result: title });
      await client.close();
    }
  });

  it(proves('http.mounts', 'the longest path wins, and a path is whole segments'), async () => {
    const url = await start({ '/v1': appOf('one'), '/v1/beta': appOf('beta'), '/': appOf('root') });
    expect(await who(`${url}/v1/beta`)).toEqual([200, { result: 'beta' }]);
    expect(await who(`${url}/v1`)).toEqual([200, { result: 'one' }]);
    expect(await who(url)).toEqual([200, { result: 'root' }]);
    expect(await ask(`${url}/v10/functions/Who`, { method: 'POST' })).toMatchObject([404, {}]);
    for (const path of ['/v1', '/v1/', '/v1?x=/functions/Who'])
      expect(await ask(url + path)).toEqual([404, { error: 'No such path: /' }]);
    expect(await raw(url, '/v1//functions/Who')).toContain('404 Not Found');
    expect(await raw(url, 'http://localhost/v1/functions/Who')).toContain('{"result":"one"}');
    expect(await raw(url, 'http://evil.example/v1/functions/Who')).toContain('403 Forbidden');
  });

  it(proves('http.mounts', 'what is in no app is 404, and health is that of the server'), async () => {
    const url = await start({ '/v1': appOf('one') });
    expect(await ask(`${url}/healthz`)).toEqual([200, { status: 'ok' }]);
    expect(await ask(`${url}/readyz`)).toEqual([200, { status: 'ready' }]);
    expect(await ask(`${url}/v1/healthz`)).toEqual([200, { status: 'ok' }]);
    for (const path of ['/', '/openapi.json', '/mcp', '/functions/Who', '/v10/functions/Who', '/v1functions/Who'])
      expect(await ask(url + path, { method: 'POST' })).toEqual([404, { error: `No such path: ${path}` }]);
    expect(await raw(url, '*')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it(proves('http.mounts', 'each has its own limit for bodies'), async () => {
    const url = await start({ '/small': appOf('small', { body: 50 }), '/large': appOf('large') });
    const text = 'a'.repeat(100);
    expect(await who(`${url}/small`, text)).toEqual([413, { error: 'The body is larger than 50 bytes' }]);
    expect(await who(`${url}/large`, text)).toEqual([200, { result: 'large' }]);
  });

  it(proves('http.mounts', 'drain waits for the calls of every app'), async () => {
    const url = await start({ '/v1': appOf('one'), '/v2': appOf('two') });
    const before = running;
    const call = ask(`${url}/v2/functions/Wait`, { method: 'POST' });
    while (running === before) await new Promise((resolve) => setTimeout(resolve, 5));
    const drained = hosts.splice(0)[0]!.drain();
    setTimeout(() => finish(), 50);
    expect(await call).toEqual([200, { result: 'two' }]);
    expect(await drained).toBe(true);
    await expect(fetch(url)).rejects.toThrow();
  });

  it(proves('http.mounts', 'paths are checked before anything listens'), async () => {
    const wrong = (apps: unknown) => createServer(apps as never, { port: 0 });
    const app = appOf('one');
    await expect(wrong({})).rejects.toThrow('createServer needs at least one app');
    await expect(wrong(app)).rejects.toThrow("such as { '/v1': app }; serve(app) serves a single one");
    await expect(wrong({ v1: app })).rejects.toThrow('must be a path such as "/api", not "v1"');
    await expect(wrong({ '/v1': app, '/v1/': app })).rejects.toThrow('two apps have the path "/v1"');
    await expect(wrong({ '/v1': {} })).rejects.toThrow('what is given for "/v1" is not an app');
    await expect(wrong({ '/healthz': app })).rejects.toThrow('"/healthz" belongs to the whole server');
  });
});
