import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { loadApp, serve, type NodeHost, type ServeOptions } from 'everywire/node';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Server } from '../access/issuer.ts';
import { proves } from '../promises.ts';
import { app, ran } from './app.ts';
import { hasChromium, launchOptions } from '../kit/chromium.ts';
import { bundleForBrowser, servePages } from './pages.ts';

/** What a page sees of a response, or the message of the error. */
const HELPERS = `
  globalThis.call = async (path, init) => {
    try {
      const response = await fetch(path, init);
      return { status: response.status, body: await response.text(), headers: Object.fromEntries(response.headers) };
    } catch (error) {
      return error.message;
    }
  };
  globalThis.json = (body, headers = {}) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body: JSON.stringify(body),
  });
`;

const CLIENT = `
  import { createClient } from 'everywire/client';
  export async function callAll(open, closed) {
    const client = createClient(open);
    const name = (local) => open.endsWith('.json') ? 'functions.' + local : local;
    const sum = await client.call(name('Add'), { x: 1, y: 2 });
    const busy = await client.call(name('Busy'), {});
    const refused = await createClient(closed).call(name('Add'), { x: 1, y: 2 });
    return [sum.data, busy.error?.code, refused.error?.code];
  }
`;

const BLOCKED = 'Failed to fetch';
const ADD = '/functions/Add';
const NOTE = '/resources/notes%3A%2F%2Fx';
const scripts = new Map<string, string>();
const hosts: NodeHost[] = [];
/** The requests that servers received: method and headers. */
const received: Pick<IncomingMessage, 'method' | 'headers'>[] = [];
// Its flags are those of these tests: names that lead to this machine, and an address that is public.
let browser: Browser;
let context: BrowserContext;
let pages: Server;
/** Takes part in the tests of Local Network Access: to Chromium, this server is on a public address. */
let publicPages: Server;
/** A page that may call, and one of another site. */
let page: Page;
let stranger: Page;
const urls: Record<string, string> = {};

async function start(options: ServeOptions, served = app): Promise<string> {
  const host = await serve(served, { port: 0, ...options });
  host.server.on('request', ({ method, headers }: IncomingMessage) => received.push({ method, headers }));
  hosts.push(host);
  return host.url;
}

async function open(origin: string): Promise<Page> {
  const opened = await context.newPage();
  await opened.goto(`${origin}/`);
  await opened.evaluate(HELPERS);
  return opened;
}

