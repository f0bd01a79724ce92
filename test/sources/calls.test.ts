import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import type { App } from '../../src/app/app.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import type { ModuleDescription } from '../../src/sources/module/description.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { silent } from '../kit/functions.ts';
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
  ['records', {}, { a: { name: 'n' } }],
  ['maps', {}, { a: { name: 'n' } }],
  ['pairs', {}, [[1, { name: 'n' }]]],
  ['sets', {}, [{ name: 'n' }]],
  ['classOf', { x: 'none' }, 'String of String'],
  ['classOf', { x: 'https://a.example' }, 'URL of URL'],
  ['classOf', { x: ['ab'] }, 'Set of Set'],
  ['classOf', { x: ['bb'] }, 'Array of String'],
  ['classOf', { x: { k: ['c'] } }, 'Object of Set'],
  ['classOf', { x: { k: 1 } }, 'Object of Number'],
  ['derived', {}, Array.from({ length: 2 }, () => ({ id: 1, name: 'n' }))],
];

/** Calls and their data. In process, dates and big integers are themselves again. */
const utilityCalls: readonly Call[] = [
  ['slugify', { text: 'Hello World' }, 'hello-world'],
  ['slugify', { text: 'Hello World', options: undefined }, 'hello-world'],
  ['addDays', { date: '2020-02-28T00:00:00Z', amount: 2 }, new Date('2020-03-01T00:00:00Z')],
  ['parseUrl', { url: 'https://a.example/b?c=d' }, { host: 'a.example', path: '/b', query: { c: 'd' } }],
  ['checksum', { bytes: 'AQID' }, 6],
  ['checksum', { bytes: 'AQID', algorithm: 'xor' }, 0],
  ['flattenTree', { tree: { name: 'a', children: [{ name: 'b' }] } }, ['a', 'b']],
  ['factorial', { n: '25' }, 15511210043330985984000000n],
  [
    'paginate',
    { items: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    { items: [{ id: 'a' }, { id: 'b' }], page: 1, hasMore: true },
  ],
  ['words', { text: 'a b c' }, 3],
];

const modules = [
  { module: 'sent', bind: (read: ModuleDescription) => bindModule(read, sent), calls: sentCalls },
  { module: 'utilities', bind: (read: ModuleDescription) => bindModule(read, utilities), calls: utilityCalls },
];

describe.each(compilers.flatMap((compiler) => modules.map((one) => ({ ...compiler, ...one }))))(
  '$module, with TypeScript $version',
  ({ folder, module, bind, calls }) => {
    let app: App;
    beforeAll(async () => {
      const path = fileURLToPath(new URL(`fixtures/${module}.ts`, import.meta.url));
      const { description } = await describeModule(path, { typescript: folder });
      expect(description.refusals).toEqual([]);
      app = createApp({ name: 'Called', version: '1', functions: bind(description), log: silent });
    });

    it.each(calls)('%s(%j)', async (name, input, data) => {
      expect(await app.call(name as never, input as never)).toEqual({ ok: true, data });
    });

    it('takes no call without what is needed', async () => {
      const [name, input] = module === 'sent' ? ['need', { x: { id: 1 } }] : ['addDays', { amount: 1 }];
      expect(await app.call(name as never, input as never)).toMatchObject({ ok: false });
    });
  },
);
