import { Buffer } from 'node:buffer';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { proves } from '../promises.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';

describe.skipIf(!path)('the page of the console', () => {
  let browser: ConsoleBrowser;
  let server: Server;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([ConsoleBrowser.start(), serveModule('test/apps/console-page.ts')]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(async () => {
    await page.close();
    browser.expectNothingWrong();
  });

  const open = async (name: string, input: object = {}) => {
    const query = new URLSearchParams({ input: JSON.stringify(input) });
    page = await browser.open(`${server.url}/console/#/functions/${name}?${query}`);
    await page.locator('.call').waitFor();
  };
  const post = async (where: string) =>
    (await (await fetch(`${server.url}/${where}`, { method: 'POST' })).json()) as { taskId: string };
  const callNow = () => page.locator('.call button.primary').click();
  const openTask = async () => {
    await callNow();
    await page.getByRole('link', { name: 'Open the task' }).click();
    return page.locator('.card').first();
  };
  const answer = (given: string) =>
    page
      .locator('.questions input')
      .fill(given)
      .then(() => page.getByRole('button', { name: 'Answer' }).click());

  it(proves('console.form', 'says what is wrong with an answer to a question'), async () => {
    await open('AskNow');
    await callNow();
    await answer('x');
    await page.locator('.questions .problem', { hasText: '5' }).waitFor();
    await answer('12345');
    await page.locator('.answer pre.body', { hasText: '12345' }).waitFor();
  });

  it(proves('console.form', 'says what is wrong with an answer to a task'), async () => {
    await open('AskLater');
    const card = await openTask();
    await answer('x');
    await card.locator('.questions .problem', { hasText: '5' }).waitFor();
    await page.route('**/tasks/*/input', (route) => route.fulfill({ status: 503, json: { error: 'Not now' } }));
    await answer('12345');
    await card.locator('.problem', { hasText: 'Not now' }).waitFor();
    await page.unroute('**/tasks/*/input');
    await answer('12345');
    await card.locator('.badge', { hasText: 'completed' }).waitFor();
    expect(await card.locator('.problem').count()).toBe(0);
  });

  it(proves('console.live', 'shows why a task was not cancelled, and why it has no result'), async () => {
    await open('Endless');
    const card = await openTask();
    await page.route('**/tasks/*/*', (route) => route.fulfill({ status: 503, json: { error: 'Not now' } }));
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.locator('.problem', { hasText: 'Not now' }).waitFor();
    await page.unroute('**/tasks/*/*');
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.locator('.badge', { hasText: 'cancelled' }).waitFor();
    await page.route('**/tasks/*/*', (route) => route.abort());
    await card.getByRole('button', { name: 'Result' }).click();
    await card.locator('.problem').waitFor();
  });

  it(proves('console.live', 'a task goes on after a connection was broken'), async () => {
    await open('Endless');
    const card = await openTask();
    await card.locator('.badge', { hasText: 'working' }).waitFor();
    await page.route('**/tasks/*', (route) => route.abort());
    await card.locator('.problem').waitFor();
    await card.locator('.badge', { hasText: 'working' }).waitFor();
    await page.unroute('**/tasks/*');
    await card.locator('.problem').waitFor({ state: 'detached' });
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.locator('.badge', { hasText: 'cancelled' }).waitFor();
  });

  it(proves('console.usable', 'what is streamed is bounded by its size'), async () => {
    await open('Chunks', { count: 200, size: 256 * 1024 });
    await callNow();
    await page.locator('.answer pre.body', { hasText: '200' }).waitFor();
    const shown = await page.locator('.chunks').evaluate((element) => element.textContent);
    expect(shown.length).toBeLessThan(110_000);
    expect(shown.startsWith('200 xxx')).toBe(true);
    expect(await page.locator('.progress').innerText()).toContain('199 before these are not shown');
  });

  it(proves('console.form', 'sends files that are larger than a body of JSON may be'), async () => {
    const note = 'two\nlines';
    await open('Upload', { note, tags: ['a', 'b'], place: { row: 3 } });
    const buffer = Buffer.alloc(3_000_000, 'x');
    await page.locator('input[type=file]').setInputFiles({ name: 'größe.txt', mimeType: 'text/plain', buffer });
    await page.getByText('größe.txt, ').waitFor();
    await callNow();
    await page.locator('.answer').waitFor();
    const body = JSON.parse(await page.locator('.answer pre.body').innerText()) as unknown;
    const file = { name: 'größe.txt', type: 'text/plain', size: 3_000_000 };
    expect(body).toEqual({ result: { ...file, note, tags: ['a', 'b'], row: 3 } });
  });

  it(proves('console.usable', 'resources may have any address'), async () => {
    page = await browser.open(`${server.url}/console/#/resources`);
    await page.getByRole('button', { name: 'Read' }).click();
    await page.locator('.card pre', { hasText: 'By the lake' }).waitFor();
  });

  it(proves('console.usable', 'the address changes less often than somebody types, and need not change'), async () => {
    await open('Measure');
    await page.evaluate(() => {
      const real = history.replaceState.bind(history);
      (globalThis as { changes?: number }).changes = 0;
      history.replaceState = (...given) => {
        const changes = ++(globalThis as { changes?: number }).changes!;
        // As Safari does.
        if (changes > 3) throw new DOMException('Too often', 'SecurityError');
        real(...given);
      };
    });
    const typed = 'abcdefghij'.repeat(10);
    const field = page.locator('.root textarea, .root input').first();
    await field.pressSequentially(typed, { delay: 20 });
    await page.waitForTimeout(600);
    const changes = await page.evaluate(() => (globalThis as { changes?: number }).changes!);
    expect(changes).toBeGreaterThan(3);
    expect(changes).toBeLessThan(typed.length / 2);
    expect(await field.inputValue()).toBe(typed);
  });

  it(proves('console.live', 'many tasks leave room for what the user wants'), async () => {
    await open('Endless');
    await page.locator('nav').getByRole('link', { name: 'Live' }).click();
    await page.locator('.live .badge.good').waitFor();
    // More than the connections that a browser has.
    const ids = await Promise.all(Array.from({ length: 8 }, async () => (await post('functions/Endless')).taskId));
    await page.locator('nav').getByRole('link', { name: 'Tasks' }).click();
    for (const id of ids) {
      const card = page.locator('.card', { hasText: id });
      await card.locator('.badge', { hasText: 'working' }).waitFor();
    }
    for (const id of ids) {
      const card = page.locator('.card', { hasText: id });
      await card.getByRole('button', { name: 'Cancel' }).click();
      await card.locator('.badge', { hasText: 'cancelled' }).waitFor();
    }
  });
});
