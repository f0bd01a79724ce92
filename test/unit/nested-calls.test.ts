import { createApp, defineFunction, definePrompt, defineResource, Failure } from 'everywire';
import type { AppOptions, AuditRecord, Context, Middleware } from 'everywire';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { proves } from '../promises.ts';
import { logOf, throwing } from '../kit/parts.ts';

const any = { description: 'Anything' } as const;

/** A function that returns anything. */
const fn = (name: string, run: (input: any, context: Context) => unknown, more: object = {}) =>
  defineFunction({ name, description: name, output: any, run, ...more });

/** An app with functions that call each other as `run` says. */
function appOf(runs: Record<string, (input: any, context: Context) => unknown>, options: Partial<AppOptions> = {}) {
  const functions = Object.entries(runs).map(([name, run]) => fn(name, run));
  return createApp({ name: 'Nested', version: '1', log: logOf(), errors: 'shown', functions, ...options });
}

describe('context.call', () => {
  it(proves('context.call', 'returns the data, typed, with defaults and revived'), async () => {
    const inner = defineFunction({
      name: 'Inner',
      description: 'd',
      input: z.object({ n: z.int().default(2).describe('n'), at: z.date().describe('at') }),
      output: z.object({ twice: z.int(), at: z.date() }).describe('d'),
      run: ({ n, at }) => ({ twice: 2 * n, at }),
    });
    const outer = fn('Outer', async (_input, { call }) => {
      const { twice, at } = await call(inner, { at: new Date(5) });
      return [twice, at.getTime(), await call('Inner', { n: '7', at: '1970-01-01T00:00:00.007Z' })];
    });
    const app = appOf({}, { functions: [inner, outer] });
    expect(await app.call('Outer')).toEqual({ ok: true, data: [4, 5, { twice: 14, at: '1970-01-01T00:00:00.007Z' }] });
  });

  it(proves('context.call', 'works in resources, prompts, completion and middleware'), async () => {
    const one = fn('One', () => 1);
    const seen: unknown[] = [];
    const resource = defineResource({
      uri: 'r:{id}',
      name: 'r',
      description: 'r',
      complete: { id: async (_typed, { call }) => [String(await call(one))] },
      read: async (_variables, { call }) => ({ n: await call(one) }),
    });
    const run = async (_input: unknown, { call }: Context) => String(await call(one));
    const noting: Middleware = async (call, next) => {
      if (call.function.kind !== 'function') seen.push(await call.context.call('One'));
      return next();
    };
    const prompts = [definePrompt({ name: 'p', description: 'p', run })];
    const app = appOf({}, { functions: [one], resources: [resource], prompts, middleware: [noting] });
    const { outcome: read } = await app.resources.respond({ name: 'r', input: { id: 'x' } });
    const { outcome: got } = await app.prompts.respond({ name: 'p' });
    const { outcome: completed } = await app.operations.respond({
      name: 'completion/complete',
      input: { ref: { uri: 'r:{id}' }, argument: { name: 'id', value: '' } },
    });
    expect(JSON.stringify([read, got, completed])).toMatch(/"{\\"n\\":1}".*"text":"1".*"values":\["1"\]/);
    expect(seen).toEqual([1, 1, 1]);
  });

  it(proves('context.call', 'has the caller, the environment and the request id of the outer call'), async () => {
    const seen: Context[] = [];
    const records: AuditRecord[] = [];
    const log = logOf();
    const app = appOf(
      {
        Outer: async (_input, context) => {
          seen.push(context);
          context.log.info('outer');
          return context.call('Inner');
        },
        Inner: (_input, context) => {
          seen.push(context);
          context.log.info('inner');
          return context.env.get('A');
        },
      },
      { log, audit: { to: (record) => void records.push(record) } },
    );
    expect(await app.call('Outer', {}, { env: { A: 'a' } })).toEqual({ ok: true, data: 'a' });
    expect(seen.map(({ caller }) => caller.wire)).toEqual(['process', 'process']);
    const ended = records.map(({ operationId, code }) => `${operationId} ${code}`);
    expect(ended).toEqual(['functions.Inner OK', 'functions.Outer OK']);
    const ids = [...records, ...log.info.mock.calls.map(([, fields]) => fields as AuditRecord)];
    expect(new Set(ids.map(({ requestId }) => requestId)).size).toBe(1);
    expect(seen[1]?.deadline).toBeLessThanOrEqual(seen[0]!.deadline!);
  });

  it(proves('context.call', 'runs middleware, which sees both calls'), async () => {
    const seen: string[] = [];
    const middleware: Middleware = async (call, next) => {
      seen.push(call.function.name);
      return next({ from: call.function.name });
    };
    const Outer = async (_input: object, { call, values }: Context) => [values, await call('Inner')];
    const app = appOf({ Outer, Inner: (_input, { values }) => values }, { middleware: [middleware] });
    expect(await app.call('Outer')).toEqual({ ok: true, data: [{ from: 'Outer' }, { from: 'Inner' }] });
    expect(seen).toEqual(['Outer', 'Inner']);
  });

  const failing = { retry: true, retryAfter: 7, details: { why: 1 } };
  it.each([
    ['a Failure that is thrown', throwing(new Failure('SOLD_OUT', 'Sold out', failing))],
    ['a Failure that is returned', () => new Failure('SOLD_OUT', 'Sold out', failing)],
  ])(proves('context.call', 'throws %s'), async (_what, run) => {
    const app = appOf({ Outer: async (_input, { call }) => call('Inner'), Inner: run });
    const error = { code: 'SOLD_OUT', message: 'Sold out', ...failing };
    expect(await app.call('Outer')).toEqual({ ok: false, error });
  });

  it(proves('context.call', 'turns INVALID_OUTPUT into an Error, not a mistake of the caller'), async () => {
    const inner = fn('Inner', () => 'x', { output: { type: 'integer', description: 'n' } });
    const outer = fn('Outer', (_input, { call }) => call('Inner'));
    const message = 'context.call: functions.Inner: Invalid output: expected integer, got "x"';
    const error = { code: 'INTERNAL_ERROR', message };
    expect(await appOf({}, { functions: [inner, outer] }).call('Outer')).toMatchObject({ error });
  });

  it(proves('context.call', 'logs an error with the line that made the call'), async () => {
    const log = logOf();
    async function callsWrongly(_input: unknown, { call }: Context) {
      await new Promise((resolve) => setImmediate(resolve));
      return await call('Inner', 7);
    }
    const app = appOf({ Outer: callsWrongly, Inner: () => 1 }, { log });
    expect(await app.call('Outer')).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    expect(log.error.mock.calls.at(-1)?.[1]).toMatchObject({ stack: expect.stringContaining('callsWrongly') });
  });

  it.each(['cancelled', 'timed out'])(proves('context.call', 'is cancelled when the outer call %s'), async (how) => {
    const controller = new AbortController();
    let ended: string | undefined;
    const app = appOf({
      Outer: async (_input, { call }) => call('Inner').catch((thrown: Failure) => void (ended = thrown.code)),
      Inner: async (_input, { signal }) => {
        if (how === 'cancelled') controller.abort();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    const options = how === 'cancelled' ? { signal: controller.signal } : { timeout: 20 };
    const code = how === 'cancelled' ? 'CANCELLED' : 'TIMEOUT';
    expect(await app.call('Outer', {}, options)).toMatchObject({ error: { code } });
    await vi.waitFor(() => expect(ended).toBe('CANCELLED'), { timeout: 30_000 });
  });

  it(proves('context.call', 'refuses after the outer call has ended'), async () => {
    let later: Promise<unknown> | undefined;
    const inner = vi.fn(() => 1);
    const app = appOf({
      Outer: (_input, { call }) => {
        later = new Promise((resolve) => setTimeout(resolve, 30))
          .then(() => call('Inner'))
          .catch((thrown: unknown) => thrown);
        return new Promise(() => {});
      },
      Inner: inner,
    });
    await app.call('Outer', {}, { timeout: 5 });
    expect(await later).toMatchObject({ code: 'CANCELLED' });
    expect(inner).not.toHaveBeenCalled();
  });

  it(proves('context.call', 'does not wait for the place of its own caller'), async () => {
    const limits = { concurrent: 1, queued: 5, timeout: 1000 };
    const app = appOf({ Outer: async (_input, { call }) => call('Inner'), Inner: async () => 1 }, { limits });
    const done = { ok: true, data: 1 };
    expect(await Promise.all([app.call('Outer'), app.call('Outer')])).toEqual([done, done]);
  });

  it(proves('context.call', 'works while the app stops, and ends a cycle'), async () => {
    let deepest = 0;
    const app = appOf({
      Outer: async (_input, { call }) => {
        void app.close();
        return call('Inner');
      },
      Inner: () => 'inner',
      Cycle: async (_input, { call }): Promise<unknown> => (deepest++, call('Cycle')),
    });
    const message = expect.stringContaining('do functions call each other in a cycle?');
    expect(await app.call('Cycle')).toMatchObject({ error: { code: 'INTERNAL_ERROR', message } });
    expect(deepest).toBe(1 + 64);
    expect(await app.call('Outer')).toEqual({ ok: true, data: 'inner' });
  });

  it.each([['Nothing'], [undefined], [{}], [{ name: 'Nothing' }]])(
    proves('context.call', 'refuses what is no function of the app: %j'),
    async (target) => {
      const app = appOf({ Outer: async (_input, { call }) => call(target as never) });
      const message = expect.stringContaining('is not a function of this app');
      expect(await app.call('Outer')).toMatchObject({ error: { code: 'INTERNAL_ERROR', message } });
    },
  );

  it(proves('context.call', 'shares the questions of the outer call, and its time stands still'), async () => {
    const asked: string[] = [];
    const asker = {
      can: () => true,
      takes: () => true,
      ask: async ({ name }: { name: string }) => {
        asked.push(name);
        await new Promise((resolve) => setTimeout(resolve, 60));
        return { action: 'accept', content: { n: 1 } };
      },
    };
    const form = { type: 'object', properties: { n: { type: 'integer' } } } as const;
    const ask = fn('Ask', (_input, context) => context.ask(form, '?'), { timeout: 40 });
    const asks = async (_input: unknown, context: Context) => [
      await context.ask(form, '?'),
      await context.call(ask),
      await context.ask(form, '?'),
    ];
    const app = appOf({}, { functions: [ask, fn('Outer', asks, { timeout: 40 })] });
    const { outcome } = await app.respond({ name: 'Outer', asker });
    expect(outcome).toMatchObject({ ok: true, data: [{ n: 1 }, { n: 1 }, { n: 1 }] });
    expect(asked).toEqual(['question1', 'question2', 'question3']);
  });
});

describe('next(values)', () => {
  it(proves('middleware.values', 'adds them for what is behind, and for nothing else'), async () => {
    const seen: Record<string, unknown> = {};
    const app = appOf(
      { F: (_input, { values }) => ({ ...values, isFrozen: Object.isFrozen(values) }) },
      {
        middleware: [
          async ({ context }, next) => {
            seen['outermost'] = context.values;
            const outcome = await next();
            seen['outermost, later'] = context.values;
            return outcome;
          },
          (_call, next) => next({ a: 1, b: 1 }),
          async ({ context }, next) => {
            const outcome = await next({ b: 2 });
            seen['innermost'] = context.values;
            return outcome;
          },
        ] satisfies Middleware[],
      },
    );
    expect(await app.call('F')).toEqual({ ok: true, data: { a: 1, b: 2, isFrozen: true } });
    expect(seen).toEqual({ outermost: {}, 'outermost, later': {}, innermost: { a: 1, b: 1 } });
  });

  it(proves('middleware.values', 'has values of its own each time'), async () => {
    const twice: Middleware = async (_call, next) => {
      const outcomes = await Promise.all([next({ a: 1 }), next({ b: 2 })]);
      return { ok: true, data: outcomes.map((outcome) => outcome.ok && outcome.data) };
    };
    const app = appOf({ F: (_input, { values }) => values }, { middleware: [twice] });
    expect(await app.call('F')).toEqual({ ok: true, data: [{ a: 1 }, { b: 2 }] });
  });

  it.each([[1], ['x'], [null], [true]])(proves('middleware.values', 'refuses %j'), async (values) => {
    const app = appOf({ F: () => 1 }, { middleware: [(_call, next) => next(values as never)] as Middleware[] });
    const message = 'next takes an object of values, or nothing';
    expect(await app.call('F')).toMatchObject({ error: { code: 'INTERNAL_ERROR', message } });
  });

  it(proves('middleware.values', 'reaches resources and prompts'), async () => {
    const read = (_variables: unknown, { values }: Context) => values;
    const resources = [defineResource({ uri: 'r:1', name: 'r', description: 'r', read })];
    const app = appOf({}, { resources, middleware: [(_call, next) => next({ a: 1 })] });
    const { outcome } = await app.resources.respond({ name: 'r', input: {} });
    expect(outcome).toMatchObject({ ok: true, data: { text: '{"a":1}' } });
  });
});
