import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import type { App } from '../../src/app/app.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import * as sent from './fixtures/sent.ts';
import * as utilities from './fixtures/utilities.ts';
import { compilers } from './read-source.ts';

type Call = readonly [name: string, input: object, data: unknown];

/** What leaves the server: what is described, and all of it. */
const sentCalls: readonly Call[] = [
  ['branded', {}, { a: { name: 'n' } }],
  ['shouted', {}, { A: { name: 'n' } }],
  ['numbered', {}, { 1: { name: 'n' }, other: 1 }],
  ['templated', {}, { x_a: { name: 'n', age: 1 }, x_b: { name: 'n' } }],
  ['open', {}, { name: 'n' }],
  ['openOrNot', { isOpen: true }, { name: 'n' }],
  ['openOrNot', { isOpen: false }, null],
  ['prefixed', {}, { x_name: 'n' }],
  ['stamp', { x: { id: 1 } }, { id: 1, at: 1 }],
  ['need', { x: { id: 1, name: 'n' } }, { id: 1 }],
  ['plainObject', {}, { name: 'n' }],
  ['processor', {}, { id: 1, model: 'm', speed: 1, times: { user: 1, nice: 1, sys: 1, idle: 1, irq: 1 } }],
  ['memory', {}, { id: 1, own: true, rss: 1, heapTotal: 1, heapUsed: 1, external: 1, arrayBuffers: 1 }],
  ['lazy', {}, { name: 'n' }],
  ['lazyOrNot', {}, { name: 'n' }],
  ['tags', {}, ['a']],
  ['brandedList', {}, ['a']],
  ['settable', {}, { name: 'n' }],
  ['field', { k: 'id' }, 1],
  ['field', { k: 'text' }, null],
  ['empty', {}, []],
  ['emptyRecord', {}, {}],
  ['onlyMethods', {}, {}],
  [
    'derived',
    {},
    [
      { id: 1, name: 'n' },
      { id: 1, name: 'n' },
    ],
  ],
];

/** Calls and their data. In process, dates and big integers are themselves again. */
const utilityCalls: readonly Call[] = [
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

const nothing = () => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };

const modules = [
  { module: 'sent', exports: sent, calls: sentCalls },
  { module: 'utilities', exports: utilities, calls: utilityCalls },
];

describe.each(compilers.flatMap((compiler) => modules.map((one) => ({ ...compiler, ...one }))))(
  '$module, with TypeScript $version',
  ({ folder, module, exports, calls }) => {
    let app: App;
    beforeAll(async () => {
      const path = fileURLToPath(new URL(`fixtures/${module}.ts`, import.meta.url));
      const { description } = await describeModule(path, { typescript: folder });
      expect(description.refusals).toEqual([]);
      expect(description.functions).toHaveLength(Object.keys(exports).length);
      app = createApp({ name: 'Called', version: '1', functions: bindModule(description, exports), log: silent });
    });

    it.each(calls)('%s(%j)', async (name, input, data) => {
      expect(await app.call(name as never, input as never)).toEqual({ ok: true, data });
    });

    it('takes no call without what is needed', async () => {
      const [name, input] = module === 'sent' ? ['need', { x: { id: 1 } }] : ['clamp', { value: 1 }];
      expect(await app.call(name as never, input as never)).toMatchObject({ ok: false });
    });
  },
);
