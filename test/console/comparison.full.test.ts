import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { proves } from '../promises.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';

interface Result {
  readonly wire: string;
  readonly body?: string;
  readonly problem?: string;
}

describe.skipIf(!path)('a comparison', () => {
  let browser: ConsoleBrowser;
  let server: Server;
  beforeAll(async () => {
    [browser, server] = await Promise.all([ConsoleBrowser.start(), serveModule('test/apps/console-compare.ts')]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(() => browser.expectNothingWrong());

  const compare = async (name: string, input: object, before?: (page: Page) => Promise<unknown>) => {
    const query = new URLSearchParams({ input: JSON.stringify(input) });
    const address = `${server.url}/console/#/functions/${name}?${query}`;
    const page = await browser.open(`${server.url}/console/`);
    await before?.(page);
    await page.goto('about:blank');
    await page.goto(address);
    await page.getByRole('button', { name: 'Compare wires' }).click();
    const verdict = await page.locator('[data-equal]').innerText();
    const leftOut = await page.locator('tr', { hasText: 'left out' }).locator('th').allInnerTexts();
    await page.close();
    return { verdict, leftOut };
  };
  const MODERN = ['MCP 2026-07-28', 'MCP 2026-07-28 on stdio'];
  const LEGACY = ['MCP 2025-11-25', 'MCP 2025-11-25 on stdio'];

  it(proves('console.wires', 'leaves out MCP where a file is sent as content, and says so'), async () => {
    const { verdict, leftOut } = await compare('Report', { fails: false });
    expect([verdict, leftOut.toSorted()]).toEqual(['All 3 equal', [...LEGACY, ...MODERN].toSorted()]);
    expect(await compare('Report', { fails: true })).toEqual({ verdict: 'All 7 equal', leftOut: [] });
  });

  it(proves('console.wires', 'leaves out the revision in which only clients that answer are asked'), async () => {
    expect(await compare('Ask', {})).toEqual({ verdict: 'All 5 equal', leftOut: MODERN });
  });

  it(proves('console.wires', 'compares all of a long body, also where the browser has no SHA-256'), async () => {
    expect((await compare('Long', {})).verdict).toBe('All 7 equal');
    const insecure = (page: Page) =>
      page.addInitScript(() => {
        Object.defineProperty(globalThis, 'isSecureContext', { value: false });
        Object.defineProperty(crypto, 'subtle', { value: undefined });
      });
    expect((await compare('Long', {}, insecure)).verdict).toBe('All 7 equal');
  });

  it(proves('console.wires', 'passes on a number that JavaScript would round'), async () => {
    const input = '{"n":9007199254740993}';
    const headers = { 'content-type': 'application/json' };
    const post = async (target: string, body: string) =>
      (await fetch(server.url + target, { method: 'POST', headers, body })).text();
    const expected = await post('/functions/Big', input);
    const { results } = JSON.parse(await post('/console/api/compare', `{"function":"Big","input":${input}}`)) as {
      results: readonly Result[];
    };
    expect(results.map(({ body }) => body)).toEqual(Array.from({ length: 4 }, () => expected));
  });
});
