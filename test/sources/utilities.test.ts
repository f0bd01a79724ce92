import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import type { App } from '../../src/app/app.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { compilers } from './compilers.ts';
import * as utilities from './fixtures/utilities.ts';

const path = fileURLToPath(new URL('fixtures/utilities.ts', import.meta.url));

/** Calls and their data. In process, dates and big integers are themselves again. */
const calls: readonly (readonly [name: string, input: object, data: unknown])[] = [
  ['chunk', { items: ['a', 'b', 'c'], size: 2 }, [['a', 'b'], ['c']]],
  ['chunk', { items: ['a', 'b'] }, [['a'], ['b']]],
  ['clamp', { value: 5, lower: 1, upper: 3 }, 3],
  ['slugify', { text: 'Hello World' }, 'hello-world'],
  ['slugify', { text: 'Hello World', options: undefined }, 'hello-world'],
  ['addDays', { date: '2020-02-28T00:00:00Z', amount: 2 }, new Date('2020-03-01T00:00:00Z')],
  ['differenceInDays', { later: '2020-03-01T00:00:00Z', earlier: '2020-02-28T00:00:00Z' }, 2],
  ['groupByLength', { texts: ['a', 'bb', 'c'] }, { 1: ['a', 'c'], 2: ['bb'] }],
  ['toPairs', { object: { a: 1 } }, [['a', 1]]],
  ['range', { start: 3 }, [0, 1, 2]],
  ['range', { start: 1, end: 6, step: 2 }, [1, 3, 5]],
  ['intersection', { lists: [[1, 2, 3], [2, 3], [3]] }, [3]],
  ['uniq', { items: ['a', 'b', 'a'] }, ['a', 'b']],
  ['prettyBytes', { bytes: 1337 }, '1.3 kB'],
  ['prettyBytes', { bytes: 1337, options: { unit: 'B' } }, '1337 B'],
  ['ms', { value: '2h' }, 7_200_000],
  ['parseVersion', { version: '1.2.3-beta.1' }, { major: 1, minor: 2, patch: 3, prerelease: ['beta', '1'] }],
  ['parseVersion', { version: 'x' }, null],
  ['compareVersions', { v1: '1.2', v2: '1.10' }, -1],
  ['parseUrl', { url: 'https://a.example/b?c=d' }, { host: 'a.example', path: '/b', query: { c: 'd' } }],
  ['mix', { a: [0, 0, 0], b: [255, 255, 255] }, [128, 128, 128]],
  ['checksum', { bytes: 'AQID' }, 6],
  ['checksum', { bytes: 'AQID', algorithm: 'xor' }, 0],
  ['flattenTree', { tree: { name: 'a', children: [{ name: 'b' }] } }, ['a', 'b']],
  ['render', { template: '{a} {b}', data: { a: 1, b: true } }, '1 true'],
  ['factorial', { n: '25' }, 15511210043330985984000000n],
  [
    'paginate',
    { items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    { items: [{ id: 'a' }, { id: 'b' }], page: 1, hasMore: true },
  ],
  ['words', { text: 'a b c' }, 3],
];

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  let app: App;

  beforeAll(async () => {
    const { description } = await describeModule(path, { typescript: folder });
    expect(description.refusals).toEqual([]);
    expect(description.functions).toHaveLength(Object.keys(utilities).length);
    app = createApp({ name: 'Utilities', version: '1', functions: bindModule(description, utilities), log: silent });
  });

  it.each(calls)('%s(%j)', async (name, input, data) => {
    expect(await app.call(name as never, input as never)).toEqual({ ok: true, data });
  });
});

const nothing = () => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
