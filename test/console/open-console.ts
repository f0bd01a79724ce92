import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sharedServer } from '../kit/broker.ts';
import { WatchedBrowser } from '../kit/chromium.ts';

/** Pages that may read what a button copies. */
export const CLIPBOARD = { permissions: ['clipboard-read', 'clipboard-write'] };

/** The address of a function in the console, with its arguments. */
export function linkTo(name: string, input?: unknown): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const query = input === undefined ? '' : `?${new URLSearchParams({ input: text })}`;
  return `#/functions/${encodeURIComponent(name)}${query}`;
}

/** The console of a server that all test files share. Its page is closed after each test, which fails if something went wrong. */
export class ConsoleTest {
  browser!: WatchedBrowser;
  url!: string;
  page!: Page;

  constructor(module: string, ...flags: readonly string[]) {
    beforeAll(async () => {
      [this.browser, this.url] = await Promise.all([WatchedBrowser.connect(), sharedServer(module, ...flags)]);
    });
    afterEach(async () => {
      await this.page?.close();
      this.browser.expectNothingWrong();
    });
    afterAll(() => this.browser?.close());
  }

  /** Opens a view of the console in a page that knows nothing yet. */
  async open(view = '', { url = this.url, ...options }: BrowserContextOptions & { url?: string } = {}): Promise<Page> {
    await this.page?.close();
    this.page = await this.browser.open(`${url}/console/${view}`, options);
    await this.page.waitForSelector('.top');
    return this.page;
  }

  /** Opens a function. */
  async show(name: string, input?: unknown, options?: Parameters<ConsoleTest['open']>[1]): Promise<Page> {
    await this.open(linkTo(name, input), options);
    await this.page.locator('.call').waitFor();
    return this.page;
  }

  /** Presses the button, without waiting. */
  async press(): Promise<void> {
    await this.page.locator('.call button.primary').click();
  }

  /** Calls, and returns the body as it was received. */
  async call(): Promise<string> {
    await this.press();
    await this.page.locator('.answer').waitFor();
    await this.page.getByRole('button', { name: 'Exact bytes' }).click();
    return this.page.locator('.answer pre.body').innerText();
  }

  /** Opens the task that a call becomes. */
  async openTask() {
    await this.press();
    await this.page.getByRole('link', { name: 'Open the task' }).click();
    return this.page.locator('.card').first();
  }

  async enterToken(token: string): Promise<void> {
    await this.page.getByRole('button', { name: /^(Enter a token|Token set)$/ }).click();
    await this.page.getByLabel('Token or API key').fill(token);
    await this.page.getByRole('button', { name: 'Use' }).click();
  }

  /** Compares the wires, and returns the verdict and the wires that were left out. */
  async compare(): Promise<{ verdict: string; leftOut: readonly string[] }> {
    await this.page.getByRole('button', { name: 'Compare wires' }).click();
    const verdict = await this.page.locator('[data-equal]').innerText();
    return { verdict, leftOut: await this.page.locator('tr', { hasText: 'left out' }).locator('th').allInnerTexts() };
  }
}
