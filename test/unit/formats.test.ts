import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadFormat } from '../../src/wires/cli/formats.ts';
import { explainJsonMistake } from '../../src/wires/cli/json-mistake.ts';
import { widthOf } from '../../src/responses/columns.ts';
import { proves } from '../promises.ts';

const ORDERS = [
  { id: 'AB-1', total: 10, lines: [{ sku: 'tea', count: 2 }] },
  { id: 'AB-2', total: 2.5, note: 'urgent\nfragile' },
];

const printed = async (name: Parameters<typeof loadFormat>[0], data: unknown, width = 80) =>
  (await loadFormat(name, width))(data);

describe('formats', () => {
  it(proves('cli.format', 'JSON is indented, JSON lines have one line for each item'), async () => {
    expect(await printed('json', { a: [1] })).toBe('{\n  "a": [\n    1\n  ]\n}\n');
    expect(await printed('jsonl', ORDERS)).toBe(`${JSON.stringify(ORDERS[0])}\n${JSON.stringify(ORDERS[1])}\n`);
    expect(await printed('jsonl', { a: 1 })).toBe('{"a":1}\n');
    expect(await printed('jsonl', [])).toBe('');
  });

  it(proves('cli.format', 'YAML means the same as the JSON'), async () => {
    const shared = { a: 1 };
    const texts = ['no', '2026-01-31', 'x'.repeat(500)];
    for (const data of [ORDERS, ...texts, null, [], {}, { yes: 'on', 'x: y': '- a' }, [shared, shared]])
      expect(parse(await printed('yaml', data))).toEqual(data);
    expect(await printed('yaml', [shared, shared])).toBe('- a: 1\n- a: 1\n');
  });

  it(proves('cli.format', 'a table has a row for each item, or for each field of an object'), async () => {
    expect(await printed('table', ORDERS)).toBe(
      [
        'id    total  lines                      note',
        '----  -----  -------------------------  ----------------',
        'AB-1  10     [{"sku":"tea","count":2}]',
        'AB-2  2.5                               urgent ↵ fragile',
        '',
      ].join('\n'),
    );
    expect(await printed('table', { a: 1, b: null })).toBe('field  value\n-----  -----\na      1\nb\n');
    expect(await printed('table', ['x', 2])).toBe('value\n-----\nx\n2\n');
    expect(await printed('table', [])).toBe('value\n-----\n');
    expect(await printed('table', 'done')).toBe('value\n-----\ndone\n');
  });

  it(proves('cli.format', 'a table is never wider than its limit, and prints no control characters'), async () => {
    const wide = Array.from({ length: 30 }, (_, i) => [`column${i}`, '日本語\u001b[31m'.repeat(20)]);
    for (const width of [1, 10, 40, 80, 200]) {
      const text = await printed('table', [Object.fromEntries(wide)], width);
      expect(text).not.toContain('\u001b');
      const table = text.split('\n').filter((line) => !line.startsWith('(not shown: '));
      expect(Math.max(...table.map(widthOf))).toBeLessThanOrEqual(Math.max(width, 6));
    }
  });

  it(proves('cli.format', 'nothing is printed if nothing is returned, except as text'), async () => {
    for (const name of ['json', 'jsonl', 'yaml', 'table'] as const) expect(await printed(name, undefined)).toBe('');
    expect(await printed('text', undefined)).toBe('Done.\n');
  });
});

describe('the place of a mistake in JSON', () => {
  it.each([
    ['{"a": 日本}', 'line 1, column 7: unexpected "日"\n  {"a": 日本}\n        ^'],
    ['{"日本": x}', 'line 1, column 8: unexpected "x"\n  {"日本": x}\n           ^'],
    ['{\n\t"a": \u001b[31m}', 'line 2, column 7: unexpected "\\u001b"\n   "a":  [31m}\n        ^'],
    [
      `{"a": "${'x'.repeat(100)}" "b": "${'y'.repeat(100)}"}`,
      `line 1, column 110: unexpected "\\""\n  …${'x'.repeat(38)}" "b": "${'y'.repeat(34)}…\n  ${' '.repeat(41)}^`,
    ],
    ['', 'line 1, column 1: unexpected end\n  \n  ^'],
  ])(proves('cli.input', 'has a caret below it: %j'), (text, expected) => {
    expect(explainJsonMistake(text)).toBe(expected);
  });
});
