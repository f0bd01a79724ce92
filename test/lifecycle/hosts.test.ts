import { createApp, type App, type AppOptions } from 'everywire';
import { createServer, serve, toNodeHandler } from 'everywire/node';
import { describe, expect, it, vi } from 'vitest';
import { startServer } from '../access/issuer.ts';
import { asJson } from '../kit/as-json.ts';
import { fn, integer, object, record, silent } from '../kit/functions.ts';
import { throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';

let running = 0;

/** An app that notes what happens, in a list that apps may share. */
function noting(notes: string[], name = 'app', options: Partial<AppOptions> = {}): App {
  return createApp({
    name,
    version: '1',
    log: silent,
    functions: [
      fn('Wait', { input: object({ ms: integer }, []), output: record }, async ({ ms = 0 }, { deps }) => {
        running++;
        await new Promise((resolve) => setTimeout(resolve, ms));
        notes.push(`${name} called`);
        return deps;
      }),
    ],
    start: ({ env }) => {
      notes.push(`${name} start`);
      return { a: env.get('A') };
    },
    stop: () => void notes.push(`${name} stop`),
    ...options,
  }) as App;
}

const post = async (url: string, input: object = {}) => (await fetch(url, asJson(input))).text();

describe('serve', () => {
  it(proves('lifecycle.process', 'starts the app with its environment before it listens; drain stops it'), async () => {
    const notes: string[] = [];
    const app = noting(notes);
    const host = await serve(app, { port: 0, env: { A: '1' } });
    expect(notes).toEqual(['app start']);
    const answer = post(`${host.url}/functions/Wait`, { ms: 100 });
    await vi.waitFor(() => expect(running).toBe(1), { timeout: 10_000 });
    expect(await host.drain()).toBe(true);
    expect(await answer).toBe('{"result":{"a":"1"}}');
    expect(notes).toEqual(['app start', 'app called', 'app stop']);
    // It can be served again.
    const again = await serve(app, { port: 0 });
    expect(await post(`${again.url}/functions/Wait`)).toBe('{"result":{}}');
    await again.drain();
    expect(notes.slice(3)).toEqual(['app start', 'app called', 'app stop']);
  });

  it(proves('lifecycle.process', 'leaves an app running that somebody else has started'), async () => {
    const notes: string[] = [];
    const app = noting(notes);
    await app.start();
    const hosts = [await serve(app, { port: 0 }), await serve(app, { port: 0 })];
    for (const host of hosts) await host.drain();
    expect(await app.call('Wait')).toMatchObject({ ok: true });
    expect(notes).toEqual(['app start', 'app called']);
    await app.close();
    expect(notes).toEqual(['app start', 'app called', 'app stop']);
  });

  it(proves('lifecycle.process', 'stops an app that calls have started'), async () => {
    const notes: string[] = [];
    const app = noting(notes);
    await app.call('Wait');
    await (await serve(app, { port: 0 })).drain();
    expect(notes).toEqual(['app start', 'app called', 'app stop']);
  });

  it(proves('lifecycle.process', 'does not listen if start fails, and stops the app if it cannot listen'), async () => {
    const notes: string[] = [];
    const failing = noting(notes, 'app', { start: throwing(new Error('no database')) });
    await expect(serve(failing, { port: 0 })).rejects.toThrow('no database');
    expect(notes.splice(0)).toEqual(['app stop']);
    await using other = await startServer(() => {});
    const port = Number(new URL(other.url).port);
    await expect(serve(noting(notes), { port })).rejects.toThrow('EADDRINUSE');
    expect(notes).toEqual(['app start', 'app stop']);
  });
});

describe('createServer', () => {
  it(proves('lifecycle.process', 'starts and stops every app'), async () => {
    const notes: string[] = [];
    const host = await createServer({ '/v1': noting(notes, 'v1'), '/v2': noting(notes, 'v2') }, { port: 0 });
    expect(notes.splice(0).toSorted()).toEqual(['v1 start', 'v2 start']);
    expect(await post(`${host.url}/v2/functions/Wait`)).toBe('{"result":{}}');
    await host.drain();
    expect(notes.toSorted()).toEqual(['v1 stop', 'v2 called', 'v2 stop']);
  });

  it(proves('lifecycle.process', 'stops the others if one cannot start; the same app twice starts once'), async () => {
    const notes: string[] = [];
    const failing = noting(notes, 'v2', { start: throwing(new Error('no database')) });
    const apps = { '/v1': noting(notes, 'v1'), '/v2': failing };
    await expect(createServer(apps, { port: 0 })).rejects.toThrow('no database');
    expect(notes.splice(0).toSorted()).toEqual(['v1 start', 'v1 stop', 'v2 stop']);
    const twice = noting(notes);
    await (await createServer({ '/a': twice, '/b': twice }, { port: 0 })).drain();
    expect(notes).toEqual(['app start', 'app stop']);
  });
});

it(proves('lifecycle.process', 'an embedded app starts with its first call; the embedder stops it'), async () => {
  const notes: string[] = [];
  const app = noting(notes);
  {
    await using stopped = app;
    await using server = await startServer(toNodeHandler(app, { environment: { env: { A: '2' } } }));
    await (await fetch(`${server.url}/openapi.json`)).text();
    expect(notes).toEqual([]);
    expect(await post(`${server.url}/functions/Wait`)).toBe('{"result":{"a":"2"}}');
    expect(stopped.needsStop).toBe(true);
  }
  expect(notes).toEqual(['app start', 'app called', 'app stop']);
  const late = await app.fetch(new Request('http://localhost/functions/Wait', { method: 'POST' }));
  expect([late.status, late.headers.get('retry-after')]).toEqual([503, '1']);
});
