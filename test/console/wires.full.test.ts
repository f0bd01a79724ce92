import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { proves } from '../promises.ts';
import { ConsoleBrowser, path, serveModule } from './open-console.ts';
import type { Server } from './open-console.ts';
import * as run from './run-command.ts';

/** Arguments that a shell, a program or JSON might read differently. */
const TRICKY = `it's "quoted" \\n $HOME \`id\` ! % 🎉 é`;

describe.skipIf(!path)('every wire in the console', () => {
  let browser: ConsoleBrowser;
  let server: Server;
  let page: Page;
  beforeAll(async () => {
    [browser, server] = await Promise.all([ConsoleBrowser.start(), serveModule('test/apps/console-calls.ts')]);
    page = await browser.open(`${server.url}/console/`, run.CLIPBOARD);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
  afterEach(() => browser.expectNothingWrong());

  const show = async (name: string, input: object, { url } = server) => {
    await page.goto('about:blank');
    await page.goto(`${url}/console/#/functions/${name}?${new URLSearchParams({ input: JSON.stringify(input) })}`);
    await page.locator('.wires').waitFor();
  };
  const post = async (name: string, input: object) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(`${server.url}/functions/${name}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(input),
    });
    return response.text();
  };
  const copied = (wire: string) => run.copied(page, wire);
  const shell = (typed: string) => run.shell(typed, server.environment);
  const typescript = (source: string) => run.typescript(source, server.environment);
  const bodyIn = (message: string) =>
    (JSON.parse(message) as { result: { content: { text: string }[] } }).result.content[0]!.text;

  it.each([
    ['Echo', { text: TRICKY, list: [1, 2.5, null], flag: true }],
    ['Fail', { code: 'NOT_READY' }],
  ])(proves('console.wires', 'every command of %s runs and gives the same body'), async (name, input) => {
    await show(name, input);
    const expected = await post(name, input);
    expect(await shell(await copied('curl'))).toBe(expected);
    expect(await shell(await copied('Command line'))).toBe(expected);
    expect(bodyIn(await shell(await copied('MCP 2026-07-28')))).toBe(expected);
    expect(bodyIn(await shell(await copied('MCP 2025-11-25')))).toBe(expected);
    expect((await shell(await copied('CGI'))).split('\r\n\r\n')[1]).toBe(expected);
    const { result, error } = JSON.parse(expected) as { result?: unknown; error?: string };
    for (const wire of ['Typed client', 'In process']) {
      const printed = JSON.parse(await typescript(await copied(wire))) as { message?: string };
      expect(error === undefined ? printed : printed.message).toEqual(error ?? result);
    }
    const printed = await run.python(await copied('Python'), server.environment);
    expect(printed ?? `${expected}\n`).toBe(`${expected}\n`);
  });

  it(proves('console.wires', 'every command of a plain module runs'), async () => {
    const plain = await serveModule('examples/plain/math.ts');
    const usual = page;
    try {
      page = await browser.open(`${plain.url}/console/`, run.CLIPBOARD);
      await show('Add', { x: 10, y: 20 }, plain);
      for (const wire of ['curl', 'Command line']) expect(await shell(await copied(wire))).toBe('{"result":30}');
      for (const wire of ['Typed client', 'In process']) expect(await typescript(await copied(wire))).toBe('30\n');
    } finally {
      page = usual;
      await plain.stop();
    }
  });

  it(proves('console.wires', 'all wires are equal when they are compared'), async () => {
    await show('Echo', { text: TRICKY, list: [], flag: false });
    await page.getByRole('button', { name: 'Compare wires' }).click();
    await page.locator('[data-equal]').waitFor();
    expect(await page.locator('[data-equal]').innerText()).toBe('All 7 equal');
    expect(
      await page.locator('[data-wire]').evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['wire'])),
    ).toEqual([
      'HTTP',
      'MCP 2025-11-25',
      'MCP 2026-07-28',
      'CGI',
      'Command line',
      'MCP 2025-11-25 on stdio',
      'MCP 2026-07-28 on stdio',
    ]);
  });

  it(proves('console.wires', 'says so if they are not'), async () => {
    await show('Random', {});
    await page.getByRole('button', { name: 'Compare wires' }).click();
    expect(await page.locator('[data-equal]').innerText()).toBe('Not equal');
  });

  it(proves('console.live', 'shows calls made by curl, an MCP client and the command line'), async () => {
    await page.goto(`${server.url}/console/#/live`);
    await page.locator('.live .badge.good').waitFor();
    const marker = { text: 'marker', list: [], flag: true };
    await shell(`curl -s --json '${JSON.stringify(marker)}' ${server.url}/functions/Echo`);
    await page.locator('.records tr', { hasText: 'http' }).first().waitFor();
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`)));
    await client.callTool({ name: 'functions.Echo', arguments: marker });
    await client.close();
    await page.locator('.records tr', { hasText: 'mcp-http' }).first().waitFor();
    await shell(`node dist/bin/everywire.js call test/apps/console-calls.ts Fail --code GONE --json`);
    await page.locator('.records tr', { hasText: /Fail.*cli.*GONE/s }).waitFor();
    await page.getByLabel('Code').selectOption('failures');
    await page.locator('.records tr', { hasText: 'Echo' }).first().waitFor({ state: 'detached' });
    await page.locator('.charts[data-drawn=true] canvas').first().waitFor();
    expect(await page.locator('.bars').innerText()).toContain('GONE');
  });

  it(proves('console.live', 'shows no argument that is secret'), async () => {
    await page.goto(`${server.url}/console/#/live`);
    await post('Login', { password: 'hunter2-canary' });
    await page.locator('.records tr', { hasText: 'Login' }).first().waitFor();
    const controller = new AbortController();
    const response = await fetch(`${server.url}/console/api/events`, { signal: controller.signal });
    const { value } = await response.body!.getReader().read();
    controller.abort();
    const sent = new TextDecoder().decode(value);
    expect(sent).toContain('functions.Login');
    expect(sent).not.toContain('hunter2');
  });

  it(proves('console.form', 'shows progress, what is streamed, cancels, and asks what a function asks'), async () => {
    await show('Count', { to: 3 });
    await page.locator('.call button.primary').click();
    await page.locator('.answer').waitFor();
    expect((await page.locator('.chunks').innerText()).split('\n')).toEqual(['1', '2', '3']);

    await show('Wait', {});
    const waiting: unknown[] = [];
    page.on('request', (request) => request.url().includes('/functions/Wait') && waiting.push(request));
    await page.getByLabel('Show progress').check();
    await page.locator('.call button.primary').focus();
    for (const key of ['Control+Enter', 'Control+Enter', 'Enter']) await page.keyboard.press(key);
    await page.locator('progress').waitFor();
    // One call, however often somebody presses; and the keyboard stays where it was.
    expect(waiting.length).toBe(1);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('primary');
    expect(await page.locator('.progress').innerText()).toContain('1 of 2');
    await page.getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('.answer').innerText()).toContain('Cancelled');

    await show('Ask', {});
    await page.locator('.call button.primary').click();
    await page.locator('.questions h2', { hasText: 'Your name?' }).waitFor();
    await page.locator('.questions input').fill('Ada');
    await page.getByRole('button', { name: 'Answer' }).click();
    await page.locator('.answer').waitFor();
    expect(JSON.parse(await page.locator('.answer pre.body').innerText())).toEqual({ result: 'Hello, Ada' });
  });
});
