import { createApp, defineFunction, Failure, type AppOptions, type Context, type Middleware } from 'everywire';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { messageOf } from '../../src/core/failure.ts';
import { createHttpWire } from '../../src/wires/http/wire.ts';
import { expectErrors } from '../kit/errors.ts';
import { expectLinear } from '../kit/linear.ts';
import { logOf, silent, throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const any = { description: 'Anything' };

function appOf(run: (input: any, context: Context) => unknown, options: Partial<AppOptions> = {}) {
  const input = { type: 'object', properties: { n: { type: 'integer', description: 'n' } } } as const;
  const f = defineFunction({ name: 'F', description: 'f', input, output: any, run });
  return createApp({ name: 'App', version: '1', functions: [f], log: silent, ...options });
}

describe('the pipeline', () => {
  it(proves('failure.any-throw', 'turns any thrown value into an outcome'), async () => {
    let thrown: unknown;
    const app = appOf(() => {
      throw thrown;
    });
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        async (value) => {
          thrown = value;
          const outcome = await app.call('F');
          if (outcome.ok) throw new Error('a throw became a success');
          expect(outcome.error.code).toBe('INTERNAL_ERROR');
          expect(typeof outcome.error.message).toBe('string');
          JSON.stringify(app.profile.render(outcome, app.functions[0]));
        },
      ),
    );
  });

  it(proves('output.carried', 'sends any returned value as JSON, or fails with INVALID_OUTPUT'), async () => {
    let returned: unknown;
    const app = appOf(() => returned);
    await fc.assert(
      fc.asyncProperty(
        fc.anything({ withBigInt: true, withMap: true, withSet: true, withSparseArray: true }),
        async (value) => {
          returned = value;
          const outcome = await app.call('F');
          if (outcome.ok) JSON.parse(JSON.stringify(outcome.data));
          else expect(['INVALID_OUTPUT', 'INTERNAL_ERROR']).toContain(outcome.error.code);
        },
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ stringUnit: 'binary', maxDepth: 8 }), async (value) => {
        returned = value;
        const outcome = await app.call('F');
        expect(outcome.ok && JSON.stringify(outcome.data)).toBe(JSON.stringify(value));
      }),
    );
  });

  it(proves('input.checked-first', 'runs nothing before the arguments are valid'), async () => {
    let ran = 0;
    const app = appOf(() => ran++, { middleware: [(_call, next) => (ran++, next())] });
    expect(await app.call('F', { n: 'x' })).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
    expect(ran).toBe(0);
  });

  it(proves('failure.masked', 'masks unexpected errors, and logs the same id'), async () => {
    const log = logOf();
    const app = appOf(throwing(new Error('the database password is hunter2')), { errors: 'masked', log });
    const outcome = await app.call('F');
    if (outcome.ok) throw new Error('unreachable');
    const id = /^Something went wrong \(error id ([0-9a-f-]{36})\)$/.exec(outcome.error.message)?.[1];
    expect(log.error.mock.calls).toEqual([
      ['the database password is hunter2', expect.objectContaining({ errorId: id, operationId: 'functions.F' })],
    ]);
    expect(
      (await appOf(() => new Failure('NOT_FOUND', 'shown'), { errors: 'masked' }).call('F')) as unknown,
    ).toMatchObject({ error: { message: 'shown' } });
  });

  it(proves('failure.masked', 'masks by default in production'), async ({ onTestFinished }) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    vi.stubEnv('NODE_ENV', 'production');
    const app = appOf(throwing(new Error('secret')));
    expect(JSON.stringify(await app.call('F'))).not.toContain('secret');
  });

  it(proves('failure.any-throw', 'survives a logger that throws'), async () => {
    expectErrors(/"message":"broken"/);
    const log = { ...silent, error: throwing(new Error('disk full')) };
    const app = appOf(() => Promise.reject(new Error('broken')), { log });
    expect(await app.call('F')).toMatchObject({ error: { message: 'broken' } });
  });

  it(proves('failure.timeout', 'ends after its timeout, and aborts the signal'), async () => {
    let signal: AbortSignal | undefined;
    const app = appOf((_input, context) => {
      signal = context.signal;
      return new Promise(() => {});
    });
    const expected = { ok: false, error: { code: 'TIMEOUT', message: 'Timed out after 20 ms', retry: true } };
    expect(await app.call('F', {}, { timeout: 20 })).toEqual(expected);
    expect(signal?.aborted).toBe(true);
  });

  it(proves('failure.timeout', 'passes the deadline to the function'), async () => {
    const app = appOf((_input, { deadline }) => (deadline ?? 0) - Date.now(), { limits: { timeout: 5000 } });
    const outcome = await app.call('F');
    expect(outcome.ok && (outcome.data as number)).toBeGreaterThan(4000);
    const unlimited = appOf((_input, { deadline }) => deadline === undefined, { limits: { timeout: 0 } });
    expect(await unlimited.call('F')).toEqual({ ok: true, data: true });
  });

  it(proves('failure.cancelled', 'ends when the caller aborts, before and during the call'), async () => {
    let ran = false;
    const app = appOf((_input, { signal }) => {
      ran = true;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    });
    expect(await app.call('F', {}, { signal: AbortSignal.abort() })).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(ran).toBe(false);
    const leaving = new AbortController();
    const call = app.call('F', {}, { signal: leaving.signal });
    leaving.abort();
    expect(await call).toMatchObject({ error: { code: 'CANCELLED', message: 'Cancelled by the caller' } });
  });

  /** An app whose calls end when what waits is called. */
  const holding = (limits: object) => {
    const waiting: (() => void)[] = [];
    return { waiting, app: appOf(() => new Promise((resolve) => waiting.push(() => resolve(1))), { limits }) };
  };

  it(proves('failure.overload', 'queues calls, then rejects them, and recovers'), async () => {
    const { waiting, app } = holding({ concurrent: 2, queued: 1 });
    const calls = [app.call('F'), app.call('F'), app.call('F')];
    await Promise.resolve();
    expect(waiting.length).toBe(2);
    expect(await app.call('F')).toEqual({
      ok: false,
      error: { code: 'UNAVAILABLE', message: 'Too many calls at once', retry: true, retryAfter: 1 },
    });
    waiting.shift()?.();
    await calls[0];
    await new Promise((resolve) => setTimeout(resolve));
    expect(waiting.length).toBe(2);
    for (const end of waiting) end();
    expect(await Promise.all(calls)).toEqual([1, 2, 3].map(() => ({ ok: true, data: 1 })));
  });

  it(proves('failure.overload', 'never starts a queued call that was cancelled, but the next one'), async () => {
    const { waiting, app } = holding({ concurrent: 1, queued: 2 });
    const first = app.call('F');
    const impatient = app.call('F', {}, { timeout: 10 });
    const patient = app.call('F');
    expect(await impatient).toMatchObject({ error: { code: 'TIMEOUT' } });
    waiting.shift()?.();
    await first;
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(waiting.length).toBe(1);
    waiting.shift()?.();
    expect(await patient).toEqual({ ok: true, data: 1 });
    const again = app.call('F');
    await Promise.resolve();
    waiting.shift()?.();
    expect(await again).toEqual({ ok: true, data: 1 });
  });
});

