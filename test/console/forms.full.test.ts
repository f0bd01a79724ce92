import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { proves } from '../promises.ts';
import { fillForm } from './fill-form.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';
import { shapes } from './shapes.ts';

interface Listed {
  readonly name: string;
}

interface Details {
  readonly examples: readonly { readonly input: object; readonly output?: unknown }[];
}

describe.skipIf(!path)('the forms of the console', () => {
  let browser: ConsoleBrowser;
  let server: Server;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([ConsoleBrowser.start(), serveModule('test/apps/console-shapes.ts')]);
    page = await browser.open(`${server.url}/console/`);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(() => browser.expectNothingWrong());

  /** Calls, and returns the body as it was received. */
  async function call(from = page): Promise<string> {
    await from.locator('.call button.primary').click();
    await from.locator('.answer').waitFor();
    await from.getByRole('button', { name: 'Exact bytes' }).click();
    return from.locator('.answer pre.body').innerText();
  }

  it('has at least sixty shapes', () => expect(shapes.length).toBeGreaterThanOrEqual(60));

  it.each(shapes)(proves('console.form', 'fills in and calls $name'), async ({ name, value, picks }) => {
    await page.goto(`${server.url}/console/#/functions/${encodeURIComponent(name)}`);
    await page.locator('h1', { hasText: name }).waitFor();
    await fillForm(page, { value }, picks);
    expect(JSON.parse(await call())).toEqual({ result: value });
    // The editor shows the same.
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    expect(JSON.parse(await page.locator('#raw').inputValue())).toEqual({ value });
  });

  it.each(['calculator', 'weather'])(
    proves('console.form', 'calls every function of the example %s'),
    async (example) => {
      const other = await serveModule(`examples/${example}/app.ts`);
      const opened = await browser.open(`${other.url}/console/`);
      try {
        const response = await fetch(`${other.url}/console/api/catalogue`);
        const { functions } = (await response.json()) as { functions: readonly Listed[] };
        expect(functions.length).toBeGreaterThan(1);
        for (const { name } of functions) {
          await opened.goto(`${other.url}/console/#/functions/${encodeURIComponent(name)}`);
          await opened.locator('h1', { hasText: name }).waitFor();
          const details = (await (await fetch(`${other.url}/console/api/function/${name}`)).json()) as Details;
          const [example1] = details.examples;
          if (example1) await fillForm(opened, example1.input);
          const body = await call(opened);
          if (example1?.output !== undefined && !Array.isArray(example1.output))
            expect(JSON.parse(body)).toEqual({ result: example1.output });
          else expect(await opened.locator('.answer .badge').first().innerText(), name).toBe('OK');
        }
      } finally {
        await opened.close();
        await other.stop();
      }
    },
  );

  it(proves('console.form', 'says what is wrong in the words of the server'), async () => {
    await page.goto(`${server.url}/console/#/functions/${encodeURIComponent(shapes[2]!.name)}`);
    await fillForm(page, { value: 99 });
    const body = JSON.parse(await call()) as { error: string };
    expect(await page.locator('.call > form > .problem').innerText()).toBe(body.error);
    expect(await page.locator('.field .problem').last().innerText()).toContain('10');
    expect(await page.locator('.answer .badge').first().innerText()).toBe('INVALID_ARGUMENTS');
    expect(await page.locator('.code-row').innerText()).toContain('The arguments break the input schema.');
  });

  it(proves('console.form', 'a link opens a function with its arguments, and Ctrl+Enter calls it'), async () => {
    await page.goto('about:blank');
    const link = `#/functions/${encodeURIComponent(shapes[0]!.name)}?${new URLSearchParams({ input: '{"value":12}' })}`;
    await page.goto(`${server.url}/console/${link}`);
    await page.locator('input.number').focus();
    expect(await page.locator('input.number').inputValue()).toBe('12');
    await page.keyboard.press('Control+Enter');
    expect(await page.locator('.answer pre.body').innerText()).toContain('"result": 12');
    await page.locator('input.number').fill('13');
    await page.waitForFunction(() => location.hash.includes('13'));
  });
});
