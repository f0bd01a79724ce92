import fc from 'fast-check';
import { textOf } from 'everywire/responses';
import { expect, it } from 'vitest';
import { proves } from '../promises.ts';

const cases: readonly (readonly [title: string, data: unknown, text: string])[] = [
  ['nothing', undefined, 'Done.'],
  ['null', null, '(none)'],
  ['an empty text', ' ', '(empty)'],
  ['a number', 4.5, '4.5'],
  ['a text of several lines', 'one\ntwo', 'one\ntwo'],
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
];

for (const [title, data, text] of cases) {
  it(proves('response.text', title), () => expect(textOf(data)).toBe(text));
}

it(
  proves('response.text', 'of very long and very many values is made in one pass, and says what it leaves out'),
  () => {
    const long = `x${' '.repeat(1_000_000)}x`;
    expect(textOf([{ a: long }])).toContain(long);
    const many = Array.from({ length: 300_000 }, (_, i) => ({ i }));
    expect(textOf(many).split('\n').at(-1)).toBe('… and 299000 more');
    expect(textOf(many.map(({ i }) => i)).split('\n')).toHaveLength(1001);
    expect(
      textOf(Object.fromEntries(many.map(({ i }) => [`k${i}`, i])))
        .split('\n')
        .at(-1),
    ).toBe('… and 299000 more');
  },
);

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