describe('middleware', () => {
  it(proves('middleware.order', 'runs outermost first, and sees the outcome on the way back'), async () => {
    const seen: string[] = [];
    const layer =
      (name: string): Middleware =>
      async (call, next) => {
        seen.push(`${name} in ${call.function.operationId} ${JSON.stringify(call.input)}`);
        const outcome = await next();
        seen.push(`${name} out ${outcome.ok}`);
        return outcome;
      };
    const app = appOf(() => (seen.push('run'), 1), { middleware: [layer('a'), layer('b')] });
    expect(await app.call('F', { n: '1' })).toEqual({ ok: true, data: 1 });
    expect(seen).toEqual(['a in functions.F {"n":1}', 'b in functions.F {"n":1}', 'run', 'b out true', 'a out true']);
  });

  it.each<[title: string, layer: Middleware, error: object]>([
    ['throws a failure', throwing(new Failure('FORBIDDEN', 'not you')), { code: 'FORBIDDEN', message: 'not you' }],
    ['answers a failure without an error', () => ({ ok: false }) as never, { code: 'INTERNAL_ERROR' }],
    ['answers no outcome', () => 7 as never, { code: 'INTERNAL_ERROR', message: 'Middleware must return an Outcome' }],
  ])(proves('middleware.order', 'that %s becomes a failure'), async (_title, layer, error) => {
    expect(await appOf(() => 1, { middleware: [layer] }).call('F')).toMatchObject({ ok: false, error });
  });
});

