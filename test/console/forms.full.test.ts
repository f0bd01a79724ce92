import { describe, expect, it } from 'vitest';
import { sharedServer } from '../kit/broker.ts';
import { hasChromium } from '../kit/chromium.ts';
import { proves } from '../promises.ts';
import { ConsoleTest, fillForm, linkTo } from './open-console.ts';
import { shapes } from './shapes.ts';

/** The console of an app whose arguments are hard to show, and what it sends. */
class FormTest extends ConsoleTest {
  #sent: string[] = [];

  constructor() {
    super('test/apps/console-forms.ts');
  }

  override async open(...args: Parameters<ConsoleTest['open']>) {
    const page = await super.open(...args);
    this.#sent = [];
    page.on('request', (request) => {
      if (request.method() === 'POST') this.#sent.push(request.postData() ?? '');
    });
    return page;
  }

  /** Calls, and returns the body that was sent. */
  async sent(): Promise<string> {
    await this.call();
    return this.#sent.at(-1)!;
  }

  /** Presses the button, and returns what was sent: nothing, if there is a mistake. */
  async refused(): Promise<readonly string[]> {
    const before = this.#sent.length;
    await this.press();
    await this.page.locator('.call .submit .problem', { hasText: 'Not sent' }).waitFor();
    return this.#sent.slice(before);
  }

  field(pointer: string) {
    return this.page.locator(`.root [data-pointer="${pointer}"]`).last().locator('input, textarea, select').first();
  }

  async asJson(): Promise<void> {
    await this.page.getByRole('button', { name: 'JSON', exact: true }).click();
  }

  async asForm(): Promise<void> {
    await this.page.getByRole('button', { name: 'Form', exact: true }).click();
  }

  /** The text of the option that a chooser shows. */
  async chosen(selector: string): Promise<string> {
    const select = this.page.locator(selector).first();
    return select.evaluate((one) => (one as HTMLSelectElement).selectedOptions[0]!.text);
  }
}

interface Details {
  readonly examples: readonly { readonly input: object; readonly output?: unknown }[];
}

describe.skipIf(!hasChromium)('the forms of the console', () => {
  const at = new FormTest();

  it.each(shapes)(proves('console.form', 'fills in and calls $name'), async ({ name, value, picks }) => {
    const page = await at.show(name);
    await fillForm(page, { value }, picks);
    expect(JSON.parse(await at.call())).toEqual({ result: value });
    // The editor shows the same.
    await at.asJson();
    expect(JSON.parse(await page.locator('#raw').inputValue())).toEqual({ value });
  });

  it.each(['calculator', 'weather'])(proves('console.form', 'calls all functions of %s'), async (example) => {
    const url = await sharedServer(`examples/${example}/app.ts`);
    const catalogue = await (await fetch(`${url}/console/api/catalogue`)).json();
    const { functions } = catalogue as { functions: readonly { readonly name: string }[] };
    expect(functions.length).toBeGreaterThan(1);
    for (const { name } of functions) {
      await at.show(name, undefined, { url });
      const details = (await (await fetch(`${url}/console/api/function/${name}`)).json()) as Details;
      const [first] = details.examples;
      if (first) await fillForm(at.page, first.input);
      const body = await at.call();
      if (first?.output !== undefined && !Array.isArray(first.output))
        expect(JSON.parse(body)).toEqual({ result: first.output });
      else expect(await at.page.locator('.answer .badge').first().innerText(), name).toBe('OK');
    }
  });

  it(proves('console.form', 'says what is wrong in the words of the server'), async () => {
    const page = await at.show(shapes[2]!.name);
    await fillForm(page, { value: 99 });
    const body = JSON.parse(await at.call()) as { error: string };
    const said = await page.locator('.field .problem').last().innerText();
    expect(body.error).toBe(`Invalid arguments: /value: ${said}`);
    expect(await page.locator('.call .problem').allInnerTexts()).toEqual([said, '1 mistake']);
    // Next to JSON, all of it is in one place.
    await at.asJson();
    expect(await page.locator('#raw-problem').innerText()).toBe(body.error);
    expect(await page.locator('.call .submit .problem').innerText()).toBe('1 mistake');
    expect(await page.locator('.answer .badge').first().innerText()).toBe('INVALID_ARGUMENTS');
    expect(await page.locator('.code-row').innerText()).toContain('The arguments break the input schema.');
  });
});

