import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { defineFunction } from 'everywire';
import type { App, Limits } from 'everywire';
import { createServer } from 'everywire/node';
import type { NodeHost } from 'everywire/node';
import { afterEach, describe, expect, it } from 'vitest';
import { asJson } from '../kit/as-json.ts';
import { createHostApp, stopHosts, waiting } from '../kit/host-app.ts';
import { raw, requestText } from '../kit/raw.ts';
import { proves } from '../promises.ts';

const hosts: NodeHost[] = [];
afterEach(async () => {
  await stopHosts();
  await Promise.all(hosts.splice(0).map((host) => host.drain()));
});

function appOf(name: string, limits: Partial<Limits> = {}): App {
  const input = { type: 'object', properties: { text: { type: 'string', description: 'Ignored' } } } as const;
  const output = { type: 'string', description: 'A name' } as const;
  const who = defineFunction({ name: 'Who', description: 'Who answers', input, output, run: () => name });
  return createHostApp({ name, functions: [who], limits });
}

async function start(apps: Record<string, App>): Promise<string> {
  const host = await createServer(apps, { port: 0 });
  hosts.push(host);
  return host.url;
}

async function ask(url: string, init?: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  return [response.status, await response.json()];
}

const who = (url: string, text = '') => ask(`${url}/functions/Who`, asJson({ text }));
const post = (url: string, target: string) =>
  raw(url, requestText(`POST ${target}`, ['Host: localhost', 'Content-Length: 0', 'Connection: close']));

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
    expect(await post(url, '/v1//functions/Who')).toContain('404 Not Found');
    expect(await post(url, 'http://localhost/v1/functions/Who')).toContain('{"result":"one"}');
    expect(await post(url, 'http://evil.example/v1/functions/Who')).toContain('403 Forbidden');
  });

  it(proves('http.mounts', 'what is in no app is 404, and health is that of the server'), async () => {
    const url = await start({ '/v1': appOf('one') });
    expect(await ask(`${url}/healthz`)).toEqual([200, { status: 'ok' }]);
    expect(await ask(`${url}/readyz`)).toEqual([200, { status: 'ready' }]);
    expect(await ask(`${url}/v1/healthz`)).toEqual([200, { status: 'ok' }]);
    for (const path of ['/', '/openapi.json', '/mcp', '/functions/Who', '/v10/functions/Who', '/v1functions/Who'])
      expect(await ask(url + path, { method: 'POST' })).toEqual([404, { error: `No such path: ${path}` }]);
    expect(await post(url, '*')).toMatch(/^HTTP\/1\.1 404 /);
  });

  it(proves('http.mounts', 'each has its own limit for bodies'), async () => {
    const url = await start({ '/small': appOf('small', { body: 50 }), '/large': appOf('large') });
    const text = 'a'.repeat(100);
    expect(await who(`${url}/small`, text)).toEqual([413, { error: 'The body is larger than 50 bytes' }]);
    expect(await who(`${url}/large`, text)).toEqual([200, { result: 'large' }]);
  });

  it(proves('http.mounts', 'drain waits for the calls of every app'), async () => {
    const url = await start({ '/v1': appOf('one'), '/v2': appOf('two') });
    const call = ask(`${url}/v2/functions/Wait`, { method: 'POST' });
    await expect.poll(() => waiting.running.length).toBe(1);
    const drained = hosts.splice(0)[0]!.drain();
    setTimeout(() => waiting.running[0]!(), 50);
    expect(await call).toEqual([200, { result: 'done' }]);
    expect(await drained).toBe(true);
    await expect(fetch(url)).rejects.toThrow();
  });

  it(proves('http.mounts', 'paths are checked before anything listens'), async () => {
    const app = appOf('one');
    for (const [apps, message] of [
      [{}, 'createServer needs at least one app'],
      [app, "such as { '/v1': app }; serve(app) serves a single one"],
      [{ v1: app }, 'must be a path such as "/api", not "v1"'],
      [{ '/v1': app, '/v1/': app }, 'two apps have the path "/v1"'],
      [{ '/v1': {} }, 'what is given for "/v1" is not an app'],
      [{ '/healthz': app }, '"/healthz" belongs to the whole server'],
    ] as const)
      await expect(createServer(apps as never, { port: 0 })).rejects.toThrow(message);
  });
});