it(proves('middleware.order', 'its data is sent in the wire form'), async () => {
  const app = appOf(() => 1, { middleware: [() => ({ ok: true, data: new Uint8Array([1, 2]) })] });
  expect(await app.call('F')).toEqual({ ok: true, data: 'AQI=' });
});

it(proves('middleware.order', 'starts nothing after the call has ended'), async () => {
  let ran = false;
  const late: Middleware = async (_call, next) => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return next();
  };
  const app = appOf(() => (ran = true), { middleware: [late] });
  expect(await app.call('F', {}, { timeout: 5 })).toMatchObject({ error: { code: 'TIMEOUT' } });
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ran).toBe(false);
});

it(proves('failure.any-throw', 'survives a Failure that throws on access, and still leaves the gate'), async () => {
  const broken = () => Object.defineProperty(new Failure('X', 'm'), 'message', { get: throwing(new Error('no')) });
  for (const run of [() => broken(), async () => broken(), async () => Promise.reject(broken())]) {
    const app = appOf(run, { limits: { concurrent: 1, queued: 0 } });
    for (let i = 0; i < 3; i++) expect(await app.call('F')).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
  }
});

it(proves('failure.timeout', 'accepts very long, missing and invalid timeouts'), async () => {
  const slow = () => new Promise((resolve) => setTimeout(() => resolve(1), 20));
  for (const timeout of [3_000_000_000, Infinity, NaN, -1]) {
    expect(await appOf(slow).call('F', {}, { timeout })).toEqual({ ok: true, data: 1 });
  }
});

it(proves('failure.cancelled', 'notices an abort while the function starts'), async () => {
  const leaving = new AbortController();
  const app = appOf(() => (leaving.abort(), new Promise(() => {})));
  expect(await app.call('F', {}, { signal: leaving.signal })).toMatchObject({ error: { code: 'CANCELLED' } });
});

it(proves('failure.author', 'restricts codes to those that every wire can carry'), async () => {
  expect(() => new Failure('no\r\nInjected: header', 'x')).toThrow(TypeError);
  const forged = appOf(() => Object.assign(new Failure('FINE', 'x'), { code: 'a\nb' }));
  expect(await forged.call('F')).toMatchObject({ error: { code: 'INVALID_OUTPUT' } });
  const undetailed = appOf(() => new Failure('FINE', 'x', { details: { n: NaN }, retryAfter: NaN }));
  expect(await undetailed.call('F')).toEqual({ ok: false, error: { code: 'FINE', message: 'x', retry: false } });
});