describe.skipIf(!hasChromium)('pages in Chromium', () => {
  beforeAll(async () => {
    [pages, publicPages] = await Promise.all([servePages(scripts), servePages(scripts)]);
    const own = pages.url;
    const origins = [own, publicPages.url];
    urls['own'] = own;
    urls['stranger'] = own.replace('127.0.0.1', 'stranger.example');
    urls['closed'] = await start({});
    urls['open'] = await start({ cors: { origins, headers: ['X-Tenant'] } });
    urls['credentials'] = await start({ cors: { origins, credentials: true } });
    urls['everybody'] = await start({ cors: { origins: '*' } });
    const flags = [
      '--host-resolver-rules=MAP *.example 127.0.0.1',
      `--ip-address-space-overrides=${new URL(publicPages.url).host}=public`,
    ];
    browser = await chromium.launch(launchOptions(...flags));
    context = await browser.newContext();
    [page, stranger] = await Promise.all([open(own), open(urls['stranger'])]);
  });
  beforeEach(() => {
    received.length = 0;
    ran.count = 0;
  });
  afterAll(async () => {
    await browser?.close();
    await pages?.[Symbol.asyncDispose]();
    await publicPages?.[Symbol.asyncDispose]();
    await Promise.all(hosts.map((host) => host.drain()));
  });

  const at = (server: string, target: string, init: string) => `call('${urls[server]}${target}', ${init})`;
  const sum = `json({ x: 1, y: 2 })`;

  /** A server and a path, a request as JavaScript, and what the page sees of the response. */
  type Request = readonly [title: string, server: keyof typeof urls, target: string, init: string, seen: unknown];
  const included = `{ ...${sum}, credentials: 'include' }`;
  const busy = { 'everywire-error-code': 'BUSY', 'retry-after': '7' };
  const tooLong = '{"error":"The headers are too large"}';
  const allowed: readonly Request[] = [
    ['a call', 'open', ADD, sum, { status: 200, body: '{"result":3}' }],
    ['a failure', 'open', '/functions/Busy', `json({})`, { status: 409, body: '{"error":"Try later"}', headers: busy }],
    ['invalid arguments', 'open', ADD, `json({ x: 1 })`, { status: 400 }],
    ['no such path', 'open', '/nowhere', '{}', { status: 404, body: '{"error":"No such path: /nowhere"}' }],
    ['a wrong method', 'open', ADD, '{}', { status: 405, headers: { allow: 'POST, OPTIONS' } }],
    ['a body that is too large', 'open', ADD, `json('x'.repeat(2000))`, { status: 413 }],
    ['large headers', 'open', ADD, `json({}, { 'x-tenant': 'x'.repeat(20000) })`, { status: 431, body: tooLong }],
    ['a resource', 'open', NOTE, '{}', { status: 200, body: 'Buy milk' }],
    ['the document', 'open', '/openapi.json', '{}', { status: 200, headers: { etag: expect.any(String) } }],
    ['health', 'open', '/healthz', '{}', { status: 200, body: '{"status":"ok"}' }],
    ['a header of the app', 'open', ADD, `json({ x: 1, y: 2 }, { 'X-Tenant': 'a' })`, { status: 200 }],
    ['a token', 'open', ADD, `json({ x: 1, y: 2 }, { Authorization: 'Bearer x' })`, { status: 200 }],
    ['another header', 'open', ADD, `json({ x: 1, y: 2 }, { 'X-Other': 'a' })`, BLOCKED],
    ['another method', 'open', ADD, `{ method: 'DELETE' }`, BLOCKED],
    ['a server that allows nobody', 'closed', ADD, sum, BLOCKED],
    ['a document that nobody else may read', 'closed', '/openapi.json', '{}', BLOCKED],
    ['a call with credentials', 'credentials', ADD, included, { status: 200 }],
    ['credentials that are not allowed', 'open', ADD, included, BLOCKED],
    ['credentials for everybody', 'everybody', ADD, included, BLOCKED],
  ];
  const unread = `{ method: 'POST', mode: 'no-cors', body: '{"x":1,"y":2}' }`;
  const ofStrangers: readonly Request[] = [
    ['everybody', 'everybody', ADD, sum, { status: 200, body: '{"result":3}' }],
    ['a stranger', 'open', ADD, sum, BLOCKED],
    ['a stranger with credentials', 'credentials', ADD, included, BLOCKED],
    ['a stranger without a preflight request', 'open', ADD, `{ method: 'POST', body: '{}' }`, BLOCKED],
    ['a stranger who reads', 'open', NOTE, '{}', BLOCKED],
    ['a stranger and MCP', 'open', '/mcp', `json({ jsonrpc: '2.0', id: 1, method: 'ping' })`, BLOCKED],
    ['a stranger who does not read', 'open', ADD, unread, { status: 0, body: '' }],
  ];
  const cases = [
    ...allowed.map((one) => [...one, false] as const),
    ...ofStrangers.map((one) => [...one, true] as const),
  ];
  it.each(cases)(proves('http.browser', '%s'), async (_title, server, target, init, seen, isStranger) => {
    const result: unknown = await (isStranger ? stranger : page).evaluate(at(server, target, init));
    if (typeof seen === 'string') expect(result).toBe(seen);
    else expect(result).toMatchObject(seen as object);
    const isRun = (seen as { status?: number }).status === 200 && target === ADD;
    expect(ran.count).toBe(isRun ? 1 : 0);
  });

  it(proves('http.browser', 'cookies are sent where they are allowed'), async () => {
    await page.evaluate(`document.cookie = 'user=1; SameSite=Lax'`);
    await page.evaluate(at('credentials', '/functions/Add', `{ ...${sum}, credentials: 'include' }`));
    await page.evaluate(at('credentials', '/functions/Add', sum));
    const cookies = received.filter(({ method }) => method === 'POST').map(({ headers }) => headers.cookie);
    expect(cookies).toEqual(['user=1', undefined]);
  });

  it(proves('http.browser', 'a response that was loaded without Origin is not reused for a page'), async () => {
    const url = `${urls['open']}/openapi.json`;
    // An image is loaded without an Origin, and may stay in the cache.
    await page.evaluate(`new Promise((done) => Object.assign(new Image(), { onerror: done, src: '${url}' }))`);
    expect(await page.evaluate(`call('${url}', { cache: 'force-cache' })`)).toMatchObject({ status: 200 });
    expect(received.map(({ headers }) => headers.origin)).toEqual([undefined, urls['own']]);
  });

  it.each(['', '/mcp', '/openapi.json'])(proves('http.browser', 'our client works in a page: %s'), async (target) => {
    if (!scripts.has('/client.js')) scripts.set('/client.js', await bundleForBrowser(CLIENT));
    const seen = await page.evaluate(
      `import('/client.js').then(({ callAll }) => callAll('${urls['open']}${target}', '${urls['closed']}${target}'))`,
    );
    expect(seen).toEqual([3, 'BUSY', 'UNAVAILABLE']);
  });

  const form = (target: string, attributes: string) => `new Promise((done) => {
    const frame = Object.assign(document.createElement('iframe'), { name: 'answer' });
    document.body.append(frame);
    const form = document.body.appendChild(document.createElement('form'));
    Object.assign(form, { method: 'POST', action: '${target}', target: 'answer', ${attributes} });
    const field = document.createElement('input');
    // The body is valid JSON: the name, an equals sign and the value.
    Object.assign(field, { name: '{"x":1,"y":2,"z":"', value: '"}' });
    form.append(field);
    frame.onload = () => { frame.remove(); form.remove(); done(); };
    form.submit();
  })`;
  it.each(['text/plain', 'application/x-www-form-urlencoded'])(
    proves('http.browser', 'a form of another site is refused: %s'),
    async (type) => {
      await stranger.evaluate(form(`${urls['open']}/functions/Add`, `enctype: '${type}'`));
      await stranger.evaluate(form(`${urls['closed']}/functions/Add`, `enctype: '${type}'`));
      expect(received.map(({ method, headers }) => [method, headers.origin])).toEqual([
        ['POST', urls['stranger']],
        ['POST', urls['stranger']],
      ]);
      expect(ran.count).toBe(0);
    },
  );

  it(proves('http.browser', 'a sandboxed page is refused'), async () => {
    const seen = await stranger.evaluate(`new Promise((done) => {
      addEventListener('message', ({ data }) => done(data), { once: true });
      const frame = document.createElement('iframe');
      frame.sandbox = 'allow-scripts';
      frame.srcdoc = \`<script>
        fetch('${urls['open']}/functions/Add', { method: 'POST', body: '{}' })
          .then(() => 'read', (error) => error.message)
          .then((data) => parent.postMessage(data, '*'));
      </script>\`;
      document.body.append(frame);
    })`);
    expect([seen, received.map(({ headers }) => headers.origin)]).toEqual([BLOCKED, ['null']]);
  });

  it(proves('http.browser', 'a domain that points to this machine is refused (DNS rebinding)'), async () => {
    const { port } = new URL(urls['open']!);
    const rebound = await context.newPage();
    await rebound.goto(`http://rebound.example:${port}/healthz`);
    expect(await rebound.evaluate('document.body.innerText')).toContain('Host \\"rebound.example');
  });

  it(proves('http.browser', 'a page of a public site needs the permission of the user, and no header'), async () => {
    const origin = publicPages.url;
    const call = at('open', '/functions/Add', sum);
    const devTools = await browser.newBrowserCDPSession();
    const { browserContextIds } = await devTools.send('Target.getBrowserContexts');
    const where = { permission: { name: 'loopback-network' }, origin, browserContextId: browserContextIds[0]! };
    const allow = (setting: 'denied' | 'granted') => devTools.send('Browser.setPermission', { ...where, setting });
    await allow('denied');
    expect(await (await open(origin)).evaluate(call)).toBe(BLOCKED);
    await allow('granted');
    expect(await (await open(origin)).evaluate(call)).toMatchObject({ status: 200, body: '{"result":3}' });
    expect(received.flatMap(({ headers }) => Object.keys(headers).filter((name) => name.includes('network')))).toEqual(
      [],
    );
  });

  describe('docs/cors.md', () => {
    const text = readFileSync('docs/cors.md', 'utf8');
    const blocks = (language: string) =>
      [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, 'gm'))].map(([, block = '']) => block);
    let url: string;
    beforeAll(async () => {
      // In test/, where everywire and zod are found.
      const folder = mkdtempSync(join(resolve('test'), '.cache-cors-'));
      const [source = ''] = blocks('ts');
      writeFileSync(join(folder, 'app.ts'), source.replace('http://localhost:5173', urls['own']!));
      try {
        url = await start({ cors: { credentials: true } }, await loadApp(join(folder, 'app.ts')));
      } finally {
        rmSync(folder, { recursive: true });
      }
    });

    it.each(blocks('js').map((source) => [source.split('\n')[0], source] as const))(
      proves('http.browser', 'the page prints what the page says: %s'),
      async (_title, source) => {
        const script = await bundleForBrowser(source.replaceAll('http://localhost:8080', url));
        scripts.set('/docs.js', script);
        const reader = await open(urls['own']!);
        const printed = await reader.evaluate(`(async () => {
          const printed = [];
          console.log = (...values) => printed.push(values.map((value) => JSON.stringify(value)).join(' '));
          await import('/docs.js');
          return printed;
        })()`);
        const said = [...source.matchAll(/console\.log\(.*\/\/ (.*)/g)].map(([, comment]) => comment);
        expect(said.length).toBeGreaterThan(0);
        expect(printed).toEqual(said);
      },
    );
  });

  it(proves('stream.chunks', 'an EventSource reads a stream once, although it reconnects'), async () => {
    const seen: unknown = await page.evaluate(`new Promise((resolve) => {
      const source = new EventSource('${urls['open']}/functions/Count');
      const seen = [];
      for (const name of ['chunk', 'result']) source.addEventListener(name, ({ data }) => seen.push(name + ' ' + data));
      // It is closed by the 204 that it gets when it reconnects.
      source.onerror = () => source.readyState === EventSource.CLOSED && resolve(seen);
    })`);
    expect(seen).toEqual(['chunk 1', 'chunk 2', 'result {"result":2}']);
    expect(ran.count).toBe(1);
  });
});
