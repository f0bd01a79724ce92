import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer } from '../kit/broker.ts';
import { hasChromium } from '../kit/chromium.ts';
import { startServing, type Served } from '../kit/served.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { asJson } from '../kit/as-json.ts';
import { proves } from '../promises.ts';
import { CLIPBOARD, ConsoleTest, copied, python, shell, typescript } from './open-console.ts';

/** Arguments that a shell, a program or JSON might read differently. */
const TRICKY = `it's "quoted" \\n $HOME \`id\` ! % 🎉 é`;
const MODULE = 'test/apps/console.ts';

/** The commands of all wires, and what they print. None has this word in it. */
async function runAll(page: Page, canary: string, variables: NodeJS.ProcessEnv = {}) {
  const printed: Record<string, string | undefined> = {};
  await page.locator('.wires .tabs').getByRole('button', { name: 'In process' }).waitFor();
  for (const label of await page.locator('.wires .tabs button').allInnerTexts()) {
    const command = await copied(page, label);
    expect(command).not.toContain(canary);
    const execute = /client|process/.test(label) ? typescript : label === 'Python' ? python : shell;
    printed[label] = await execute(command, { ...process.env, ...variables });
  }
  return printed;
}

/** What all wires print for a body. In Python, if that is installed. */
const printedFor = (body: string, printed: { value: unknown; python: string | undefined }) => ({
  curl: body,
  'Command line': body,
  'MCP 2026-07-28': expect.stringContaining(JSON.stringify(body).slice(1, -1)),
  'MCP 2025-11-25': expect.stringContaining(JSON.stringify(body).slice(1, -1)),
  CGI: expect.stringContaining(`\r\n\r\n${body}`),
  'Typed client': printed.value,
  'In process': printed.value,
  Python: printed.python === undefined ? undefined : `${body}\n`,
});

