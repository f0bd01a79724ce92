import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Page } from 'playwright-core';
import { createApp, defineFunction } from 'everywire';
import { custom } from 'everywire/access';
import { createConsole } from '../../src/console-server/create-console.ts';
import { proves } from '../promises.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';

describe('a stream of records', () => {
  it(proves('console.safe', 'ends when the credential does'), async () => {
    let isValid = true;
    const watcher = { id: 'watcher', scopes: ['everywire:console'] };
    const app = createApp({
      name: 'App',
      version: '1.0.0',
      functions: [defineFunction({ name: 'One', description: 'One', scopes: [], run: () => {} })],
      access: { authenticators: [custom('ours', ({ bearer }) => (bearer === 'x' && isValid ? watcher : undefined))] },
    });
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    try {
      const served = createConsole(app as never, {}, () => false);
      const headers = { authorization: 'Bearer x' };
      const request = { method: 'GET', target: '/console/api/events', headers, body: new Uint8Array() };
      const reply = (await served.handle('/console/api/events', request)) as { body: ReadableStream<Uint8Array> };
      let isOpen = true;
      const ended = (async () => {
        for await (const _ of reply.body);
        isOpen = false;
      })();
      await vi.advanceTimersByTimeAsync(90_000);
      expect(isOpen).toBe(true);
      isValid = false;
      await vi.advanceTimersByTimeAsync(30_000);
      await ended;
      await served.close();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe.skipIf(!path)('Live in the console', () => {
  let browser: ConsoleBrowser;
  let server: Server;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([ConsoleBrowser.start(), serveModule('test/apps/console-access.ts')]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  const enter = async (token: string) => {
    await page.getByRole('button', { name: /Enter a token|Token set/ }).click();
    await page.getByLabel('Token or API key').fill(token);
    await page.getByRole('button', { name: 'Use' }).click();
  };

  it(proves('console.safe', 'forgets what the caller before was shown'), async () => {
    page = await browser.open(`${server.url}/console/#/live`);
    await enter('watcher-key');
    await page.locator('.live .badge', { hasText: /^connected$/ }).waitFor();
    const headers = { 'x-api-key': 'reader-key' };
    await fetch(`${server.url}/functions/WhoAmI`, { method: 'POST', headers });
    await page.locator('.records tbody tr', { hasText: 'reader' }).waitFor();
    await enter('reader-key');
    await page.locator('.live .badge', { hasText: /not connected|403/ }).waitFor();
    expect(await page.locator('.records tbody tr').count()).toBe(0);
    // Another one who may: connected again, with what the server has kept.
    await enter('none');
    await page.locator('.live .badge', { hasText: /^connected$/ }).waitFor();
    await page.locator('.records tbody tr', { hasText: 'reader' }).waitFor();
    const seen: (string | undefined)[] = [];
    page.on('request', (one) => {
      if (one.url().endsWith('/events')) seen.push(one.headers()['authorization']);
    });
    await enter('watcher-key');
    await expect.poll(() => seen.at(-1)).toBe('Bearer watcher-key');
    browser.expectNothingWrong();
  });
});
