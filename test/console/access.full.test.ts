import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { proves } from '../promises.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';
import { CLIPBOARD, copied, python, shell, typescript } from './run-command.ts';

describe.skipIf(!path)('the console of an app with access rules', () => {
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
  afterEach(async () => {
    await page.close();
    browser.expectNothingWrong();
  });

  const enter = async (token: string) => {
    await page.getByRole('button', { name: /^(Enter a token|Token set)$/ }).click();
    await page.getByLabel('Token or API key').fill(token);
    await page.getByRole('button', { name: 'Use' }).click();
  };

  it(proves('console.wires', 'every command calls with the token in EVERYWIRE_TOKEN'), async () => {
    page = await browser.open(`${server.url}/console/#/functions/WhoAmI`, CLIPBOARD);
    await enter('watcher-key');
    await page.locator('.wires .tabs').getByRole('button', { name: 'In process' }).waitFor();
    const environment = { ...server.environment, EVERYWIRE_TOKEN: 'watcher-key' };
    const labels = await page.locator('.wires .tabs button').allInnerTexts();
    const printed: Record<string, string | undefined> = {};
    for (const label of labels) {
      const command = await copied(page, label);
      expect(command).not.toContain('watcher');
      const execute = /client|process/.test(label) ? typescript : label === 'Python' ? python : shell;
      printed[label] = await execute(command, environment);
    }
    const body = '{"result":"watcher"}';
    expect(printed).toEqual({
      curl: body,
      'Command line': body,
      'MCP 2026-07-28': expect.stringContaining('"watcher"'),
      'MCP 2025-11-25': expect.stringContaining('"watcher"'),
      CGI: expect.stringContaining(`\r\n\r\n${body}`),
      'Typed client': '"watcher"\n',
      // A program in the same process says itself who calls.
      'In process': '"me"\n',
      Python: printed['Python'] === undefined ? undefined : `${body}\n`,
    });
  });

  it(proves('console.usable', 'a wrong token is named, and can be replaced'), async () => {
    page = await browser.open(`${server.url}/console/#/functions/WhoAmI`);
    await enter('wrong-key');
    await page.locator('h1', { hasText: 'The token was not accepted' }).waitFor();
    await page.getByLabel('Token or API key').fill('reader-key');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.locator('.call button.primary').click();
    await page.locator('.answer pre.body', { hasText: '"reader"' }).waitFor();

    await enter('wrong-key');
    await page.getByRole('button', { name: 'Go on without a token' }).click();
    await page.getByRole('button', { name: 'Enter a token' }).waitFor();
    await page.locator('.call').waitFor();
  });

  it(proves('console.usable', 'a token that no request can carry is not used'), async () => {
    page = await browser.open(`${server.url}/console/#/functions/WhoAmI`);
    await enter('schlüssel→');
    await page.getByRole('alert').filter({ hasText: 'outside of ASCII' }).waitFor();
    expect(await page.locator('.call').count()).toBe(1);
    await page.getByLabel('Token or API key').fill('reader-key');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.getByRole('button', { name: 'Token set' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it(proves('console.usable', 'the answer to an older token does not replace that to a newer one'), async () => {
    page = await browser.open(`${server.url}/console/#/functions/WhoAmI`);
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/console/api/catalogue', async (route) => {
      if (route.request().headers()['authorization'] === 'Bearer wrong-key') await held;
      await route.continue();
    });
    await enter('wrong-key');
    await enter('watcher-key');
    await page.getByRole('link', { name: 'Live' }).waitFor();
    const late = page.waitForResponse((response) => response.status() === 401);
    release();
    await late;
    await page.waitForTimeout(200);
    expect(await page.getByRole('link', { name: 'Live' }).count()).toBe(1);
  });
});
