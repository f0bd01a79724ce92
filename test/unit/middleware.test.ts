import { createApp, Failure, type AppOptions, type Middleware, type Outcome } from 'everywire';
import { failure, success } from 'everywire/responses';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { proves } from '../promises.ts';
import { fn, integer, object } from '../kit/functions.ts';
import { logOf, throwing } from '../kit/parts.ts';

function appOf(middleware: readonly Middleware[], options: Partial<AppOptions> = {}) {
  const functions = [fn('F', { output: { ...object({ n: integer }), description: 'Data' } }, () => ({ n: 1 }))];
  return createApp({ name: 'Layers', version: '1', log: logOf(), middleware, functions, ...options });
}

const passing: Middleware = (_call, next) => next();

describe('an outcome that middleware passes on', () => {
  it(proves('middleware.unchanged', 'is not checked again'), async () => {
    // The schema library decides, even if its JSON Schema is stricter.
    const odd = z.string().describe('A date');
    const schema = {
      '~standard': {
        ...odd['~standard'],
        jsonSchema: { input: () => ({}), output: () => ({ type: 'integer', description: 'No' }) },
      },
    };
    const odder = fn('F', { output: schema as never }, () => 'text');
    for (const middleware of [[], [passing], [passing, passing]]) {
      const app = appOf(middleware, { functions: [odder] });
      expect(await app.call('F')).toEqual({ ok: true, data: 'text' });
    }
  });

  it('keeps its details, its error id and its content', async () => {
    const log = logOf();
    const run = vi.fn(throwing(new Error('secret')));
    const copying: Middleware = async (_call, next) => ({ ...(await next()) }) as Outcome;
    const functions = [fn('F', {}, run)];
    const app = appOf([passing, copying], { log, errors: 'masked', functions });
    const outcome = await app.call('F');
    expect(log.error).toHaveBeenCalledOnce();
    const [, { errorId }] = log.error.mock.calls[0] as [string, { errorId: string }];
    const message = `Something went wrong (error id ${errorId})`;
    expect(outcome).toEqual({ ok: false, error: { code: 'INTERNAL_ERROR', message, retry: false } });
  });
});

describe('an outcome that middleware changes is checked:', () => {
  const changes: Record<string, Middleware> = {
    'another one': async () => success({ n: 'x' }),
    'a copy': async (_call, next) => ({ ...(await next()), data: { n: 'x' } }) as Outcome,
    'changed in place': async (_call, next) => {
      const outcome = await next();
      if (outcome.ok) (outcome.data as { n: unknown }).n = 'x';
      return outcome;
    },
    'replaced in place': async (_call, next) => Object.assign(await next(), { data: { n: 'x' } }) as Outcome,
    'made unreadable in place': async (_call, next) => {
      const outcome = await next();
      if (outcome.ok) (outcome.data as { n: unknown }).n = 5n;
      return outcome;
    },
  };
  for (const [title, middleware] of Object.entries(changes))
    for (const [where, layers] of [
      ['outermost', [middleware, passing]],
      ['innermost', [passing, middleware]],
    ] as const)
      it(`${title}, ${where}`, async () => {
        expect(await appOf(layers).call('F')).toMatchObject({ ok: false, error: { code: 'INVALID_OUTPUT' } });
      });

  it('and may be a different valid one', async () => {
    const app = appOf([async () => success({ n: 7 })]);
    expect(await app.call('F')).toEqual({ ok: true, data: { n: 7 } });
  });
});