describe.skipIf(!hasChromium)('a form', () => {
  const at = new FormTest();

  it(proves('console.form', 'of a type that contains itself is opened, and filled in as deep as wanted'), async () => {
    await at.show('Tree');
    await at.field('/tree/value').fill('1');
    expect(JSON.parse(await at.sent())).toEqual({ tree: { value: 1, left: null, right: null } });
    await at.page.getByLabel('Kind of left').selectOption('0');
    await at.field('/tree/left/value').fill('2');
    const filled = { tree: { value: 1, left: { value: 2, left: null, right: null }, right: null } };
    expect(JSON.parse(await at.call())).toEqual({ result: filled });
  });

  it.each([
    ['Tree', {}],
    ['Tree', { tree: { value: 1 } }],
    ['Chain', undefined],
    ['Expression', undefined],
    ['Mutual', undefined],
  ])(proves('console.form', 'of %s is opened with %j'), async (name, input) => {
    await at.show(name, input);
    expect(await at.page.locator('.root .field').count()).toBeLessThan(20);
    if (input) expect(JSON.parse(await at.sent())).toEqual(input);
  });

  it(proves('console.form', 'sends a number as it was typed, and says what the server says'), async () => {
    await at.show('Number');
    await at.page.locator('input.number').fill('9007199254740993');
    expect(await at.sent()).toBe('{"n":9007199254740993}');
    const { error } = JSON.parse(await at.page.locator('.answer pre.body').innerText()) as { error: string };
    expect(error).toContain('is not exact as a JSON number');
    expect(error).toContain(await at.page.locator('.field .problem').last().innerText());
    expect(await at.page.locator('input.number').inputValue()).toBe('9007199254740993');
    await at.page.locator('input.number').fill('+1.50');
    expect(await at.sent()).toBe('{"n":1.5}');
  });

  it.each([1280, 375])(proves('console.usable', 'that is long keeps its button in sight: %d wide'), async (width) => {
    const l = Array.from({ length: 30 }, (_, i) => i);
    const page = await at.show('Items', { l }, { viewport: { width, height: 800 } });
    const isInSight = () =>
      page.locator('.call button.primary').evaluate((button) => {
        const { left, top, width: wide, height } = button.getBoundingClientRect();
        return button.contains(document.elementFromPoint(left + wide / 2, top + height / 2));
      });
    expect(await isInSight()).toBe(true);
    await at.field('/l/15').focus();
    expect(await isInSight()).toBe(true);
    const isFree = await at.field('/l/15').evaluate((input) => {
      const { left, top, height } = input.getBoundingClientRect();
      return input === document.elementFromPoint(left + 5, top + height / 2);
    });
    expect(isFree).toBe(true);
    // The answer is far below, and can be reached from the button.
    await at.press();
    await page.locator('.submit').getByRole('button', { name: 'Answer: OK' }).click();
    await page.locator('.submit').getByRole('button', { name: 'Answer: OK' }).waitFor({ state: 'detached' });
    const { y } = (await page.locator('.answer').boundingBox())!;
    expect(y).toBeLessThan(800);
  });

  it(proves('console.form', 'describes its arguments once; next to JSON, the tree does'), async () => {
    const page = await at.show('AllOf');
    const described = page.getByText('at least 2 characters').filter({ visible: true });
    expect(await described.count()).toBe(1);
    await at.asJson();
    await page.locator('.docs .tree').first().waitFor();
    expect(await described.count()).toBe(1);
  });

  it(proves('console.form', 'shows a mistake that has no field of its own'), async () => {
    const page = await at.show('Items', { l: [...Array.from({ length: 120 }, () => 1), {}] });
    await at.answer();
    await page.locator('.call .submit .problem', { hasText: '/l/120' }).waitFor();
  });

  it(proves('console.form', 'takes over the arguments of a link, and of Back'), async () => {
    await at.show('Loose', { a: 1 });
    await at.page.evaluate((link) => void (location.hash = link), linkTo('Loose', { a: 999 }));
    await expect.poll(() => at.page.locator('input.number').inputValue()).toBe('999');
    expect(await at.sent()).toBe('{"a":999}');
    await at.page.goBack();
    await expect.poll(() => at.page.locator('input.number').inputValue()).toBe('1');
  });

  it(proves('console.form', 'does not write its arguments into the address of another function'), async () => {
    await at.show('Loose');
    await at.page.waitForFunction(() => location.hash.includes('input'));
    // The address has changed, and the page does not know it yet.
    await at.page.evaluate((link) => history.replaceState(null, '', link), linkTo('Number'));
    await at.page.locator('input.number').fill('77');
    await at.page.waitForTimeout(300);
    expect(new URL(at.page.url()).hash).toBe(linkTo('Number'));
    await at.page.evaluate(() => dispatchEvent(new Event('hashchange')));
    await at.page.locator('h1', { hasText: 'Number' }).waitFor();
    expect(await at.page.locator('input.number').inputValue()).toBe('');
  });

  it(proves('console.form', 'never sends text that is no JSON, nor what was there before it'), async () => {
    await at.show('Anything');
    await at.field('/v').fill('12');
    await at.field('/v').fill('12, oops');
    expect(await at.refused()).toEqual([]);
    expect(await at.page.locator('.field .problem').last().innerText()).toContain('no JSON');
    await at.asJson();
    expect(await at.page.locator('#raw').inputValue()).toContain('12, oops');
    expect(await at.page.locator('#raw-problem').innerText()).toContain('no JSON');
    await at.page.locator('#raw').fill('{"v": 7,}');
    await at.asForm();
    expect(await at.page.locator('.root textarea').inputValue()).toBe('{"v": 7,}');
    expect(await at.refused()).toEqual([]);
    await at.page.locator('.root textarea').fill('{"v": 7}');
    expect(await at.sent()).toBe('{"v":7}');
  });
});

