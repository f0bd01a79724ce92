import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createStaticFiles } from '../../src/console-server/static-files.ts';
import { readJson, writeJson } from '../../src/console/form/json-text.ts';
import { readNumber } from '../../src/console/form/read-number.ts';
import { milliseconds } from '../../src/console/format.ts';
import { addChunk, NO_CHUNKS, type Chunks } from '../../src/console/last-chunks.ts';
import { rowsOf } from '../../src/console/list-rows.ts';
import { paced } from '../../src/console/paced.ts';
import { computed } from '../../src/console/wires/sha256.ts';
import { proves } from '../promises.ts';

describe('the last chunks', () => {
  const all = (chunks: readonly unknown[]) => chunks.reduce<Chunks>(addChunk, NO_CHUNKS);

  it('keeps the last chunks', () => {
    expect(all(['a', { b: 1 }, 2])).toEqual({ lines: ['a', '{"b":1}', '2'], skipped: 0 });
    const { lines, skipped } = all(Array.from({ length: 1000 }, (_, i) => i));
    expect([lines.length, lines.at(-1), skipped]).toEqual([200, '999', 800]);
  });

  it('keeps as many characters as there is room for', () => {
    const { lines, skipped } = all(Array.from({ length: 50 }, (_, i) => `${i}${'x'.repeat(10_000)}`));
    expect([lines.length, skipped]).toEqual([9, 41]);
    const one = all(['x'.repeat(1_000_000)]);
    expect([one.lines[0]!.length, one.skipped]).toEqual([100_001, 0]);
  });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('paints ten times a second, and the last value at once when asked', () => {
    const painted: number[] = [];
    const { show, flush } = paced((value: number) => painted.push(value));
    for (let i = 1; i <= 1000; i++) {
      show(i);
      vi.advanceTimersByTime(1);
    }
    expect(painted.length).toBe(10);
    show(2000);
    flush();
    flush();
    vi.advanceTimersByTime(1000);
    expect(painted.at(-1)).toBe(2000);
    expect(painted.length).toBe(11);
  });
});

describe('a number that is typed', () => {
  it.each([
    ['-5', '-5'],
    ['+1.50', '1.5'],
    ['.5', '0.5'],
    ['5.', '5'],
    ['9007199254740993', '9007199254740993'],
    ['-0009007199254740993.', '-9007199254740993'],
    ['+.1e400', '0.1e400'],
    ['-', '"-"'],
    ['0x10', '"0x10"'],
  ])(proves('console.form', '%s is sent as %s'), (typed, sent) => {
    expect(writeJson(readNumber(typed))).toBe(sent);
  });

  it(proves('console.form', 'stays as it is inside of JSON, with text that is no number next to it'), () => {
    const text = '{"a":[1e400,9007199254740993],"b":"9007199254740993 \\"0\\""}';
    expect(writeJson(readJson(text))).toBe(text);
  });
});

vi.mock('node:fs/promises', async (load) => {
  const found = await load<typeof import('node:fs/promises')>();
  return { ...found, readdir: vi.fn(found.readdir) };
});

it('the files of the console are read again after a failure', async () => {
  const files = createStaticFiles();
  const request = { method: 'GET', target: '/console/', headers: {}, body: new Uint8Array() };
  vi.mocked(readdir).mockRejectedValueOnce(new Error('EMFILE: too many open files'));
  await expect(files('index.html', request)).rejects.toThrow('EMFILE');
  expect(await files('index.html', request)).toMatchObject({ status: 200 });
});

it('is SHA-256, for every length of the last block', () => {
  for (const length of [...Array.from({ length: 140 }, (_, i) => i), 65_537]) {
    const bytes = Uint8Array.from({ length }, (_, i) => (i * 7 + length) % 256);
    expect(Buffer.from(computed(bytes)).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});

describe('the list of functions', () => {
  const fn = (name: string, group?: string) => ({ name, title: name, description: '', ...(group && { group }) });

  it(proves('console.usable', 'shows functions without a group before the groups, not below them'), () => {
    const rows = rowsOf([fn('Orders.Place', 'Orders'), fn('Ping'), fn('Orders.Find', 'Orders'), fn('Version')], '');
    expect(rows.map(({ key }) => key)).toEqual(['Ping', 'Version', '# Orders', 'Orders.Place', 'Orders.Find']);
  });

  it('has no row for what a search does not find', () => {
    expect(rowsOf([fn('Orders.Place', 'Orders'), fn('Ping')], 'nothing')).toEqual([]);
  });
});

it.each([
  [1.25, '1.3 ms'],
  [999, '999 ms'],
  [1500, '1.50 s'],
  [125_900, '2 min 5 s'],
])('a duration of %d is shown as %s', (duration, shown) => expect(milliseconds(duration)).toBe(shown));