describe('a failure that middleware returns', () => {
  const leaked = { code: 'X', sql: 'SELECT secret', retryAfter: NaN, retry: 'yes' };
  const leaking = () => Object.assign(new Error('m', { cause: new Error('CAUSE') }), leaked);

  for (const profile of ['plain', 'envelope', 'status', 'problem', 'mcp'] as const)
    it(proves('middleware.failures', `contains only the known fields: ${profile}`), async () => {
      const app = appOf([async () => ({ ok: false, error: leaking() }) as never], { errors: 'masked' });
      const { body, outcome } = await app.respond({ name: 'F' }, profile);
      expect(outcome).toEqual({ ok: false, error: { code: 'X', message: 'm', retry: false } });
      expect(body).not.toMatch(/CAUSE|SELECT|NaN|yes|null/);
      expect(body).toContain('m');
    });

  it('has a retryAfter only if it is valid', async () => {
    for (const [retryAfter, expected] of [
      [NaN, undefined],
      [Infinity, undefined],
      [-1, undefined],
      ['5', undefined],
      [0, 0],
      [1.5, 1.5],
    ] as const) {
      const error = { code: 'RATE_LIMITED', message: 'm', retry: true, retryAfter };
      const app = appOf([async () => ({ ok: false, error }) as never]);
      const outcome = await app.call('F');
      expect(outcome).toMatchObject({ ok: false });
      expect(!outcome.ok && outcome.error.retryAfter).toBe(expected);
      expect(failure('X', 'm', { retryAfter: retryAfter as number }).error.retryAfter).toBe(expected);
    }
  });

  it('has details that JSON can represent, or none', async () => {
    const details = { a: 1n, when: new Date(0) };
    const app = appOf([async () => failure('X', 'm', { details })]);
    expect(await app.call('F')).toMatchObject({ error: { details: { a: '1', when: '1970-01-01T00:00:00.000Z' } } });
    const round: { self?: unknown } = {};
    round.self = round;
    const broken = appOf([
      async () => ({ ok: false, error: { code: 'X', message: 'm', retry: false, details: round } }) as never,
    ]);
    expect(await broken.call('F')).toEqual({ ok: false, error: { code: 'X', message: 'm', retry: false } });
  });

  it('is logged and masked if its code is for unexpected errors', async () => {
    const log = logOf();
    const thrown = new Error("ENOENT: open '/srv/secret'");
    const catching: Middleware = async () =>
      ({ ok: false, error: Object.assign(thrown, { code: 'INTERNAL_ERROR' }) }) as never;
    const masked = await appOf([catching], { errors: 'masked', log }).call('F');
    expect(masked).toMatchObject({ error: { code: 'INTERNAL_ERROR', message: /^Something went wrong/ } });
    expect(log.error).toHaveBeenCalledOnce();
    const [, fields] = log.error.mock.calls[0] as [string, { stack: string; errorId: string }];
    expect(fields.stack).toContain('ENOENT');
    expect(!masked.ok && masked.error.message).toContain(fields.errorId);
    const shown = await appOf([catching], { errors: 'shown' }).call('F');
    expect(shown).toMatchObject({ error: { message: "ENOENT: open '<path>'" } });
  });

  it('cannot be OK', async () => {
    const app = appOf([async () => ({ ok: false, error: { code: 'OK', message: 'm', retry: false } }) as never]);
    expect(await app.call('F')).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
    expect(() => new Failure('OK', 'm')).toThrow(TypeError);
    const records: { code: string }[] = [];
    const run = throwing(Object.assign(new Failure('X', 'm'), { code: 'OK' }));
    const audit = { to: (record: { code: string }) => void records.push(record) };
    const failing = appOf([], { audit, functions: [fn('F', {}, run)] });
    expect(await failing.call('F')).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
    expect(records).toMatchObject([{ code: 'INTERNAL_ERROR' }]);
    const wrong = fn('F', { errors: { OK: { description: 'x' } } }, () => {});
    expect(() => appOf([], { functions: [wrong] })).toThrow('errors: invalid code "OK"');
  });
});

describe('middleware receives the outcome that was sent:', () => {
  function watching(run: () => unknown, timeout = 20) {
    const received: Outcome[] = [];
    const watch: Middleware = async (_call, next) => {
      const outcome = await next();
      received.push(outcome);
      return outcome;
    };
    const functions = [fn('F', { timeout, output: { description: 'Any' } }, run)];
    return { received, app: appOf([watch, passing, watch], { functions }) };
  }
  const soon = () => new Promise((resolve) => setTimeout(resolve, 60));

  it('in time', async () => {
    const { received, app } = watching(() => 1, 1000);
    expect(await app.call('F')).toEqual({ ok: true, data: 1 });
    expect(received).toEqual([success(1), success(1)]);
  });

  it(proves('middleware.told', 'after a timeout, whether or not the function ends later'), async () => {
    for (const run of [() => new Promise(() => {}), () => soon().then(() => 1)]) {
      const { received, app } = watching(run);
      const outcome = await app.call('F');
      await soon();
      await soon();
      expect(outcome).toMatchObject({ error: { code: 'TIMEOUT' } });
      expect(received).toEqual([outcome, outcome]);
    }
  });

  it('cancelled', async () => {
    const { received, app } = watching(() => new Promise(() => {}), 1000);
    const leaving = new AbortController();
    const called = app.call('F', {}, { signal: leaving.signal });
    setTimeout(() => leaving.abort(), 10);
    const outcome = await called;
    await soon();
    expect(outcome).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(received).toEqual([outcome, outcome]);
  });
});
