import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { proves } from '../promises.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';

describe.skipIf(!path)('tasks in the console', () => {
  let browser: ConsoleBrowser;
  let server: Server;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([ConsoleBrowser.start(), serveModule('examples/tasks/app.ts')]);
    page = await browser.open(`${server.url}/console/`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(() => browser.expectNothingWrong());

  const start = async (name: string, input: object) => {
    await page.goto(
      `${server.url}/console/#/functions/${name}?${new URLSearchParams({ input: JSON.stringify(input) })}`,
    );
    await page.locator('h1', { hasText: name }).waitFor();
    const asTask = page.getByLabel('As a task');
    if ((await asTask.count()) > 0) await asTask.check();
    await page.locator('.call button.primary').click();
    await page.getByRole('link', { name: 'Open the task' }).click();
    return page.locator('.card').first();
  };

  it(proves('console.live', 'a task shows its progress, and can be cancelled'), async () => {
    const card = await start('Report', { pages: 100, every: 1000 });
    await card.locator('.badge', { hasText: 'working' }).waitFor();
    await card.locator('progress').waitFor();
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.locator('.badge', { hasText: 'cancelled' }).waitFor();
  });

  it(proves('console.live', 'a task asks, and shows its result'), async () => {
    const card = await start('Publish', { title: 'The year' });
    await card.locator('h2', { hasText: 'Publish "The year"?' }).waitFor();
    await card.getByRole('checkbox').check();
    await card.getByRole('button', { name: 'Answer' }).click();
    await card.locator('.badge', { hasText: 'completed' }).waitFor();
    await card.getByRole('button', { name: 'Result' }).click();
    expect(JSON.parse(await card.locator('pre').innerText())).toEqual({ result: 'published' });
  });
});
