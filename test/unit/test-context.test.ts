import { createFiles, defineFunction, defineWith, Failure, memoryFolder } from 'everywire';
import { createTestContext } from 'everywire/testing';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { proves } from '../promises.ts';
import { throwing } from '../kit/parts.ts';

const any = { description: 'Anything' } as const;
const typed = defineWith<{ deps: { prices: Map<string, number> }; values: { customer: string } }>();
const getPrice = typed.defineFunction({
  name: 'GetPrice',
  description: 'd',
  input: z.object({ sku: z.string().describe('d') }),
  output: z.number().describe('d'),
  run: ({ sku }, { deps, log }) => {
    log.info('looked up', { sku });
    return deps.prices.get(sku) ?? new Failure('NOT_FOUND', `No ${sku}`);
  },
});
const order = typed.defineFunction({
  name: 'Order',
  description: 'd',
  input: z.object({ sku: z.string().describe('d') }),
  output: any,
  run: async ({ sku }, context) => {
    context.progress(1, 2, 'half');
    context.attach({ type: 'text', text: 'note' });
    return `${context.values.customer} pays ${await context.call(getPrice, { sku })}`;
  },
});

const given = { deps: { prices: new Map([['tea', 3]]) }, values: { customer: 'Ada' } };

describe('createTestContext', () => {
  it(proves('context.testing', 'calls real functions and records what happens'), async () => {
    const context = createTestContext({ ...given, functions: [getPrice] });
    expect(await order.run({ sku: 'tea' }, context)).toBe('Ada pays 3');
    expect(context.progressReports).toEqual([{ done: 1, total: 2, message: 'half' }]);
    expect(context.attached).toEqual([{ type: 'text', text: 'note' }]);
    expect(context.logged).toEqual([{ level: 'info', message: 'looked up', fields: { sku: 'tea' } }]);
    await expect(order.run({ sku: 'milk' }, context)).rejects.toMatchObject({ code: 'NOT_FOUND', message: 'No milk' });
    await expect(context.call(getPrice, {} as never)).rejects.toThrow(/^context.call: functions.GetPrice: Invalid arg/);
  });

  it(proves('context.testing', 'calls stand-ins'), async () => {
    const calls = { GetPrice: ({ sku }: { sku: string }) => sku.length };
    expect(await order.run({ sku: 'tea' }, createTestContext({ ...given, calls }))).toBe('Ada pays 3');
    const failing = { GetPrice: throwing(new Failure('GONE', 'Sold out')) };
    await expect(order.run({ sku: 'x' }, createTestContext({ ...given, calls: failing }))).rejects.toThrow('Sold out');
    await expect(order.run({ sku: 'x' }, createTestContext(given))).rejects.toThrow(
      'createTestContext: GetPrice is called; add it to functions, or a stand-in to calls',
    );
  });

  it(proves('context.testing', 'has every member of a context'), async () => {
    const files = createFiles([{ at: '/m', folder: memoryFolder() }]);
    const controller = new AbortController();
    const context = createTestContext({
      env: { A: '1' },
      files,
      caller: { requestId: 'r' },
      principal: { id: 'ada', scopes: ['read'] },
      signal: controller.signal,
      deadline: 5,
      operationId: 'functions.F',
    });
    const { env, caller, deadline, operationId, signal, repairs, deps, values, principal } = context;
    await context.files.write('/m/a', 'x');
    expect({ a: env.get('A'), caller, deadline, operationId, repairs, deps, values, principal }).toEqual({
      a: '1',
      caller: { wire: 'process', isLocal: true, requestId: 'r' },
      principal: { id: 'ada', kind: 'local', scopes: ['read'], claims: {} },
      deadline: 5,
      operationId: 'functions.F',
      repairs: [],
      deps: {},
      values: {},
    });
    expect(signal.aborted).toBe(false);
    controller.abort();
    expect(signal.aborted).toBe(true);
    expect(createTestContext({ signal: controller.signal }).signal.aborted).toBe(true);
    expect({ ...context }).toMatchObject({ progressReports: [], attached: [], logged: [] });
  });

  it(proves('context.testing', 'answers questions, which are validated'), async () => {
    const ask = defineFunction({
      name: 'Ask',
      description: 'd',
      output: any,
      run: async (_input, context) => (await context.ask(z.object({ n: z.int() }), 'How many?')).n,
    });
    expect(await ask.run({}, createTestContext({ answers: [{ n: 'x' }, { n: 3 }] }))).toBe(3);
    await expect(ask.run({}, createTestContext({ answers: ['decline'] }))).rejects.toMatchObject({ code: 'DECLINED' });
    await expect(ask.run({}, createTestContext({ answers: ['cancel'] }))).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(ask.run({}, createTestContext())).rejects.toMatchObject({ code: 'INPUT_REQUIRED' });
    const context = createTestContext({ answers: [{ roots: [] }] });
    expect([context.canAsk(), await context.request('roots/list'), context.canAsk()]).toEqual([
      true,
      { roots: [] },
      false,
    ]);
  });

  it(proves('context.testing', 'refuses unknown options'), () => {
    expect(() => createTestContext({ dep: {} } as never)).toThrow(
      'createTestContext: unknown option "dep" (did you mean "deps"?)',
    );
  });
});