describe.skipIf(!hasChromium)('what a form shows is what it sends:', () => {
  const at = new FormTest();

  const shows = (pointer: string, text: string) => async () =>
    expect(await at.chosen(`[data-pointer="${pointer}"] select`)).toBe(text);
  const choose = (pointer: string, option: string) => () => at.field(pointer).selectOption(option);
  const chooseKind = (option: string) => () => at.page.locator('.union select').selectOption(option);
  const press = (name: string) => () => at.page.getByRole('button', { name }).click();
  const type =
    (pointer: string, ...keys: readonly string[]) =>
    async () => {
      await at.field(pointer).focus();
      for (const key of keys) await at.page.keyboard.press(key);
    };
  const addTwice = (name: string) => async () => {
    await at.page.getByLabel('New key in Arguments').fill(name);
    await at.page.keyboard.press('Enter');
    await at.page.getByText('There is such a key already.').waitFor();
  };

  it.each<[what: string, name: string, input: unknown, acts: readonly (() => Promise<unknown>)[], sent: string]>([
    ['an optional constant', 'Constant', { a: 1 }, [shows('/kind', 'not given')], '{"a":1}'],
    ['an optional constant that is chosen', 'Constant', { a: 1 }, [choose('/kind', '0')], '{"a":1,"kind":"admin"}'],
    [
      'another value than the constant',
      'Constant',
      { a: 1, kind: 'other' },
      [shows('/kind', 'not listed: "other"')],
      '{"a":1,"kind":"other"}',
    ],
    ['arguments that are no object', 'Loose', [1, 2], [], '[1,2]'],
    ['a boolean that is missing', 'Flag', {}, [shows('/flag', 'choose…'), choose('/flag', 'false')], '{"flag":false}'],
    ['a list that was emptied', 'ListWithDefault', { l: ['b'] }, [press('Remove l 1')], '{"l":[]}'],
    ['a list that is left out', 'ListWithDefault', { l: ['b'] }, [press('Remove l 1'), press('Leave out l')], '{}'],
    ['a key that is added twice', 'Map', { name: 'Ada', x: 5 }, ['x', 'name'].map(addTwice), '{"name":"Ada","x":5}'],
    ['a key that is cleared', 'Map', { name: 'Ada', x: 5 }, [type('/x', 'Backspace')], '{"name":"Ada","x":null}'],
    ['an item that is cleared', 'Items', { l: [1, 'a'] }, [type('/l/0', 'Backspace')], '{"l":[null,"a"]}'],
    ['an item that is typed again', 'Items', { l: [1, 'a'] }, [type('/l/0', 'Backspace', '-', '2')], '{"l":[-2,"a"]}'],
    ['an optional number, typed again', 'OptionalNumber', { n: 5 }, [type('/n', 'Backspace', '6')], '{"n":6}'],
    ['an optional text', 'OptionalText', undefined, [chooseKind('0')], '{"s":""}'],
    ['no optional text', 'OptionalText', undefined, [chooseKind('0'), chooseKind('not given')], '{}'],
    ['a field that two parts describe', 'AllOf', undefined, [type('/v/a', '1', '2')], '{"v":{"a":"12"}}'],
  ])(proves('console.form', '%s'), async (_what, name, input, acts, sent) => {
    await at.show(name, input);
    for (const act of acts) await act();
    expect(await at.sent()).toBe(sent);
  });

  it.each([
    ['Open', { a: 1, more: 'x' }, '/more', '"x"'],
    ['Loose', { a: 1, more: [2] }, '/more', '[\n  2\n]'],
    ['Branches', { s: { b: 'x' } }, '/s/b', '"x"'],
    ['Loose', { a: '5' }, '/a', '"5"'],
    ['Secret', { key: { no: 'text' } }, '/key', '{\n  "no": "text"\n}'],
  ])(proves('console.form', 'what is not listed, or does not fit: %s %j'), async (name, input, pointer, shown) => {
    await at.show(name, input);
    expect(await at.field(pointer).inputValue()).toBe(shown);
    expect(JSON.parse(await at.sent())).toEqual(input);
  });
});