describe.skipIf(!hasChromium)('every wire in the console', () => {
  const at = new ConsoleTest(MODULE);
  const post = async (target: string, body: string) => (await fetch(at.url + target, asJson(body))).text();

  it.each([
    ['Echo', { text: TRICKY, list: [1, 2.5, null], flag: true }],
    ['Fail', { code: 'NOT_READY' }],
  ])(proves('console.wires', 'every command of %s runs and gives the same body'), async (name, input) => {
    const page = await at.show(name, input, CLIPBOARD);
    const body = await post(`/functions/${name}`, JSON.stringify(input));
    const printed = await runAll(page, 'no such word');
    const { result, error } = JSON.parse(body) as { result?: unknown; error?: string };
    for (const wire of ['Typed client', 'In process']) {
      const value = JSON.parse(printed[wire]!) as { message?: string };
      expect(error === undefined ? value : value.message).toEqual(error ?? result);
    }
    expect(printed).toEqual(printedFor(body, { value: expect.any(String), python: printed['Python'] }));
  });

  it(proves('console.wires', 'every command of a plain module runs'), async () => {
    const url = await sharedServer('examples/plain/math.ts');
    const page = await at.show('Add', { x: 10, y: 20 }, { ...CLIPBOARD, url });
    const printed = await runAll(page, 'no such word');
    expect(printed).toEqual(printedFor('{"result":30}', { value: '30\n', python: printed['Python'] }));
  });

  it(proves('console.wires', 'every command calls with the token in EVERYWIRE_TOKEN'), async () => {
    const url = await sharedServer('test/apps/console-access.ts');
    const page = await at.show('WhoAmI', undefined, { ...CLIPBOARD, url });
    await at.enterToken('watcher-key');
    const printed = await runAll(page, 'watcher', { EVERYWIRE_TOKEN: 'watcher-key' });
    expect(printed).toEqual({
      ...printedFor('{"result":"watcher"}', { value: '"watcher"\n', python: printed['Python'] }),
      // A program in the same process says itself who calls.
      'In process': '"me"\n',
    });
  });

  const MODERN = ['MCP 2026-07-28', 'MCP 2026-07-28 on stdio'];
  const LEGACY = ['MCP 2025-11-25', 'MCP 2025-11-25 on stdio'];
  const compare = async (name: string, input: object) => {
    await at.show(name, input);
    return at.compare();
  };

  it(proves('console.wires', 'all wires are equal when they are compared, or else it says so'), async () => {
    const equal = { verdict: 'All 7 equal', leftOut: [] };
    expect(await compare('Echo', { text: TRICKY, list: [], flag: false })).toEqual(equal);
    const wires = await at.page
      .locator('[data-wire]')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset['wire']!));
    expect(wires.toSorted()).toEqual(['HTTP', 'CGI', 'Command line', ...LEGACY, ...MODERN].toSorted());
    expect((await compare('Random', {})).verdict).toBe('Not equal');
  });

  it(proves('console.wires', 'leaves out wires that answer otherwise, and says so'), async () => {
    const { verdict, leftOut } = await compare('Report', { fails: false }); // a file, which MCP sends as content
    expect([verdict, leftOut.toSorted()]).toEqual(['All 3 equal', [...LEGACY, ...MODERN].toSorted()]);
    expect(await compare('Report', { fails: true })).toEqual({ verdict: 'All 7 equal', leftOut: [] });
    // In this revision, only clients that answer are asked.
    expect(await compare('Ask', {})).toEqual({ verdict: 'All 5 equal', leftOut: MODERN });
  });

  it(proves('console.live', 'shows calls made by curl, an MCP client and the command line'), async () => {
    const page = await at.open('#/live');
    await page.locator('.live .badge.good').waitFor();
    const marker = { text: 'marker', list: [], flag: true };
    await shell(`curl -s --json '${JSON.stringify(marker)}' ${at.url}/functions/Echo`, process.env);
    await page.locator('.records tr', { hasText: 'http' }).first().waitFor();
    const { Client, StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`${at.url}/mcp`)));
    await client.callTool({ name: 'functions.Echo', arguments: marker });
    await client.close();
    await page.locator('.records tr', { hasText: 'mcp-http' }).first().waitFor();
    await shell(`node dist/bin/everywire.js call ${MODULE} Fail --code GONE --json`, process.env);
    await page.locator('.records tr', { hasText: /GONE.*Fail.*cli/s }).waitFor();
    await page.getByLabel('Code').selectOption('failures');
    await page
      .locator('.records tr', { hasText: /OK.*Echo/s })
      .first()
      .waitFor({ state: 'detached' });
    await page.locator('.charts[data-drawn=true] canvas').first().waitFor();
    expect(await page.locator('.bars').innerText()).toContain('GONE');
  });

  it(proves('console.live', 'shows no argument that is secret'), async () => {
    const page = await at.open('#/live');
    await post('/functions/Login', '{"password":"hunter2-canary"}');
    await page.locator('.records tr', { hasText: 'Login' }).first().waitFor();
    const controller = new AbortController();
    const response = await fetch(`${at.url}/console/api/events`, { signal: controller.signal });
    const { value } = await response.body!.getReader().read();
    controller.abort();
    const sent = new TextDecoder().decode(value);
    expect(sent).toContain('functions.Login');
    expect(sent).not.toContain('hunter2');
  });

  it(proves('console.form', 'shows progress and what is streamed, and cancels'), async () => {
    let page = await at.show('Count', { to: 3 });
    await at.answer();
    expect((await page.locator('.chunks').innerText()).split('\n')).toEqual(['1', '2', '3']);

    page = await at.show('Wait', {});
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
  });

  describe('with variables and folders', () => {
    const folder = temporaryFolder('console-mount');
    const variables = join(folder, "it's.env");
    const flags = ['--env', 'SECRET=canary', '--env-file', variables, '--mount', `${folder}:/data:ro,max=1M`];
    let server: Served; // its flags name a folder of this file
    beforeAll(async () => {
      writeFileSync(variables, 'OTHER=second\n');
      server = await startServing(MODULE, ...flags);
    });
    afterAll(() => server?.stop());
    const open = (input?: object) => at.show('Measure', input, { ...CLIPBOARD, url: server.url });

    it(proves('console.wires', 'commands have the variables and folders of the server, and no values'), async () => {
      const printed = await runAll(await open({ text: 'four' }), 'canary', { SECRET: 'canary' });
      const result = { length: 4, variables: { SECRET: 'canary', OTHER: 'second' }, files: ['data'] };
      const value = expect.stringContaining('"length":4');
      expect(printed).toEqual(printedFor(JSON.stringify({ result }), { value, python: printed['Python'] }));
      expect(JSON.parse(printed['In process']!)).toEqual(result);
    });
  });
});
