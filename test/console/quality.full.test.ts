import { request as requestTo } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp, defineFunction } from 'everywire';
import { serve, type NodeHost } from 'everywire/node';
import { startServer, type Server } from '../access/issuer.ts';
import { sharedServer } from '../kit/broker.ts';
import { hasChromium } from '../kit/chromium.ts';
import { proves } from '../promises.ts';
import { CLIPBOARD, ConsoleTest, violationsIn } from './open-console.ts';

describe.skipIf(!hasChromium)('the quality of the console', () => {
  const at = new ConsoleTest('test/apps/console.ts');

  it(proves('console.safe', 'takes no link and no name for more than it is'), async () => {
    const page = await at.show('Links');
    await at.answer();
    expect(await page.locator('.rendered img').count()).toBe(2);
    expect(
      await page.locator('.rendered a').evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href)),
    ).toEqual(['https://example.com/']);
    await page.goto(`${at.url}/console/#/functions/${encodeURIComponent('<img src=x onerror=alert(9)>')}`);
    await page.locator('main [role=alert]').waitFor();
    await page.goto(`${at.url}/console/#/%E0%A4%A?input={{{`);
  });

  it(proves('console.safe', 'an answer of five mebibytes does no harm'), async () => {
    const page = await at.show('Large');
    await at.answer();
    expect(await page.locator('.answer .facts').first().innerText()).toContain('5.0 MiB');
    expect((await page.locator('.answer pre.body').innerText()).length).toBeLessThan(200_000);
    expect(await page.getByRole('button', { name: 'Download' }).count()).toBe(1);
  });

  it(proves('console.safe', 'a token stays in memory, and is sent with calls'), async () => {
    const page = await at.show('Write', undefined, { url: await sharedServer('examples/access/app.ts') });
    await at.enterToken('writer-key');
    await page.getByRole('button', { name: 'Token set' }).waitFor();
    await page.locator('.call').waitFor();
    await page.locator('[data-pointer="/text"] input').fill('Buy tea');
    await at.answer();
    expect(await page.locator('.answer .badge').first().innerText()).toBe('OK');
    const kept = await page.evaluate(() =>
      JSON.stringify([Object.entries(localStorage), Object.entries(sessionStorage), location.href, document.cookie]),
    );
    expect(kept).not.toContain('writer-key');
    expect(await page.locator('.wires pre').innerText()).not.toContain('writer-key');
  });

  it(proves('console.safe', 'a password is not in the address nor on the screen, but is copied'), async () => {
    const page = await at.show('Login', undefined, CLIPBOARD);
    await page.locator('input[type=password]').fill('hunter2-canary');
    await at.answer();
    expect(page.url()).not.toContain('hunter2');
    expect(await page.locator('body').innerText()).not.toContain('hunter2');
    await page.getByRole('button', { name: 'Copy curl' }).click();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('hunter2-canary');
  });

  it.each(['light', 'dark'] as const)(proves('console.usable', 'axe-core finds nothing: %s'), async (colorScheme) => {
    const page = await at.show('Echo', undefined, { colorScheme });
    await at.answer();
    await at.compare();
    expect(await violationsIn(page)).toEqual([]);
    for (const [view, ready] of [
      ['functions', '.welcome'],
      ['live', '.records td'],
      ['resources', '.resources .card'],
      ['prompts', '.prompts .empty'],
      ['connect', '.copyable'],
    ] as const) {
      await page.goto(`${at.url}/console/#/${view}`);
      await page.locator(ready).first().waitFor();
      expect(await violationsIn(page), view).toEqual([]);
    }
    await page.setViewportSize({ width: 375, height: 812 }); // a phone
    for (const view of ['functions', 'live', 'connect', 'resources']) {
      await page.goto(`${at.url}/console/#/${view}`);
      await page.locator('main, .side').first().waitFor();
      expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), view).toBe(false);
    }
  });

  it(proves('console.form', 'reads and completes resources, and previews prompts'), async () => {
    const url = await sharedServer('test/apps/mcp.ts');
    const page = await at.open('#/resources', { url });
    const card = (text: string) => page.locator('.card', { hasText: text });
    await card('The note of the day').getByRole('button', { name: 'Read' }).click();
    expect(await card('The note of the day').locator('pre').innerText()).toBe('Buy milk');
    const note = card('notes://{year}/{id}');
    await note.getByLabel('year').focus();
    await note.locator('datalist option').first().waitFor({ state: 'attached' });
    const offered = await note
      .locator('option')
      .evaluateAll((all) => all.map((one) => (one as HTMLOptionElement).value));
    expect(offered).toEqual(['2025', '2026']);
    await note.getByLabel('year').fill('2026');
    await note.getByLabel('id').fill('7');
    await note.getByRole('button', { name: 'Read' }).click();
    expect(await note.getByRole('alert').innerText()).toContain('No note 7');
    await note.getByLabel('id').fill('1');
    await note.getByRole('button', { name: 'Read' }).click();
    expect(JSON.parse(await note.locator('pre').innerText())).toEqual({ year: '2026', id: '1' });
    await page.goto(`${url}/console/#/prompts`);
    await page.getByLabel('language').fill('rust');
    await page.getByRole('button', { name: 'Preview' }).click();
    expect(await page.locator('.message pre').innerText()).toBe('Review this rust code.');
    expect(await violationsIn(page)).toEqual([]);
  });

  describe('behind a proxy, with ten thousand functions', () => {
    const functions = Array.from({ length: 10_000 }, (_, i) =>
      defineFunction({ name: `Group${i % 100}.Function${i}`, description: `Number ${i}`, run: () => {} }),
    );
    let host: NodeHost;
    let proxy: Server;
    let url: string;
    beforeAll(async () => {
      const app = createApp({ name: 'Many', version: '1.0.0', functions, console: true });
      host = await serve(app, { port: 0 });
      // Takes the prefix away, as most proxies do.
      proxy = await startServer((request, response) => {
        const { method, headers } = request;
        const target = host.url + request.url!.replace(/^\/some\/prefix/, '');
        const passed = requestTo(target, { method, headers }, (found) => {
          response.writeHead(found.statusCode!, found.headers);
          found.pipe(response);
        });
        request.pipe(passed);
      });
      url = `${proxy.url}/some/prefix`;
    });
    afterAll(async () => {
      await proxy[Symbol.asyncDispose]();
      await host.drain();
    });

    it(proves('console.usable', 'lists, scrolls, searches and calls'), async () => {
      const page = await at.browser.open(`${url}/`);
      at.page = page;
      await page.waitForURL(`${url}/console/`);
      await page.locator('.side a').first().waitFor();
      expect(await page.locator('.side li').count()).toBeLessThan(100);
      await page.locator('.side .scroll').evaluate((box) => (box.scrollTop = box.scrollHeight));
      await page.locator('.side a', { hasText: 'Function9999' }).waitFor();
      await page.getByLabel('Search functions').fill('function4321');
      await page.locator('.side a').first().click();
      await page.locator('.call').waitFor();
      await at.answer();
      expect(await page.locator('.answer pre.body').innerText()).toBe('{}');
    });
  });
});
