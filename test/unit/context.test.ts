import { createApp, createFiles, defineFunction, defineWith, Failure, memoryFolder, type Context } from 'everywire';
import { mcpContent } from 'everywire/responses';
import { createTestContext } from 'everywire/testing';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { lazily } from '../../src/core/lazily.ts';
import { logOf, throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const any = { description: 'Anything' } as const;

/** An app with one function that uses its context in a given way. */
function appWith(run: (input: unknown, context: Context) => unknown, options: object = {}) {
  return createApp({
    name: 'Detached',
    version: '1',
    log: logOf(),
    functions: [defineFunction({ name: 'F', description: 'F', output: any, timeout: 1000, run })],
    ...options,
  });
}

/** Uses every member of a context after destructuring. */
async function useAll(context: Context) {
  const { operationId, signal, deadline, caller, log, env, files, repairs } = context;
  const { attach, progress, ask, canAsk, request } = context;
  const { debug, info, warn, error } = log;
  const { get, list } = env;
  const { changeDirectory, read, readText, write, rewrite, append, copy, remove, chmod, makeDirectory, stat, find } =
    files;
  attach(mcpContent.text('beside'));
  progress(1, 2, 'half');
  for (const say of [debug, info, warn, error]) say('said', { more: 1 });
  await makeDirectory('/m/d');
  await write('/m/d/a.txt', 'abc');
  await rewrite('/m/d/a.txt', 1, 'X');
  await append('/m/d/a.txt', '!');
  await copy('/m/d/a.txt', '/m/d/b.txt');
  await chmod('/m/d/b.txt', 0o600);
  await changeDirectory('/m/d');
  const found = await find('*.txt');
  const listed = await files.list();
  const text = await readText('a.txt');
  const bytes = await read('b.txt', { offset: 0, length: 1 });
  await remove('b.txt');
  const asked = await ask({ type: 'object', properties: {} }, 'What?').catch((thrown: unknown) => thrown);
  const requested = await request('roots/list').catch((thrown: unknown) => thrown);
  return {
    operationId,
    isSignal: signal instanceof AbortSignal,
    hasDeadline: typeof deadline === 'number',
    wire: caller.wire,
    repairs,
    found: found.map(({ name }) => name),
    listed: listed.map(({ name }) => name),
    text,
    bytes: [...bytes],
    gone: (await stat('b.txt')) === undefined,
    directory: files.currentDirectory,
    variable: get('A'),
    variables: list(),
    canAsk: canAsk(),
    asked: (asked as { code?: string }).code,
    requested: (requested as { code?: string }).code,
  };
}

const used = {
  operationId: 'functions.F',
  isSignal: true,
  hasDeadline: true,
  wire: 'process',
  repairs: [],
  found: ['a.txt', 'b.txt'],
  listed: ['a.txt', 'b.txt'],
  text: 'aXc!',
  bytes: [97],
  gone: true,
  directory: '/m/d',
  variable: 'x',
  variables: { A: 'x' },
  canAsk: false,
  asked: 'INPUT_REQUIRED',
  requested: 'INPUT_REQUIRED',
};

const surroundings = () => ({ env: { A: 'x' }, files: createFiles([{ at: '/m', folder: memoryFolder() }]) });

describe('every member of the context works', () => {
  const ways: Record<string, (input: unknown, context: Context) => unknown> = {
    'taken out': (_input, context) => useAll(context),
    copied: (_input, context) => useAll({ ...context }),
    'copied with something else': (_input, context) => useAll(Object.assign({ user: 'me' }, context)),
    'taken out of rest arguments': (...[, context]) => useAll({ ...context }),
  };
  for (const [title, run] of Object.entries(ways))
    it(proves('context.detached', title), async () => {
      const onProgress = vi.fn();
      const outcome = await appWith(run).call('F', {}, { ...surroundings(), onProgress });
      expect(outcome).toMatchObject({ ok: true, data: used });
      expect(outcome.ok && outcome.content).toEqual([{ type: 'text', text: 'beside' }]);
      expect(onProgress).toHaveBeenCalledExactlyOnceWith({ done: 1, total: 2, message: 'half' });
    });

  it('if the function declares one parameter', async () => {
    // oxlint-disable-next-line prefer-rest-params -- the only way to it
    const app = appWith(function one(_input: unknown) {
      const { progress, log, files } = arguments[1] as Context; // oxlint-disable-line prefer-rest-params
      const { info } = log;
      info('x');
      progress(1);
      const { stat } = files;
      return stat('/').then((entry) => entry?.kind);
    });
    expect(await app.call('F')).toEqual({ ok: true, data: 'directory' });
  });

  it('in middleware', async () => {
    const app = appWith((_input, context) => (context as Context & { user?: string }).user, {
      middleware: [
        async ({ context }: { context: Context }, next: () => Promise<never>) => {
          Object.assign(context, { user: 'me' });
          const { log } = { ...context };
          log.info('x');
          return next();
        },
      ],
    });
    expect(await app.call('F')).toEqual({ ok: true, data: 'me' });
  });
});

it('a signal is created on first access only, and is aborted', async () => {
  let made = 0;
  const { AbortController: Real } = globalThis;
  class Counting extends Real {
    constructor() {
      super();
      made++;
    }
  }
  vi.stubGlobal('AbortController', Counting);
  try {
    const app = appWith((_input, { operationId }) => operationId);
    for (let i = 0; i < 10; i++) await app.call('F');
    expect(made).toBe(0);
  } finally {
    vi.unstubAllGlobals();
  }
  let aborted: unknown;
  const slow = appWith((_input, context) => {
    const { signal } = { ...context };
    signal.addEventListener('abort', () => (aborted = signal.reason));
    return new Promise<void>(() => {});
  });
  expect(await slow.call('F', {}, { timeout: 20 })).toMatchObject({ error: { code: 'TIMEOUT' } });
  expect(aborted).toMatchObject({ name: 'AbortError' });
});

it('progress that is not a number is dropped', async () => {
  const onProgress = vi.fn();
  const app = appWith((_input, { progress }) => {
    progress(NaN);
    progress(Infinity, 2);
    progress('1' as never);
    progress(1, NaN, 5 as never);
    progress(2, 0, '\ud800');
    return 1;
  });
  expect(await app.call('F', {}, { onProgress })).toEqual({ ok: true, data: 1 });
  expect(onProgress.mock.calls).toEqual([[{ done: 1 }], [{ done: 2, total: 0, message: '\ufffd' }]]);
});

describe('what a function logs', () => {
  it(proves('context.log', 'contains the function and the request id'), async () => {
    const log = logOf();
    const app = appWith(
      (_input, context) => {
        context.log.info('one');
        context.log.warn('two', { operationId: 'mine', more: 1 });
        throw new Error('broken');
      },
      { log },
    );
    await app.respond({ name: 'F', caller: { wire: 'test', requestId: 'r-1' } });
    expect(log.info).toHaveBeenCalledExactlyOnceWith('one', { operationId: 'functions.F', requestId: 'r-1' });
    expect(log.warn).toHaveBeenCalledExactlyOnceWith('two', { operationId: 'mine', requestId: 'r-1', more: 1 });
    expect(log.error.mock.calls[0]?.[1]).toMatchObject({ operationId: 'functions.F', requestId: 'r-1' });
  });

  it('has the id of the audit record, or a new one', async () => {
    const log = logOf();
    const records: { requestId: string }[] = [];
    const run = (_input: unknown, context: Context) => {
      context.log.info('one');
      context.log.info('two');
      return 1;
    };
    await appWith(run, { log, audit: { to: (record: never) => records.push(record) } }).call('F');
    await appWith(run, { log }).call('F');
    const ids = log.info.mock.calls.map(([, fields]) => (fields as { requestId: string }).requestId);
    expect(ids).toEqual([records[0]?.requestId, records[0]?.requestId, ids[2], ids[2]]);
    expect(ids[2]).toMatch(/^[\da-f-]{36}$/);
    expect(ids[2]).not.toBe(ids[0]);
  });
});

const typed = defineWith<{ deps: { prices: Map<string, number> }; values: { customer: string } }>();
const input = z.object({ sku: z.string().describe('d') });
const getPrice = typed.defineFunction({
  name: 'GetPrice',
  description: 'd',
  input,
  output: z.number().describe('d'),
  run: ({ sku }, { deps, log }) => {
    log.info('looked up', { sku });
    return deps.prices.get(sku) ?? new Failure('NOT_FOUND', `No ${sku}`);
  },
});
const order = typed.defineFunction({
  name: 'Order',
  description: 'd',
  input,
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
    const run = async (_input: object, { ask: question }: Context) => (await question(z.object({ n: z.int() }), '?')).n;
    const ask = defineFunction({ name: 'Ask', description: 'd', output: any, run });
    expect(await ask.run({}, createTestContext({ answers: [{ n: 'x' }, { n: 3 }] }))).toBe(3);
    await expect(ask.run({}, createTestContext({ answers: ['decline'] }))).rejects.toMatchObject({ code: 'DECLINED' });
    await expect(ask.run({}, createTestContext({ answers: ['cancel'] }))).rejects.toMatchObject({ code: 'CANCELLED' });
    await expect(ask.run({}, createTestContext())).rejects.toMatchObject({ code: 'INPUT_REQUIRED' });
    const { canAsk, request } = createTestContext({ answers: [{ roots: [] }] });
    expect([canAsk(), await request('roots/list'), canAsk()]).toEqual([true, { roots: [] }, false]);
  });

  it(proves('context.testing', 'refuses unknown options'), () => {
    expect(() => createTestContext({ dep: {} } as never)).toThrow(
      'createTestContext: unknown option "dep" (did you mean "deps"?)',
    );
  });
});

it('loads once, and tries again after a failure', async () => {
  const load = vi.fn(async () => 'loaded');
  load.mockRejectedValueOnce(new Error('EMFILE'));
  const get = lazily(load);
  const [first, second] = await Promise.allSettled([get(), get()]);
  expect([first.status, second.status, load.mock.calls.length]).toEqual(['rejected', 'rejected', 1]);
  expect(await Promise.all([get(), get(), get()])).toEqual(['loaded', 'loaded', 'loaded']);
  expect(load).toHaveBeenCalledTimes(2);
});
