import { Buffer } from 'node:buffer';
import { afterAll, describe, expect, it } from 'vitest';
import { Project, appModule, stopProjects } from '../dev/project.ts';
import { sharedServer } from '../kit/broker.ts';
import { hasChromium } from '../kit/chromium.ts';
import { proves } from '../promises.ts';
import { ConsoleTest } from './open-console.ts';

describe.skipIf(!hasChromium)('the page of the console', () => {
  afterAll(stopProjects);
  const at = new ConsoleTest('test/apps/console.ts');
  const post = async (where: string) =>
    (await (await fetch(`${at.url}/${where}`, { method: 'POST' })).json()) as { taskId: string };
  const answer = async (given: string) => {
    await at.page.locator('.questions input').fill(given);
    await at.page.getByRole('button', { name: 'Answer' }).click();
  };

  it(proves('console.usable', 'what is streamed is bounded by its size'), async () => {
    await at.show('Chunks', { count: 200, size: 256 * 1024 });
    await at.press();
    await at.page.locator('.answer pre.body', { hasText: '200' }).waitFor();
    const shown = await at.page.locator('.chunks').evaluate((element) => element.textContent);
    expect(shown.length).toBeLessThan(110_000);
    expect(shown.startsWith('200 xxx')).toBe(true);
    expect(await at.page.locator('.progress').innerText()).toContain('199 before these are not shown');
  });

  it(proves('console.form', 'sends files that are larger than a body of JSON may be'), async () => {
    const note = 'two\nlines';
    await at.show('Upload', { note, tags: ['a', 'b'], place: { row: 3 } });
    const buffer = Buffer.alloc(3_000_000, 'x');
    await at.page.locator('input[type=file]').setInputFiles({ name: 'größe.txt', mimeType: 'text/plain', buffer });
    await at.page.getByText('größe.txt, ').waitFor();
    await at.answer();
    const body = JSON.parse(await at.page.locator('.answer pre.body').innerText()) as unknown;
    const file = { name: 'größe.txt', type: 'text/plain', size: 3_000_000 };
    expect(body).toEqual({ result: { ...file, note, tags: ['a', 'b'], row: 3 } });
  });

  it(proves('console.live', 'a task shows its progress, and can be cancelled'), async () => {
    await at.show('Report', { pages: 100, every: 1000 }, { url: await sharedServer('examples/tasks/app.ts') });
    await at.page.getByLabel('As a task').check();
    const card = await at.openTask();
    await card.locator('.badge', { hasText: 'working' }).waitFor();
    await card.locator('progress').waitFor();
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.locator('.badge', { hasText: 'cancelled' }).waitFor();
  });

  it(proves('console.live', 'a task shows its function, its start and its duration'), async () => {
    await at.open('#/tasks');
    await at.page.waitForTimeout(200);
    const { taskId } = await post('functions/Endless');
    const card = at.page.locator('.card', { hasText: taskId });
    expect(await card.locator('h2').innerText()).toBe('Endless');
    await card.locator('.when', { hasText: /^started \d\d:\d\d:\d\d\.\d{3}, running for [\d.]+ m?s$/ }).waitFor();
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.locator('.when', { hasText: /took [\d.]+ m?s$/ }).waitFor();
    await card.getByRole('link', { name: 'Endless' }).click();
    await at.page.locator('h1', { hasText: 'Endless' }).waitFor();
  });

  it(proves('console.live', 'a failure that a button and the polling meet is shown once'), async () => {
    await at.show('Endless');
    const card = await at.openTask();
    await card.locator('.badge', { hasText: 'working' }).waitFor();
    await at.page.route('**/tasks/*', (route) => route.abort());
    await card.locator('.problem').waitFor();
    await card.locator('.badge', { hasText: 'working' }).waitFor();
    await at.page.unroute('**/tasks/*');
    await card.locator('.problem').waitFor({ state: 'detached' });
    await at.page.route(/\/tasks\//, (route) => route.fulfill({ status: 503, json: { error: 'Not now' } }));
    await card.locator('.problem', { hasText: 'Not now' }).waitFor();
    const refused = at.page.waitForResponse(/\/cancel$/);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await refused;
    await at.page.waitForTimeout(300);
    expect(await card.locator('.problem').allInnerTexts()).toEqual(['Not now']);
    await at.page.unroute(/\/tasks\//);
    await card.getByRole('button', { name: 'Cancel' }).click();
    await card.locator('.badge', { hasText: 'cancelled' }).waitFor();
    await at.page.route('**/tasks/*/*', (route) => route.abort());
    await card.getByRole('button', { name: 'Result' }).click();
    await card.locator('.problem').waitFor();
  });

  it(proves('console.live', 'calls are listed by the start that they show, with their code on a phone'), async () => {
    const page = await at.open('#/live', { viewport: { width: 375, height: 812 } });
    await page.locator('.live .badge.good').waitFor();
    // Starts first, and ends last.
    const controller = new AbortController();
    const waiting = fetch(`${at.url}/functions/Wait`, { method: 'POST', signal: controller.signal }).catch(() => {});
    await page.waitForTimeout(200);
    await fetch(`${at.url}/functions/Big`, { method: 'POST' });
    await page.waitForTimeout(200);
    controller.abort();
    await waiting;
    await page.locator('.records tr', { hasText: 'functions.Wait' }).first().waitFor();
    const times = await page.locator('.records tbody td:first-child').allInnerTexts();
    expect(times.length).toBeGreaterThan(1);
    expect(times).toEqual(times.toSorted().toReversed());
    const code = page.locator('.records code', { hasText: 'INVALID_ARGUMENTS' }).first();
    await code.scrollIntoViewIfNeeded();
    const { x, width } = (await code.boundingBox())!;
    expect(
      await page
        .locator('.scroll-x')
        .last()
        .evaluate((box) => box.scrollLeft),
    ).toBe(0);
    expect(x + width).toBeLessThan(375);
  });

  it(proves('console.form', 'a question has no empty card above it, and no answer to another call below'), async () => {
    await at.show('AskNow');
    const sections = () =>
      at.page
        .locator('.function > section, .function > div > form')
        .evaluateAll((all) => all.map((one) => one.className.split(' ')[0]));
    for (const code of ['12345', '67890']) {
      await at.press();
      await at.page.locator('.questions').waitFor();
      expect(await sections()).toEqual(['call', 'questions', 'wires', 'docs']);
      await answer('x');
      await at.page.locator('.questions .problem', { hasText: '5' }).waitFor();
      await answer(code);
      await at.page.locator('.answer pre.body', { hasText: code }).waitFor();
    }
    expect(await sections()).toEqual(['call', 'answer', 'wires', 'docs']);
  });

  it(proves('console.form', 'an answer is not shown below other arguments, but can be opened'), async () => {
    await at.show('Measure', { text: 'four' });
    await at.answer();
    await at.page.locator('[data-pointer="/text"] :is(input, textarea)').fill('seven');
    await at.page.locator('.answer').waitFor({ state: 'detached' });
    const old = at.page.locator('.old');
    expect(await old.innerText()).toBe('Answer to other arguments: OK');
    await old.locator('summary').click();
    expect(await old.locator('pre').innerText()).toContain('"length": 4');
    await at.answer();
    expect(await at.page.locator('.answer pre').innerText()).toContain('"length": 5');
    expect(await old.count()).toBe(0);
  });

  it(proves('console.usable', 'a button that does nothing says why'), async () => {
    await at.show('Endless');
    const button = at.page.getByRole('button', { name: 'Compare wires' });
    expect(await button.getAttribute('aria-disabled')).toBe('true');
    const reason = await button.getAttribute('aria-describedby');
    expect(await at.page.locator(`#${reason}`).innerText()).toContain('always becomes a task');
    await at.show('Map', undefined, { url: await sharedServer('test/apps/console-forms.ts') });
    await at.page.getByRole('button', { name: 'Add key' }).click();
    await at.page.getByText('Enter the new key first.').waitFor();
  });

  it(proves('console.usable', 'clients are connected by a URL or on stdio, one at a time'), async () => {
    const page = await at.open('#/connect', { viewport: { width: 375, height: 812 } });
    const [byUrl, onStdio] = ['By URL', 'On stdio'].map((name) => page.getByRole('region', { name, exact: true }));
    const entries = async (key: string) => {
      await onStdio!.locator('pre').waitFor();
      const texts = await Promise.all([byUrl!, onStdio!].map((one) => one.locator('pre').innerText()));
      return texts.map((text) => Object.values((JSON.parse(text) as Record<string, object>)[key]!)[0] as object);
    };
    const args = expect.arrayContaining(['mcp']) as readonly string[];
    const stdio = { type: 'stdio', command: expect.any(String) as string, args };
    expect(await entries('mcpServers')).toEqual([{ type: 'http', url: `${at.url}/mcp` }, stdio]);
    expect(await byUrl!.innerText()).toContain("names: 'portable'");
    await page.getByRole('button', { name: 'VS Code' }).click();
    expect(await entries('servers')).toEqual([{ type: 'http', url: `${at.url}/mcp` }, stdio]);
    await page.getByRole('button', { name: 'Claude Desktop' }).click();
    expect(await page.locator('.connect pre').count()).toBe(1);
    expect(await byUrl!.innerText()).toContain('as a connector');
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
  });

  it(proves('console.shown', 'shows the functions of the newest version of everywire dev'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ Before: '' }) });
    const page = await at.open('', { url: project.url });
    await page.locator('.side a', { hasText: 'Before' }).waitFor();
    project.write('app.ts', appModule({ After: '' }));
    await page.locator('.side a', { hasText: 'After' }).waitFor();
    expect(await page.locator('.side a', { hasText: 'Before' }).count()).toBe(0);
    await page.close();
  });
});

