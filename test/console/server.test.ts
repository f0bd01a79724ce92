import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createApp } from 'everywire';
import { apiKeys } from 'everywire/access';
import { createServer, type NodeHost } from 'everywire/node';
import { proves } from '../promises.ts';
import { asJson } from '../kit/as-json.ts';
import { sharedServer } from '../kit/broker.ts';
import { fn, hashOf } from '../kit/functions.ts';
import { startHost, stopHosts } from '../kit/host-app.ts';

const open = fn('Open', { scopes: 'public' }, () => {});
const closed = fn('Closed', { scopes: ['write'] }, () => {});
const plain = fn('Plain', {}, () => {});

const app = (console?: boolean) =>
  createApp({ name: 'App', version: '1.0.0', functions: [plain], ...(console !== undefined && { console }) });

const key = (id: string, scopes: readonly string[]) => ({ [hashOf(`${id}-key`)]: { id, scopes } });
const guarded = createApp({
  name: 'Guarded',
  version: '1.0.0',
  functions: [open, closed],
  console: true,
  access: {
    hide: true,
    authenticators: [apiKeys({ keys: { ...key('watcher', ['everywire:console']), ...key('writer', ['write']) } })],
    local: { id: 'me', scopes: ['*'] },
  },
});

const status = async (url: string, init?: RequestInit) => (await fetch(url, { redirect: 'manual', ...init })).status;
const SECRETS = ['--env', 'SECRET=canary', '--env', 'OTHER=can=ary'];
const PROXY_HEADERS = ['X-Forwarded-For', 'X-Forwarded-Proto', 'Via', 'Forwarded', 'X-Real-IP', 'CF-Connecting-IP'];
const LOOPBACK = { console: { show: 'loopback' } } as const;
const HTML = { headers: { accept: 'text/html,*/*;q=0.8' } };

