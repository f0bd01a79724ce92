import { execFile } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import axe from 'axe-core';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { sharedServer } from '../kit/broker.ts';
import { WatchedBrowser } from '../kit/chromium.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

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

  /** Presses the button, and waits for the answer. */
  async answer(): Promise<void> {
    await this.press();
    await this.page.locator('.answer').waitFor();
  }

  /** Calls, and returns the body as it was received. */
  async call(): Promise<string> {
    await this.answer();
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

type Picks = Readonly<Record<string, number>>;

const step = (key: string | number) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Fills in the form for a value, as a person would: types, clicks and chooses. */
export async function fillForm(page: Page, arguments_: object, picks: Picks = {}): Promise<void> {
  await fill(page.locator('.root > .field'), '', arguments_, picks);
}

const inner = (field: Locator, pointer: string) => field.locator(`[data-pointer=${JSON.stringify(pointer)}]`).first();

async function fill(field: Locator, pointer: string, value: unknown, picks: Picks): Promise<void> {
  const union = field.locator(':scope > .union');
  if ((await union.count()) > 0) {
    await union.locator(':scope > select').selectOption(String(picks[pointer] ?? 0));
    const chosen = union.locator(':scope > .field');
    if ((await chosen.count()) > 0) await fill(chosen, pointer, value, picks);
    return;
  }
  const own = (selector: string) => field.locator(`:scope > ${selector}, :scope > .joined > ${selector}`);
  if (Array.isArray(value) && (await field.locator(':scope > .list').count()) > 0)
    return fillList(field, pointer, value, picks);
  if (typeof value === 'object' && value !== null && (await field.locator(':scope > textarea.code').count()) === 0)
    return fillObject(field, pointer, value, picks);
  if ((await own('output').count()) > 0) return;
  if ((await own('input[type=file]').count()) > 0) {
    const buffer = Buffer.from(String(value), 'base64');
    return own('input[type=file]').setInputFiles({ name: 'bytes.bin', mimeType: '', buffer });
  }
  if ((await own('select').count()) > 0) {
    const label = typeof value === 'string' ? value : JSON.stringify(value);
    return void (await own('select').selectOption({ label }));
  }
  if ((await own('input[type=checkbox]').count()) > 0) return own('input[type=checkbox]').setChecked(value === true);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // A line break cannot be typed into an input; what has been pasted with one becomes a text area.
  const place = own(':is(textarea, input)').first();
  if (text === '') await place.fill('x');
  await place.fill(text);
}

async function fillList(field: Locator, pointer: string, value: readonly unknown[], picks: Picks): Promise<void> {
  const rows = field.locator(':scope > .list > .row');
  while ((await rows.count()) < value.length) {
    const before = await rows.count();
    await field.locator(':scope > .list > button').first().click();
    await rows.nth(before).waitFor();
  }
  for (const [i, item] of value.entries())
    await fill(inner(rows.nth(i), pointer + step(i)), pointer + step(i), item, picks);
}

async function fillObject(field: Locator, pointer: string, value: object, picks: Picks): Promise<void> {
  const add = field.locator(':scope > button');
  if ((await add.count()) > 0) await add.click();
  const fields = field.locator(':scope > .fields');
  for (const [name, item] of Object.entries<unknown>(value as Record<string, unknown>)) {
    const place = inner(fields, pointer + step(name));
    if ((await place.count()) === 0) {
      await fields.locator(':scope > .joined input').fill(name);
      await fields.locator(':scope > .joined button').click();
    }
    await fill(place, pointer + step(name), item, picks);
  }
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** What axe-core finds, in words. */
export async function violationsIn(page: Page): Promise<readonly string[]> {
  // By the debugger, which the policy of the page does not hold for.
  await page.evaluate(axe.source);
  const found = (await page.evaluate('axe.run()')) as { violations: readonly Violation[] };
  return found.violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
  );
}

const execute = promisify(execFile);

/** What the button of a wire copies. */
export async function copied(page: Page, wire: string): Promise<string> {
  await page.locator('.wires .tabs').getByRole('button', { name: wire, exact: true }).click();
  await page
    .locator('.wires')
    .getByRole('button', { name: `Copy ${wire}`, exact: true })
    .click();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** Runs a command as if it were typed. npx would look for a package of that name in the registry of this clone, and build it. */
export async function shell(typed: string, environment: NodeJS.ProcessEnv): Promise<string> {
  // A file, since a word of a command may not be as long as some commands are.
  const folder = temporaryFolder('shell', {
    'command.sh': typed.replace('npx everywire', 'node dist/bin/everywire.js'),
  });
  const { stdout } = await execute('sh', [join(folder, 'command.sh')], {
    env: environment,
    maxBuffer: 64 * 1024 * 1024,
  }).catch((error: { stdout: string }) => error);
  return stdout;
}

/** Runs TypeScript next to a link to this package; it prints JSON. */
export async function typescript(source: string, environment: NodeJS.ProcessEnv): Promise<string> {
  const program = source.replace('console.log(', 'console.log(JSON.stringify(').replace(/\);$/, '));');
  const folder = temporaryFolder('console-code', { 'package.json': '{"type":"module"}', 'call.ts': program });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(resolve('.'), join(folder, 'node_modules/everywire'));
  return shell(`JITI_FS_CACHE=false node_modules/.bin/jiti ${join(folder, 'call.ts')}`, environment);
}

/** Runs Python, if it has what the console's programs import: scripts/debian-packages.mjs installs it. */
export async function python(source: string, environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const hasRequests = (await shell('python3 -c "import requests" && echo yes', environment)) === 'yes\n';
  if (!hasRequests) return undefined;
  return shell(`python3 ${join(temporaryFolder('console-python', { 'call.py': source }), 'call.py')}`, environment);
}
