import type { Locator, Page } from 'playwright-core';

type Picks = Readonly<Record<string, number>>;

const step = (key: string | number) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;

/** Fills in the form for a value, as a person would: types, clicks and chooses. */
export async function fillForm(page: Page, arguments_: object, picks: Picks = {}): Promise<void> {
  await fill(page, page.locator('.root > .field'), '', arguments_, picks);
}

const inner = (field: Locator, pointer: string) => field.locator(`[data-pointer=${JSON.stringify(pointer)}]`).first();

async function fill(page: Page, field: Locator, pointer: string, value: unknown, picks: Picks): Promise<void> {
  const union = field.locator(':scope > .union');
  if ((await union.count()) > 0) {
    await union.locator(':scope > select').selectOption(String(picks[pointer] ?? 0));
    const chosen = union.locator(':scope > .field');
    if ((await chosen.count()) > 0) await fill(page, chosen, pointer, value, picks);
    return;
  }
  const own = (selector: string) => field.locator(`:scope > ${selector}, :scope > .joined > ${selector}`);
  if (Array.isArray(value) && (await field.locator(':scope > .list').count()) > 0)
    return fillList(page, field, pointer, value, picks);
  if (typeof value === 'object' && value !== null && (await field.locator(':scope > textarea.code').count()) === 0)
    return fillObject(page, field, pointer, value as Record<string, unknown>, picks);
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

async function fillList(
  page: Page,
  field: Locator,
  pointer: string,
  value: readonly unknown[],
  picks: Picks,
): Promise<void> {
  const rows = field.locator(':scope > .list > .row');
  while ((await rows.count()) < value.length) {
    const before = await rows.count();
    await field.locator(':scope > .list > button').first().click();
    await rows.nth(before).waitFor();
  }
  for (const [i, item] of value.entries())
    await fill(page, inner(rows.nth(i), pointer + step(i)), pointer + step(i), item, picks);
}

async function fillObject(
  page: Page,
  field: Locator,
  pointer: string,
  value: Record<string, unknown>,
  picks: Picks,
): Promise<void> {
  const add = field.locator(':scope > button');
  if ((await add.count()) > 0) await add.click();
  const fields = field.locator(':scope > .fields');
  for (const [name, item] of Object.entries(value)) {
    const place = inner(fields, pointer + step(name));
    if ((await place.count()) === 0) {
      await fields.locator(':scope > .joined input').fill(name);
      await fields.locator(':scope > .joined button').click();
    }
    await fill(page, place, pointer + step(name), item, picks);
  }
}
