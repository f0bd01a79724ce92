import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { Edges } from './edges.ts';
import { path } from './open-console.ts';

describe.skipIf(!path)('a form', () => {
  let at: Edges;
  beforeAll(async () => {
    at = await Edges.start();
  });
  afterAll(() => at?.close());
  afterEach(() => at.browser.expectNothingWrong());

  it(proves('console.form', 'of a type that contains itself is opened, and filled in as deep as wanted'), async () => {
    await at.open('Tree');
    await at.field('/tree/value').fill('1');
    expect(JSON.parse((await at.call()).sent)).toEqual({ tree: { value: 1, left: null, right: null } });
    await at.page.getByLabel('Kind of left').selectOption('0');
    await at.field('/tree/left/value').fill('2');
    const filled = { tree: { value: 1, left: { value: 2, left: null, right: null }, right: null } };
    expect(JSON.parse((await at.call()).body)).toEqual({ result: filled });
  });

  it.each([
    ['Tree', {}],
    ['Tree', { tree: { value: 1 } }],
    ['Chain', undefined],
    ['Expression', undefined],
    ['Mutual', undefined],
  ])(proves('console.form', 'of %s is opened with %j'), async (name, input) => {
    await at.open(name, input);
    expect(await at.page.locator('.root .field').count()).toBeLessThan(20);
    if (input) expect(JSON.parse((await at.call()).sent)).toEqual(input);
  });

  it(proves('console.form', 'that fails leaves the editor, the documentation and other functions'), async () => {
    await at.open('Loose');
    const page = await at.browser.open(`${at.server.url}/console/`);
    await page.evaluate(() => {
      const real = document.createElementNS.bind(document) as (...of: unknown[]) => Element;
      document.createElementNS = ((...of: unknown[]) => {
        if (of[1] === 'fieldset') throw new Error('no such element');
        return real(...of);
      }) as never;
    });
    await page.evaluate((link) => void (location.hash = link), at.link('Loose', { a: 5 }));
    await page.getByText('The form cannot be shown').waitFor();
    expect(await page.locator('.docs').innerText()).toContain('integer');
    await page.getByRole('button', { name: 'JSON', exact: true }).click();
    expect(await page.locator('#raw').inputValue()).toContain('5');
    await page.evaluate((link) => void (location.hash = link), at.link('Number'));
    await page.locator('h1', { hasText: 'Number' }).waitFor();
    await page.close();
  });

  it.each(['TextOrNumber', 'NumberOrText', 'TypeList'])(
    proves('console.form', 'takes a negative number where text is allowed, too: %s'),
    async (name) => {
      await at.open(name);
      if (name !== 'NumberOrText') await at.page.locator('.union select').selectOption('1');
      await at.page.locator('.union input').focus();
      await at.page.keyboard.type('-');
      expect(await at.page.locator('.union').innerText()).toContain('would be sent as text');
      await at.page.keyboard.type('5');
      expect(await at.chosen('.union select')).toBe('number');
      expect((await at.call()).sent).toBe('{"id":-5}');
    },
  );

  it(proves('console.form', 'sends a number as it was typed, and says what the server says'), async () => {
    await at.open('Number');
    await at.page.locator('input.number').fill('9007199254740993');
    const { sent, body } = await at.call();
    expect(sent).toBe('{"n":9007199254740993}');
    const { error } = JSON.parse(body) as { error: string };
    expect(error).toContain('is not exact as a JSON number');
    expect(await at.page.locator('.call > form > .problem').innerText()).toBe(error);
    expect(await at.page.locator('input.number').inputValue()).toBe('9007199254740993');
    await at.page.locator('input.number').fill('+1.50');
    expect((await at.call()).sent).toBe('{"n":1.5}');
  });

  it(proves('console.form', 'and the editor keep a number that is too large'), async () => {
    await at.open('Anything');
    await at.asJson();
    await at.page.locator('#raw').fill('{"v": 1e400}');
    expect((await at.call()).sent).toBe('{"v":1e400}');
    await at.asForm();
    expect(await at.field('/v').inputValue()).toBe('1e400');
  });

  it(proves('console.form', 'takes over the arguments of a link, and of Back'), async () => {
    await at.open('Loose', { a: 1 });
    await at.page.evaluate((link) => void (location.hash = link), at.link('Loose', { a: 999 }));
    await expect.poll(() => at.page.locator('input.number').inputValue()).toBe('999');
    expect((await at.call()).sent).toBe('{"a":999}');
    await at.page.goBack();
    await expect.poll(() => at.page.locator('input.number').inputValue()).toBe('1');
  });

  it(proves('console.form', 'does not write its arguments into the address of another function'), async () => {
    await at.open('Loose');
    await at.page.waitForFunction(() => location.hash.includes('input'));
    // The address has changed, and the page does not know it yet.
    await at.page.evaluate((link) => history.replaceState(null, '', link), at.link('Number'));
    await at.page.locator('input.number').fill('77');
    await at.page.waitForTimeout(300);
    expect(new URL(at.page.url()).hash).toBe(at.link('Number'));
    await at.page.evaluate(() => dispatchEvent(new Event('hashchange')));
    await at.page.locator('h1', { hasText: 'Number' }).waitFor();
    expect(await at.page.locator('input.number').inputValue()).toBe('');
  });

  it(proves('console.form', 'never sends text that is no JSON, nor what was there before it'), async () => {
    await at.open('Anything');
    await at.field('/v').fill('12');
    await at.field('/v').fill('12, oops');
    expect(await at.press()).toEqual([]);
    expect(await at.page.locator('.field .problem').last().innerText()).toContain('no JSON');
    await at.asJson();
    expect(await at.page.locator('#raw').inputValue()).toContain('12, oops');
    expect(await at.page.locator('#raw-problem').innerText()).toContain('no JSON');
    await at.page.locator('#raw').fill('{"v": 7,}');
    await at.asForm();
    expect(await at.page.locator('.root textarea').inputValue()).toBe('{"v": 7,}');
    expect(await at.press()).toEqual([]);
    await at.page.locator('.root textarea').fill('{"v": 7}');
    expect((await at.call()).sent).toBe('{"v":7}');
  });
});
