import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { Edges } from './edges.ts';
import { path } from './open-console.ts';

describe.skipIf(!path)('what a form shows is what it sends:', () => {
  let at: Edges;
  beforeAll(async () => {
    at = await Edges.start();
  });
  afterAll(() => at?.close());
  afterEach(() => at.browser.expectNothingWrong());

  it(proves('console.form', 'an optional constant'), async () => {
    await at.open('Constant', { a: 1 });
    expect(await at.chosen('[data-pointer="/kind"] select')).toBe('not given');
    expect((await at.call()).sent).toBe('{"a":1}');
    await at.field('/kind').selectOption('0');
    expect((await at.call()).sent).toBe('{"a":1,"kind":"admin"}');
  });

  it(proves('console.form', 'another value than the constant'), async () => {
    await at.open('Constant', { a: 1, kind: 'other' });
    expect(await at.chosen('[data-pointer="/kind"] select')).toBe('not listed: "other"');
    expect((await at.call()).sent).toBe('{"a":1,"kind":"other"}');
  });

  it.each([
    ['Open', { a: 1, more: 'x' }, '/more', '"x"'],
    ['Loose', { a: 1, more: [2] }, '/more', '[\n  2\n]'],
    ['Branches', { s: { b: 'x' } }, '/s/b', '"x"'],
    ['Loose', { a: '5' }, '/a', '"5"'],
    ['Secret', { key: { no: 'text' } }, '/key', '{\n  "no": "text"\n}'],
  ])(proves('console.form', 'what is not listed, or does not fit: %s %j'), async (name, input, pointer, shown) => {
    await at.open(name, input);
    expect(await at.field(pointer).inputValue()).toBe(shown);
    expect(JSON.parse((await at.call()).sent)).toEqual(input);
  });

  it(proves('console.form', 'arguments that are no object'), async () => {
    await at.open('Loose', [1, 2]);
    expect(JSON.parse(await at.page.locator('.root textarea').inputValue())).toEqual([1, 2]);
    expect((await at.call()).sent).toBe('[1,2]');
  });

  it(proves('console.form', 'a boolean that is missing'), async () => {
    await at.open('Flag', { a: 1 });
    expect(await at.chosen('[data-pointer="/flag"] select')).toBe('choose…');
    await at.field('/flag').selectOption('false');
    expect((await at.call()).sent).toBe('{"a":1,"flag":false}');
  });

  it(proves('console.form', 'a list that was emptied'), async () => {
    await at.open('ListWithDefault', { l: ['b'] });
    await at.page.getByRole('button', { name: 'Remove l 1' }).click();
    expect((await at.call()).sent).toBe('{"l":[]}');
    await at.page.getByRole('button', { name: 'Leave out l' }).click();
    expect((await at.call()).sent).toBe('{}');
  });

  it(proves('console.form', 'a key that is added twice'), async () => {
    await at.open('Map', { name: 'Ada', x: 5 });
    for (const name of ['x', 'name']) {
      await at.page.getByLabel('New key in Arguments').fill(name);
      await at.page.keyboard.press('Enter');
      await at.page.getByText('There is such a key already.').waitFor();
    }
    expect((await at.call()).sent).toBe('{"name":"Ada","x":5}');
  });

  it(proves('console.form', 'a key of a map, or an item, whose value is cleared'), async () => {
    await at.open('Map', { name: 'Ada', x: 5 });
    await at.field('/x').fill('');
    expect((await at.call()).sent).toBe('{"name":"Ada","x":null}');
    await at.open('Items', { l: [1, 'a'] });
    await at.field('/l/0').focus();
    await at.page.keyboard.press('Backspace');
    expect((await at.call()).sent).toBe('{"l":[null,"a"]}');
    await at.field('/l/0').focus();
    await at.page.keyboard.type('-2');
    expect((await at.call()).sent).toBe('{"l":[-2,"a"]}');
  });

  it(proves('console.form', 'the file that is left'), async () => {
    await at.open('Files', { l: ['', ''] });
    for (const [i, name] of ['a', 'b'].entries()) {
      const file = { name: `${name}.txt`, mimeType: 'text/plain', buffer: Buffer.from(name) };
      await at.page.locator('input[type=file]').nth(i).setInputFiles(file);
      await at.page.locator('.row').nth(i).getByText('1 B').waitFor();
    }
    await at.page.getByRole('button', { name: 'Remove l 1' }).click();
    const name = await at.page.locator('input[type=file]').evaluate((one) => (one as HTMLInputElement).files![0]!.name);
    expect(name).toBe('b.txt');
    expect((await at.call()).sent).toBe(`{"l":["${btoa('b')}"]}`);
  });

  it(proves('console.form', 'what is typed while a file is read'), async () => {
    await at.open('FileAndNote');
    await at.page.evaluate(() => {
      const real = Blob.prototype.arrayBuffer;
      Blob.prototype.arrayBuffer = async function () {
        await new Promise((resolve) => setTimeout(resolve, 700));
        return real.call(this);
      };
    });
    await at.page.locator('input[type=file]').setInputFiles({ name: 'a', mimeType: '', buffer: Buffer.from('hi') });
    await at.field('/note').fill('meanwhile');
    await at.page.getByText('2 B').waitFor();
    expect(JSON.parse((await at.call()).sent)).toEqual({ f: btoa('hi'), note: 'meanwhile' });
  });

  it(proves('console.form', 'a secret of several lines'), async () => {
    await at.open('Secret');
    await at.field('/key').focus();
    await at.page.evaluate(() => {
      const clipboardData = new DataTransfer();
      clipboardData.setData('text/plain', 'one\r\ntwo');
      const options = { clipboardData, bubbles: true, cancelable: true };
      document.activeElement!.dispatchEvent(new ClipboardEvent('paste', options));
    });
    expect(await at.field('/key').inputValue()).toBe('one\ntwo');
    expect(
      await at.field('/key').evaluate((area) => getComputedStyle(area).getPropertyValue('-webkit-text-security')),
    ).toBe('disc');
    expect((await at.call()).sent).toBe('{"key":"one\\ntwo"}');
  });

  it(proves('console.form', 'an optional number that is cleared, and typed again'), async () => {
    await at.open('OptionalNumber', { n: 5 });
    await at.page.locator('input.number').focus();
    await at.page.keyboard.press('Backspace');
    await at.page.keyboard.type('6');
    expect((await at.call()).sent).toBe('{"n":6}');
  });

  it(proves('console.form', 'an optional text that is chosen'), async () => {
    await at.open('OptionalText');
    await at.page.locator('.union select').selectOption('0');
    expect((await at.call()).sent).toBe('{"s":""}');
    await at.page.locator('.union select').selectOption('not given');
    expect((await at.call()).sent).toBe('{}');
  });

  it(proves('console.form', 'fields that two branches share'), async () => {
    await at.open('Either', { name: 'Ada', email: 'a@b.c' });
    await at.page.locator('.union select').selectOption('1');
    expect(await at.field('/name').inputValue()).toBe('Ada');
    expect(JSON.parse((await at.call()).sent)).toMatchObject({ name: 'Ada' });
  });

  it(proves('console.form', 'a field that two parts describe'), async () => {
    await at.open('AllOf');
    expect(await at.page.locator('.root [data-pointer="/v/a"]').innerText()).toContain('at least 2 characters');
    await at.field('/v/a').fill('12');
    expect((await at.call()).sent).toBe('{"v":{"a":"12"}}');
  });

  it(proves('console.form', 'a listed object with its keys in another order'), async () => {
    await at.open('Listed', { e: { b: 2, a: 1 } });
    expect(await at.chosen('[data-pointer="/e"] select')).toBe('{"a":1,"b":2}');
  });

  it.each(['Wide', 'Mutual'])(
    proves('console.form', 'the tree of a type that contains itself ends: %s'),
    async (name) => {
      await at.open(name);
      const count = await at.page.locator('.docs .tree').first().locator('li').count();
      expect(count).toBeGreaterThan(8);
      expect(count).toBeLessThan(1200);
    },
  );
});
