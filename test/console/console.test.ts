import { serve, type NodeHost } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Server } from '../access/issuer.ts';
import { app, ran } from '../browser/app.ts';
import { servePages } from '../browser/pages.ts';
import { hasChromium } from '../kit/chromium.ts';
import { proves } from '../promises.ts';
import { CLIPBOARD, ConsoleTest, copied, fillForm, shell, violationsIn } from './open-console.ts';

// A short look in Chromium. The other tests in it take minutes: *.full.test.ts here and in browser/.
const MODULE = 'test/apps/console.ts';
const INPUT = { text: `it's "quoted" \\n $HOME 🎉`, list: [1, 2.5], flag: true };
const BODY = JSON.stringify({ result: INPUT });

describe.skipIf(!hasChromium)('the console, in Chromium', () => {
  const at = new ConsoleTest(MODULE);

  it(proves('console.usable', 'a call needs no mouse, and the page fits a phone and a screen reader'), async () => {
    const page = await at.open('', { viewport: { width: 375, height: 812 } });
    await page.getByLabel('Search functions').focus();
    await page.keyboard.type('echo');
    for (const key of ['ArrowDown', 'Enter']) await page.keyboard.press(key);
    await page.locator('.call').waitFor();
    await fillForm(page, INPUT);
    await page.keyboard.press('Control+Enter');
    await page.locator('.answer').waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await violationsIn(page)).toEqual([]);
  });

  it(proves('console.wires', 'the commands that are copied print the body that the form receives'), async () => {
    const page = await at.show('Echo', INPUT, CLIPBOARD);
    expect(await at.call()).toBe(BODY);
    for (const wire of ['curl', 'Command line']) expect(await shell(await copied(page, wire), process.env)).toBe(BODY);
    const cgi = await shell(await copied(page, 'CGI'), process.env);
    expect(cgi.split('\r\n\r\n')[1]).toBe(BODY);
    expect(await at.compare()).toEqual({ verdict: 'All 7 equal', leftOut: [] });
  });

  it(proves('console.safe', 'what functions are called and return is shown as text'), async () => {
    const page = await at.show('Hostile');
    expect(await page.locator('.lead').innerText()).toContain('<script>alert(1)</script>');
    expect(await at.call()).toContain('<img src=x onerror=alert(2)>');
    expect(await page.locator('main script, main img[src=x], a[href^="javascript"]').count()).toBe(0);
  });
});

describe.skipIf(!hasChromium)('a page, in Chromium', () => {
  const at = new ConsoleTest(MODULE);
  let pages: Server;
  let host: NodeHost;
  beforeAll(async () => {
    pages = await servePages(new Map());
    host = await serve(app, { port: 0, cors: { origins: [pages.url] } });
  });
  afterAll(async () => {
    await pages?.[Symbol.asyncDispose]();
    await host?.drain();
  });

  it(proves('http.browser', 'that is allowed calls a function and MCP; one of another origin does not'), async () => {
    const calls = async (origin: string) => {
      const page = await at.browser.openUnwatched(origin);
      return page.evaluate(async (url) => {
        const post = async (path: string, body: object) => {
          const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
          return fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) }).then(
            (response) => response.text(),
            (error: Error) => error.message,
          );
        };
        const params = { name: 'functions.Add', arguments: { x: 1, y: 2 } };
        return {
          http: await post('/functions/Add', { x: 1, y: 2 }),
          mcp: await post('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
        };
      }, host.url);
    };
    ran.count = 0;
    expect(await calls(pages.url)).toEqual({ http: '{"result":3}', mcp: expect.stringContaining('{"result":3}') });
    expect(ran.count).toBe(2);
    const blocked = { http: 'Failed to fetch', mcp: 'Failed to fetch' };
    // By its other name, the same page has another origin.
    expect(await calls(pages.url.replace('127.0.0.1', 'localhost'))).toEqual(blocked);
    expect(ran.count).toBe(2);
  });
});
