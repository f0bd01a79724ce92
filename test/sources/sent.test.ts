import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../src/app/create-app.ts';
import type { App } from '../../src/app/app.ts';
import { bindModule } from '../../src/sources/module/bind-module.ts';
import { describeModule } from '../../src/sources/module/describe-module.ts';
import { compilers } from './compilers.ts';
import * as sent from './fixtures/sent.ts';

const path = fileURLToPath(new URL('fixtures/sent.ts', import.meta.url));

/** What leaves the server: what is described, and all of it. */
const calls: readonly (readonly [name: keyof typeof sent, input: object, data: unknown])[] = [
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

describe.each(compilers)('with TypeScript $version', ({ folder }) => {
  let app: App;

  beforeAll(async () => {
    const { description } = await describeModule(path, { typescript: folder });
    expect(description.refusals).toEqual([]);
    app = createApp({ name: 'Sent', version: '1', functions: bindModule(description, sent), log: silent });
  });

  it.each(calls)('%s(%j)', async (name, input, data) => {
    expect(await app.call(name as never, input as never)).toEqual({ ok: true, data });
  });

  it('takes what is needed', async () => {
    expect(await app.call('need' as never, { x: { id: 1 } } as never)).toMatchObject({ ok: false });
  });
});

const nothing = () => {};
const silent = { debug: nothing, info: nothing, warn: nothing, error: nothing };