describe.skipIf(!hasChromium)('the console of an app with access rules', () => {
  const at = new ConsoleTest('test/apps/console-access.ts');

  it(proves('console.usable', 'a wrong token is named, and can be replaced'), async () => {
    const page = await at.show('WhoAmI');
    await at.enterToken('wrong-key');
    await page.locator('h1', { hasText: 'The token was not accepted' }).waitFor();
    await page.getByLabel('Token or API key').fill('reader-key');
    await page.getByRole('button', { name: 'Use' }).click();
    await page.locator('.call button.primary').click();
    await page.locator('.answer pre.body', { hasText: '"reader"' }).waitFor();

    await at.enterToken('wrong-key');
    await page.getByRole('button', { name: 'Go on without a token' }).click();
    await page.getByRole('button', { name: 'Enter a token' }).waitFor();
    await page.locator('.call').waitFor();
  });

  it(proves('console.safe', 'forgets what the caller before was shown'), async () => {
    const page = await at.open('#/live');
    await at.enterToken('watcher-key');
    await page.locator('.live .badge', { hasText: /^connected$/ }).waitFor();
    const headers = { 'x-api-key': 'reader-key' };
    await fetch(`${at.url}/functions/WhoAmI`, { method: 'POST', headers });
    await page.locator('.records tbody tr', { hasText: 'reader' }).first().waitFor();
    await at.enterToken('reader-key');
    await page.locator('.live .badge', { hasText: /not connected|403/ }).waitFor();
    expect(await page.locator('.records tbody tr').count()).toBe(0);
    // Another one who may: connected again, with what the server has kept.
    await at.enterToken('none');
    await page.locator('.live .badge', { hasText: /^connected$/ }).waitFor();
    await page.locator('.records tbody tr', { hasText: 'reader' }).first().waitFor();
    const seen: (string | undefined)[] = [];
    page.on('request', (one) => {
      if (one.url().endsWith('/events')) seen.push(one.headers()['authorization']);
    });
    await at.enterToken('watcher-key');
    await expect.poll(() => seen.at(-1)).toBe('Bearer watcher-key');
  });
});