describe('the server of the console', () => {
  let shown: NodeHost;
  let rules: NodeHost;
  beforeAll(async () => {
    [shown, rules] = await Promise.all([startHost(app(true)), startHost(guarded)]);
  });
  afterEach(() => void vi.unstubAllEnvs());
  afterAll(stopHosts);

  it.each([
    ['the app says so', true, undefined, 200],
    ['the app does not say so', undefined, undefined, 404],
    ['the server says so', undefined, true, 200],
    ['the server says no', true, false, 404],
    ['the machine is alone', undefined, LOOPBACK.console, 200],
    ['the machine is alone, and the app says no', false, LOOPBACK.console, 404],
  ])(proves('console.shown', 'is there if %s'), async (_, ofApp, ofServer, expected) => {
    const { url, consoleUrl } = await startHost(app(ofApp), { console: ofServer });
    expect(await status(`${url}/console/`)).toBe(expected);
    expect(consoleUrl).toBe(expected === 200 ? `${url}/console/` : undefined);
    expect(await status(`${url}/`, HTML)).toBe(expected === 200 ? 302 : 404);
  });

  it(proves('console.shown', 'is not there by default in production, or for other machines'), async () => {
    vi.stubEnv('NODE_ENV', 'production');
    const { url: production } = await startHost(app(), LOOPBACK);
    expect(await status(`${production}/console/`)).toBe(404);
    vi.unstubAllEnvs();
    const { url } = await startHost(app(), { ...LOOPBACK, host: '0.0.0.0' });
    expect(await status(`${url.replace('0.0.0.0', '127.0.0.1')}/console/`)).toBe(404);
  });

  it(proves('console.shown', 'is not there by default for whom a proxy passes on'), async () => {
    const { url } = await startHost(app(), LOOPBACK);
    for (const header of PROXY_HEADERS)
      expect(await status(`${url}/console/`, { headers: { [header]: 'for=192.0.2.1' } })).toBe(404);
    const named = await startHost(app(), { ...LOOPBACK, hosts: ['127.0.0.1', 'app.example'] });
    expect(await status(`${named.url}/console/`)).toBe(404);
    const trusting = await startHost(app(), { ...LOOPBACK, trustProxy: ['127.0.0.1'] });
    expect(await status(`${trusting.url}/console/`)).toBe(404);
    expect(await status(`${shown.url}/console/`, { headers: { 'x-forwarded-for': '192.0.2.1' } })).toBe(200);
  });

  it(proves('console.shown', 'programs get what they always got at /, and browsers are led to the page'), async () => {
    const program = await fetch(`${shown.url}/`);
    expect([program.status, await program.text()]).toEqual([404, '{"error":"No such path: /"}']);
    const page = await fetch(`${shown.url}/`, HTML);
    expect(page.url).toBe(`${shown.url}/console/`);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await status(`${shown.url}/console/../package.json`)).toBe(404);
    expect(await status(`${shown.url}/console/%2e%2e/index.js`)).toBe(404);
    expect(await status(`${shown.url}/console/`, { method: 'POST' })).toBe(405);
    expect(await status(`${shown.url}/console/api/constructor`)).toBe(404);
  });

  it(proves('console.shown', 'everywire serve shows it, unless --no-console'), async () => {
    const found = [[], ['--no-console']].map(async (flags) =>
      status(`${await sharedServer('examples/calculator/app.ts', ...flags)}/console/`),
    );
    expect(await Promise.all(found)).toEqual([200, 404]);
  });

  it(proves('console.safe', 'has a strict policy, no cookie, an ETag, and is compressed'), async () => {
    for (const name of ['', 'main.js', 'console.css', 'icon.svg']) {
      const response = await fetch(`${shown.url}/console/${name}`);
      const { headers } = response;
      expect(headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('set-cookie')).toBeNull();
      const again = await fetch(response.url, { headers: { 'if-none-match': headers.get('etag')! } });
      expect(again.status).toBe(304);
      if (name.startsWith('main')) expect(headers.get('content-encoding')).toBeTruthy();
      expect(await response.text()).not.toMatch(/\beval\(|new Function\(|<script>/);
    }
  });

  it(proves('console.safe', 'has less than 150 KiB in all, compressed'), async () => {
    const { gzipSync } = await import('node:zlib');
    const names = ['', 'main.js', 'plots.js', 'console.css', 'icon.svg'];
    const texts = await Promise.all(names.map(async (name) => (await fetch(`${shown.url}/console/${name}`)).text()));
    expect(texts.reduce((sum, text) => sum + gzipSync(text).length, 0)).toBeLessThan(150 * 1024);
  });

  it.each([
    ['another origin', { origin: 'https://evil.example' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this machine', { origin: 'http://localhost:1' }],
  ])(proves('console.safe', 'refuses %s'), async (_, headers) => {
    expect(await status(`${shown.url}/console/api/catalogue`, { headers: headers as never })).toBe(403);
  });

  it(proves('console.safe', 'asks the access rules of the app'), async () => {
    const as = (who?: string) => (who ? { headers: { 'x-api-key': `${who}-key` } } : {});
    const names = async (who?: string) => {
      const found = await (await fetch(`${rules.url}/console/api/catalogue`, as(who))).json();
      return (found as { functions: { name: string }[] }).functions.map(({ name }) => name);
    };
    expect(await names()).toEqual(['Open']);
    expect(await names('writer')).toEqual(['Open', 'Closed']);
    expect(await status(`${rules.url}/console/api/function/Closed`)).toBe(404);
    expect(await status(`${rules.url}/console/api/function/Closed`, as('writer'))).toBe(200);
    for (const path of ['events', 'configurations']) {
      expect(await status(`${rules.url}/console/api/${path}`)).not.toBe(200);
      expect(await status(`${rules.url}/console/api/${path}`, as('writer'))).not.toBe(200);
    }
    expect(await status(`${rules.url}/console/api/catalogue`, as('stranger'))).toBe(401);
    expect(await status(`${rules.url}/console/api/configurations`, as('watcher'))).toBe(200);
  });

  it(proves('console.safe', 'starts no process for an app that was not loaded from a module'), async () => {
    const body = '{"function":"Plain","input":{}}';
    expect(await status(`${shown.url}/console/api/compare`, { method: 'POST', body })).toBe(404);
  });

  it(proves('console.safe', 'compares wires as the caller, never as the user who started the server'), async () => {
    const url = await sharedServer('test/apps/console-access.ts', ...SECRETS);
    const compare = async (headers: Record<string, string>) => {
      const response = await fetch(`${url}/console/api/compare`, asJson({ function: 'WhoAmI', input: {} }, headers));
      return { status: response.status, text: await response.text() };
    };
    expect((await compare({})).status).toBe(401);
    expect((await compare({ 'x-api-key': 'reader-key' })).status).toBe(403);
    for (const [headers, who] of [
      [{ 'x-api-key': 'watcher-key' }, 'watcher'],
      [{ authorization: 'Bearer none' }, 'none'],
    ] as const) {
      const { text } = await compare(headers);
      const { results } = JSON.parse(text) as { results: readonly { readonly body: string }[] };
      expect(results.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => `{"result":"${who}"}`));
      expect(text).not.toContain('owner');
    }
  });

  it(proves('console.safe', 'shows the names of variables, and not their values'), async () => {
    const url = await sharedServer('test/apps/console-access.ts', ...SECRETS);
    const headers = { 'x-api-key': 'watcher-key' };
    const text = await (await fetch(`${url}/console/api/configurations`, { headers })).text();
    expect(text).toMatch(/--env\\",\\n +\\"SECRET\\",\\n +\\"--env\\",\\n +\\"OTHER\\"/);
    expect(text).not.toMatch(/can|ary"/);
  });

  it(proves('console.safe', 'without access rules, whom a proxy passes on learns and starts nothing'), async () => {
    const url = await sharedServer('examples/calculator/app.ts', '--console');
    const ask = async (path: string, headers: Record<string, string>, init?: RequestInit) => {
      const response = await fetch(`${url}/console/api/${path}`, { headers, ...init });
      return { status: response.status, text: await response.text() };
    };
    const call = { method: 'POST', body: '{"function":"Add","input":{"x":1,"y":2}}' };
    for (const name of PROXY_HEADERS) {
      const headers = { [name]: '203.0.113.9' };
      expect((await ask('compare', headers, call)).status).toBe(404);
      expect((await ask('configurations', headers)).text).toBe('{"configurations":[]}');
      const { app: facts } = JSON.parse((await ask('catalogue', headers)).text) as { app: object };
      expect(facts).not.toHaveProperty('command');
      expect(facts).not.toHaveProperty('module');
    }
    // The same server, for this machine.
    expect(JSON.parse((await ask('catalogue', {})).text)).toHaveProperty('app.module');
  });

  it(proves('console.shown', 'is below the path of each app of a server'), async () => {
    const host = await createServer({ '/v1': app(true), '/v2': app(false), '/deep/down': app(true) }, { port: 0 });
    onTestFinished(() => void host.drain());
    expect(await status(`${host.url}/v1/console/`)).toBe(200);
    expect(await status(`${host.url}/v2/console/`)).toBe(404);
    for (const found of ['/v1', '/v1/', '/v1?a=b', '/v1/console', '/deep/down', '/deep/down/'])
      expect((await fetch(host.url + found, HTML)).url).toMatch(/^[^?]*\d(\/v1|\/deep\/down)\/console\/$/);
  });

  it(proves('console.live', 'nobody notices in a response that somebody watches'), async () => {
    const { url } = await startHost(app(true));
    const call = async () => {
      const response = await fetch(`${url}/functions/Plain`, { method: 'POST' });
      return [...response.headers].filter(([name]) => name !== 'date');
    };
    const before = await call();
    await fetch(`${url}/console/api/catalogue`);
    expect(await call()).toEqual(before);
  });
});
