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
});
