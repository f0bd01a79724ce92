import fc from 'fast-check';
import { textOf } from 'everywire/responses';
import { expect, it } from 'vitest';
import { expectLinear } from '../kit/linear.ts';
import { proves } from '../promises.ts';

it.each<[title: string, data: unknown, text: string]>([
  ['nothing', undefined, 'Done.'],
  ['null', null, '(none)'],
  ['an empty text', ' ', '(empty)'],
  ['a number', 4.5, '4.5'],
  ['a string of several lines', 'one\ntwo', 'one\ntwo'],
  ['an empty list', [], '(none)'],
  ['an empty record', {}, '(nothing)'],
  ['a list', ['a', 2, true], '- a\n- 2\n- true'],
  ['a record, aligned', { id: 'i-1', status: 'running' }, 'id:     i-1\nstatus: running'],
  ['a nested record', { id: 1, usage: { cpu: 4, disk: null } }, 'id: 1\nusage:\n  cpu:  4\n  disk: (none)'],
  ['several lines in a field', { a: 'one\ntwo', bb: 1 }, 'a:  one\n    two\nbb: 1'],
  [
    'records as a table, numbers to the right',
    [
      { id: 'i-1', name: 'web', cpu: 4 },
      { id: 'i-22', name: 'db', cpu: 12.5 },
    ],
    '2 items\n\nid    name   cpu\n----  ----  ----\ni-1   web      4\ni-22  db    12.5',
  ],
  [
    'a table with holes, line breaks and wide letters',
    [
      { a: '東京', b: 'x\ny' },
      { a: 'é', c: null },
    ],
    '2 items\n\na     b      c\n----  -----  -\n東京  x ↵ y\né',
  ],
  ['one row', [{ a: 1 }], '1 item\n\na\n-\n1'],
  ['a table inside a record', { rows: [{ a: 1 }, { a: 2 }] }, 'rows:\n  a\n  -\n  1\n  2'],
  ['records that are no table', [{ a: { b: 1 } }, { a: 2 }], '- a:\n    b: 1\n- a: 2'],
])(proves('response.text', '%s'), (_title, data, text) => expect(textOf(data)).toBe(text));

const lastOf = (data: unknown) => textOf(data).split('\n').at(-1);

it(proves('response.text', 'of very many values says how many it leaves out'), () => {
  const many = Array.from({ length: 300_000 }, (_, i) => ({ i }));
  expect(lastOf(many)).toBe('… and 299000 more');
  expect(textOf(many.map(({ i }) => i)).split('\n')).toHaveLength(1001);
  expect(lastOf(Object.fromEntries(many.map(({ i }) => [`k${i}`, i])))).toBe('… and 299000 more');
});

it(proves('response.text', 'cuts cells and names to 80 columns, and marks where'), () => {
  expect(textOf([{ a: 'x'.repeat(80) }, { a: 'y' }])).toContain('x'.repeat(80));
  expect(lastOf([{ a: 'x'.repeat(81), b: 1 }])).toBe(`${'x'.repeat(79)}…  1`);
  expect(textOf([{ ['k'.repeat(200)]: 1, b: 2 }]).split('\n')[2]).toBe(`${'k'.repeat(79)}…  b`);
  expect(lastOf([{ a: '東'.repeat(41) }])).toBe(`${'東'.repeat(39)}…`);
  expect(textOf({ ['k'.repeat(200)]: 'one\ntwo' })).toBe(`${'k'.repeat(79)}…: one\n${' '.repeat(80)}two`);
});

/** Data of about n characters, in different shapes. */
const shapes: Readonly<Record<string, (n: number) => unknown>> = {
  'a string of many lines': (n) => 'a\n'.repeat(n / 2),
  'one long cell in each of eight columns': (n) => [
    Object.fromEntries(Array.from('abcdefgh', (name) => [name, 'x'.repeat(n / 8)])),
    ...Array.from({ length: 999 }, () => ({ h: 1 })),
  ],
  'a long name and many lines': (n) => ({ ['k'.repeat(n / 2)]: 'a\n'.repeat(n / 4) }),
  'one long name among many': (n) => ({
    ['k'.repeat(n / 2)]: 1,
    ...Object.fromEntries(Array.from({ length: n / 20 }, (_, i) => [`k${i}`, i])),
  }),
  'ragged rows': (n) => Array.from({ length: n / 20 }, (_, i) => ({ [`k${i}`]: i })),
  'lists in lists': (n) => Array.from({ length: n / 10 }, () => [[], [1]]),
  'many lines under long names far down': (n) =>
    wrapped('a\n'.repeat(n / 4), 50, (inner) => ({ ['k'.repeat(n / 100)]: inner })),
  'tables in records in lists': (n) => Array.from({ length: n / 40 }, () => ({ a: { b: [{ c: 1 }, { d: 'x' }] } })),
  'deeper than anybody reads': (n) => wrapped(1, n / 4, (inner) => [inner]),
  'marks without a letter': (n) => [{ a: '\u0301'.repeat(n) }, { a: 'b' }],
  'line breaks in cells': (n) => [{ a: '\n'.repeat(n) }, { a: 'b' }],
};

function wrapped(value: unknown, depth: number, wrap: (inner: unknown) => unknown): unknown {
  let outer = value;
  for (let i = 0; i < depth; i++) outer = wrap(outer);
  return outer;
}

it.each(Object.entries(shapes))(proves('response.text', 'has 64 KiB at most, in linear time: %s'), (_title, shape) =>
  expectLinear((length) => {
    const data = shape(length);
    return () => {
      const text = textOf(data);
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(65_536);
      expect(text.isWellFormed()).toBe(true);
    };
  }, 20_000),
);

it(proves('response.text', 'says that it was cut, and is cut between characters'), () => {
  expect(textOf('x'.repeat(65_536))).toBe('x'.repeat(65_536));
  expect(textOf('x'.repeat(65_537)).endsWith('x\n… and more')).toBe(true);
  for (const letter of ['é', '東', '😀']) {
    for (const before of ['', 'a', 'ab', 'abc']) {
      const text = textOf(before + letter.repeat(65_536));
      expect(text.endsWith(`${letter}\n… and more`)).toBe(true);
      expect(Buffer.byteLength(text)).toBeGreaterThan(65_530);
    }
  }
});

it(proves('response.text', 'is made of any JSON, is never empty, and loses no text'), () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (data) => {
      expect(textOf(data).trim()).not.toBe('');
    }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.record({ name: fc.stringMatching(/^\w+$/), n: fc.integer() }), { minLength: 1 }),
      (rows) => {
        const lines = textOf(rows).split('\n');
        expect(lines).toHaveLength(rows.length + 4);
        for (const [i, { name, n }] of rows.entries()) expect(lines[i + 4]?.split(/ +/)).toEqual([name, String(n)]);
      },
    ),
  );
});