describe('a bug of our own is logged, and not blamed on the caller:', () => {
  for (const part of ['admit', 'release', 'parse'] as const)
    for (const errors of ['shown', 'masked'] as const)
      it(proves('failure.faults', `${part}, ${errors}`), async () => {
        const log = logOf();
        const app = appOf(({ n }) => n, { log, errors });
        Object.assign(app.find('F')!, { [part]: throwing(new TypeError('our own bug')) });
        const outcome = await app.call('F', { n: 1 });
        expect(outcome).toMatchObject({ ok: false, error: { code: 'INTERNAL_ERROR' } });
        expect(log.error).toHaveBeenCalledOnce();
        const [message, fields] = log.error.mock.calls[0] as [string, { stack: string; errorId: string }];
        expect(message).toBe('our own bug');
        expect(fields.stack).toContain('TypeError: our own bug');
        expect(!outcome.ok && outcome.error.message).toBe(
          errors === 'shown' ? 'our own bug' : `Something went wrong (error id ${fields.errorId})`,
        );
      });

  it('in the HTTP wire', async () => {
    const log = logOf();
    const broken = { ...appOf(() => 1, { log }), respond: throwing(new Error('the wire broke')) };
    const wire = createHttpWire(broken as never);
    const reply = await wire.handle({ method: 'POST', target: '/functions/F', headers: {}, body: new Uint8Array() });
    expect(reply).toMatchObject({ status: 500, body: '{"error":"the wire broke"}' });
    const expected = { part: 'http', stack: expect.stringContaining('the wire broke') };
    expect(log.error.mock.calls[0]?.[1]).toMatchObject(expected);
  });
});

const trap = throwing(new Error('trap'));
it.each([
  ['a Proxy', new Proxy({}, { ownKeys: trap })],
  ['a getter', Object.defineProperty({}, 'n', { get: trap, enumerable: true })],
])("an input that cannot be read is the caller's mistake: %s", async (_title, input) => {
  const log = logOf();
  const outcome = await appOf(() => 1, { log }).call('F', input);
  expect(outcome).toMatchObject({ error: { code: 'INVALID_ARGUMENTS', message: /cannot be read/ } });
  expect(log.error).not.toHaveBeenCalled();
});

it('an invalid signal is a failed outcome', async () => {
  const app = appOf(() => 1);
  expect(await app.call('F', {}, { signal: {} as never })).toMatchObject({
    error: { code: 'INTERNAL_ERROR', message: 'signal must be an AbortSignal' },
  });
  expect(await app.call(Symbol('x') as never, {} as never)).toMatchObject({ ok: false });
});

describe('the message of what was thrown', () => {
  it.each([
    ["open '/secret.key'", "open '<path>'"],
    ["ENOENT: open '/home/my user/secret.txt'", "ENOENT: open '<path>'"],
    ['cannot read /home/josé/app.js', 'cannot read <path>'],
    ['failed:/home/u/x.js', 'failed:<path>'],
    ['at C:/Users/joe/app.js', 'at <path>'],
    ['in "C:\\Program Files\\App\\x.dll"', 'in "<path>"'],
    ['share \\\\server\\share\\x', 'share <path>'],
    ['file:///srv/app/index.js is broken', '<path> is broken'],
  ])(proves('failure.no-leak', 'hides the path in: %s'), (message, shown) => {
    expect(messageOf(new Error(message))).toBe(shown);
  });

  it.each([
    'GET https://api.example/v1/users?next=/a/b failed',
    'http://[::1]:80/a/b/c refused',
    'either and/or both, 1/2, on 2024/01/02, as application/json',
    'a : b',
  ])(proves('failure.no-leak', 'leaves alone: %s'), (message) => {
    expect(messageOf(new Error(message))).toBe(message);
  });

  it.each([
    ['letters', 'a'],
    ['letters and dots', 'a.'],
    ['quotes', `'/`],
    ['schemes', 'a:/'],
    ['drives', 'C:/'],
    ['addresses', 'x://'],
    ['backslashes', '\\'],
    ['parts', '/a@'],
    ['tabs', '\t'],
  ])(proves('failure.no-leak', 'takes time in proportion to its length: %s'), (_what, part) =>
    expectLinear((length) => {
      const text = part.repeat(Math.ceil(length / part.length)).slice(0, length);
      return () => {
        for (let i = 0; i < 5; i++) messageOf(text);
      };
    }, 1200),
  );

  it(proves('failure.no-leak', 'reads a long hostile text in time, and cuts it'), () => {
    expect(messageOf(new Error(`Unknown: ${'\n'.repeat(500_000)}x`))).toBe('Unknown:');
    expect(messageOf('/a'.repeat(500_000)).length).toBeLessThan(20_000);
    expect(messageOf(`'/${' '.repeat(500_000)}`).length).toBeLessThan(20_000);
  });
});
