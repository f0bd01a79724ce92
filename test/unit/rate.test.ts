import { createApp, defineResource, forms, type App } from 'everywire';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { addressKey } from '../../src/rate/address-key.ts';
import { toLimit } from '../../src/rate/limit.ts';
import { MemoryStore } from '../../src/rate/memory-store.ts';
import { proves } from '../promises.ts';
import { fn, integer, object, silent, string } from '../kit/functions.ts';
import { problemsOf } from '../kit/parts.ts';

const ping = fn('Ping', { output: string }, () => 'pong');
const base = { name: 'Rates', version: '1.0.0', log: silent } as const;

describe('the store in memory', () => {
  const at = { now: 1000 };
  const create = () => new MemoryStore(() => at.now);
  const admitted = (store: MemoryStore, limit: ReturnType<typeof toLimit>, calls: number, key = 'k') =>
    Array.from({ length: calls }, () => store.take([{ limit, key }])).filter((refusal) => !refusal).length;

  it.each([60, 40 * 24 * 3600])(proves('rate.exact', 'counts for %i seconds from the first call'), (seconds) => {
    const store = create();
    const limit = toLimit('', 'app', { calls: 10, seconds });
    expect(admitted(store, limit, 50)).toBe(10);
    at.now += seconds * 1000 - 1;
    expect(store.take([{ limit, key: 'k' }])).toEqual({ limit, wait: 1 });
    at.now += 1;
    expect(admitted(store, limit, 50)).toBe(10);
  });

  it(proves('rate.exact', 'with a burst, admits that many at once, and then evenly'), () => {
    const store = create();
    const limit = toLimit('', 'app', { calls: 30, seconds: 10, burst: 7 });
    expect(admitted(store, limit, 50)).toBe(7);
    expect(store.take([{ limit, key: 'k' }])?.wait).toBeCloseTo(10_000 / 30);
    let total = 0;
    for (let i = 0; i < 10_000; i++) {
      at.now += 1;
      total += admitted(store, limit, 1);
    }
    expect(total).toBe(30);
    at.now += 1_000_000;
    expect(admitted(store, limit, 50)).toBe(7);
  });

  it(proves('rate.together', 'a refused call counts against no limit'), () => {
    const store = create();
    const mine = toLimit('', 'principal', { calls: 2, seconds: 60 });
    const all = toLimit('', 'app', { calls: 5, seconds: 60 });
    const call = (key: string) => store.take([mine, all].map((limit) => ({ limit, key: limit === mine ? key : '' })));
    for (let i = 0; i < 100; i++) call('greedy');
    expect([call('other'), call('other'), call('third')]).toEqual([undefined, undefined, undefined]);
    expect(call('fourth')?.limit).toBe(all);
  });

  it(proves('rate.bounded', 'remembers a bounded number of callers, and forgets those of one limit only'), () => {
    const store = create();
    const addresses = toLimit('', 'address', { calls: 1, seconds: 60 });
    const principals = toLimit('', 'principal', { calls: 1, seconds: 86_400 });
    store.take([{ limit: principals, key: 'ci' }]);
    store.take([{ limit: addresses, key: 'first' }]);
    const crowd = (size: number) => {
      for (let i = 0; i < size; i++) store.take([{ limit: addresses, key: `${size} ${i}` }]);
    };
    crowd(49_999);
    expect(admitted(store, addresses, 1, 'first')).toBe(0);
    crowd(50_001);
    expect(admitted(store, addresses, 1, 'first')).toBe(1);
    expect(admitted(store, principals, 1, 'ci')).toBe(0);
  });
});

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:c000:207', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
  ['1:2:3', '1:2:3'],
  ['1:2:3:4:5:6:7:8:9', '1:2:3:4:5:6:7:8:9'],
  ['nonsense::x', 'nonsense::x'],
  ['', ''],
])(proves('rate.address', 'the address %s counts as %s'), (address, key) => {
  expect(addressKey(address)).toBe(key);
});

describe('the limits of an app', () => {
  const codes = async (app: ReturnType<typeof createApp>, times: number, parts: object = {}, name = 'Ping') => {
    const answers = [];
    for (let i = 0; i < times; i++)
      answers.push(await app.respond({ name, caller: { wire: 'test' }, ...parts }, 'plain'));
    return answers.map(({ outcome }) => (outcome.ok ? 'OK' : outcome.error.code)).join(' ');
  };

  it(proves('rate.per', 'count principals apart, and strangers by their address'), async () => {
    const limits = { rate: [{ per: 'principal', calls: 2, seconds: 60 } as const] };
    const app = createApp({ ...base, functions: [{ ...ping, scopes: 'public' }], access: {}, limits });
    const of = (id: string) => ({ principal: { id, kind: 'key', scopes: [], claims: {} } });
    const from = (address: string) => ({ caller: { wire: 'test', address } });
    expect(await codes(app, 3, of('a'))).toBe('OK OK RATE_LIMITED');
    for (const id of ['b', `${'x'.repeat(300)}a`, `${'x'.repeat(300)}b`])
      expect(await codes(app, 3, of(id))).toBe('OK OK RATE_LIMITED');
    expect(await codes(app, 3, from('192.0.2.1'))).toBe('OK OK RATE_LIMITED');
    expect(await codes(app, 1, from('::ffff:192.0.2.1'))).toBe('RATE_LIMITED');
    expect(await codes(app, 1, from('2001:db8::1'))).toBe('OK');
    expect(await codes(app, 2, from('2001:db8::2'))).toBe('OK RATE_LIMITED');
    expect(await codes(app, 3)).toBe('OK OK RATE_LIMITED');
  });

  it(proves('rate.per', 'count functions apart, and resources with them'), async () => {
    const note = defineResource({ uri: 'n:1', name: 'Note', description: 'A note', read: () => 'x' });
    const ofFunction = { per: 'function', calls: 2, seconds: 60 } as const;
    const limits = { rate: [ofFunction, { per: 'app', calls: 5, seconds: 60 } as const] };
    const app = createApp({ ...base, functions: [ping, { ...ping, name: 'Pong' }], resources: [note], limits });
    expect(await codes(app, 3)).toBe('OK OK RATE_LIMITED');
    expect(await codes(app, 3, {}, 'Pong')).toBe('OK OK RATE_LIMITED');
    const read = () => app.resources.respond({ name: 'Note' });
    expect([(await read()).outcome.ok, (await read()).outcome.ok]).toEqual([true, false]);
  });

  it(proves('rate.function', 'a function has limits of its own'), async () => {
    const byAddress = { per: 'address', calls: 2, seconds: 60 } as const;
    const limited = { ...ping, rate: [byAddress, { calls: 3, seconds: 60 }] };
    const app = createApp({ ...base, functions: [limited, { ...ping, name: 'Free' }] });
    expect(await codes(app, 3, { caller: { wire: 'test', address: '192.0.2.1' } })).toBe('OK OK RATE_LIMITED');
    expect(await codes(app, 2, { caller: { wire: 'test', address: '192.0.2.2' } })).toBe('OK RATE_LIMITED');
    expect(await codes(app, 5, {}, 'Free')).toBe('OK OK OK OK OK');
  });

  it(proves('rate.order', 'count after access and before arguments; nested calls by function'), async () => {
    const parts = { input: object({ x: string }), output: string, scopes: ['x'], rate: { calls: 2, seconds: 60 } };
    const inner = fn('Inner', parts, ({ x }) => x);
    const outer = fn('Outer', { output: string }, (_, context) => context.call(inner, { x: '1' }));
    const limits = { rate: { per: 'app', calls: 4, seconds: 60 } } as const;
    const app = createApp({ ...base, functions: [inner, outer], access: {}, limits });
    const stranger = { principal: { id: 's', kind: 'key', scopes: [], claims: {} } };
    const known = { principal: { id: 'k', kind: 'key', scopes: ['x'], claims: {} } };
    // The stranger uses nothing up.
    expect(await codes(app, 5, stranger, 'Inner')).toBe('FORBIDDEN FORBIDDEN FORBIDDEN FORBIDDEN FORBIDDEN');
    expect(await codes(app, 1, known, 'Inner')).toBe('INVALID_ARGUMENTS');
    expect(await codes(app, 3, known, 'Outer')).toBe('OK RATE_LIMITED RATE_LIMITED');
    // Three calls of Outer, and one of Inner.
    expect(await app.call('Outer', {}, known)).toMatchObject({ error: { details: { per: 'app' } } });
  });

  it(proves('rate.mistakes', 'are checked when the app is created'), () => {
    const problems = (options: object, parts: object = {}) =>
      problemsOf({ functions: [{ ...ping, ...parts }], ...options }).join();
    const rate = (rule: unknown) => problems({ limits: { rate: rule } });
    expect(rate({ calls: 1, seconds: 1 })).toContain('per must be "principal" or "address" or "function" or "app"');
    expect(rate([{ per: 'app', calls: 0, seconds: 1 }])).toContain('calls must be a positive integer, not 0');
    expect(rate([{ per: 'app', calls: 1, seconds: 0.5 }])).toContain('seconds must be a positive integer, not 0.5');
    expect(rate([{ per: 'app', calls: 1, seconds: 1, burst: -1 }])).toContain('burst must be a positive integer');
    expect(rate([{ per: 'app', calls: 1, second: 1 }])).toContain('unknown option "second" (did you mean "seconds"?)');
    expect(rate('fast')).toContain('limits.rate must be { calls, seconds }');
    expect(problems({ limits: { rates: [] } })).toContain('unknown limit "rates" (did you mean "rate"?)');
    expect(problems({}, { rate: { per: 'app', calls: 1, seconds: 1 } })).toContain(
      'per must be "principal" or "address"',
    );
    expect(problems({}, { concurrent: 0 })).toContain('concurrent must be a positive integer, not 0');
    const one = { limits: { rate: [{ per: 'app', calls: 1, seconds: 1 }] } };
    expect(problems({ ...one, redis: 'http://user:hunter2@x' })).toContain(
      'redis: The address of Redis looks like redis://',
    );
    expect(problems({ ...one, redis: 'http://user:hunter2@x' })).not.toContain('hunter2');
    expect(problems({ redis: 'postgres://localhost' })).toContain('redis: The address of Redis');
  });
});

it(proves('rate.exact', 'no file is received over the limit, nor while as many arrive as may'), async () => {
  const take = fn('Take', { input: object({ file: { ...forms.file, description: 'f' } }, []) }, () => {});
  let read = 0;
  const send = async (app: Pick<App, 'fetch'>, ends = true) => {
    const pull = (body: ReadableStreamDefaultController) => {
      read++;
      body.enqueue(Buffer.from('--b--'));
      return ends ? body.close() : new Promise<void>(() => {});
    };
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const init = { method: 'POST', headers, body: new ReadableStream({ pull }, { highWaterMark: 0 }), duplex: 'half' };
    return (await app.fetch(new Request('http://x/functions/Take', init))).status;
  };
  const limited = createApp({ ...base, functions: [take], limits: { rate: { per: 'app', calls: 1, seconds: 100 } } });
  expect([await send(limited), await send(limited), read]).toEqual([200, 429, 1]);
  const small = createApp({ ...base, functions: [take], limits: { concurrent: 1 } });
  void send(small, false);
  await expect.poll(() => read).toBe(2);
  expect([await send(small), read]).toEqual([503, 2]);
});

describe('concurrent calls of a function', () => {
  const tracked = (concurrent: number, more: object = {}) => {
    const seen = { running: 0, most: 0 };
    const slow = fn('Slow', { concurrent, ...more }, async () => {
      seen.most = Math.max(seen.most, ++seen.running);
      await sleep(20);
      seen.running--;
    });
    return { slow, seen };
  };

  it(proves('concurrent.function', 'wait for each other, and for nobody else'), async () => {
    const { slow, seen } = tracked(2);
    const app = createApp({ ...base, functions: [slow, ping], limits: { concurrent: 3 } });
    const calls = Array.from({ length: 10 }, () => app.call('Slow'));
    await sleep(5);
    // Those that wait for the function do not occupy the app.
    const begun = seen.running;
    expect([begun, (await app.call('Ping')).ok]).toEqual([2, true]);
    expect((await Promise.all(calls)).every(({ ok }) => ok)).toBe(true);
    expect(seen).toEqual({ running: 0, most: 2 });
    expect(await app.close()).toBe(true);
  });

  it(proves('concurrent.function', 'are refused if too many wait, and time out or leave while they wait'), async () => {
    const { slow } = tracked(1, { timeout: 200 });
    const app = createApp({ ...base, functions: [slow], limits: { queued: 2 } });
    const leaving = new AbortController();
    const call = (options = {}) => app.call('Slow', {}, options);
    const calls = [call(), call({ signal: leaving.signal }), call(), call()];
    leaving.abort();
    const ends = (await Promise.all(calls)).map((outcome) => (outcome.ok ? 'OK' : outcome.error.code));
    expect(ends).toEqual(['OK', 'CANCELLED', 'OK', 'UNAVAILABLE']);
    const late = await Promise.all([call(), call({ timeout: 1 })]);
    expect(late.map((outcome) => outcome.ok || outcome.error.code)).toEqual([true, 'TIMEOUT']);
    expect((await call()).ok).toBe(true);
  });

  it.each([[], [(_call: unknown, run: () => Promise<never>) => run()]])(
    proves(
      'concurrent.function',
      'keep their place if their callers leave, until they have ended or their time is over',
    ),
    async (...middleware) => {
      const ends: (() => void)[] = [];
      const run = () => new Promise<void>((resolve) => ends.push(resolve));
      const functions = [fn('Held', { concurrent: 1 }, run), fn('Stuck', { concurrent: 1, timeout: 300 }, run)];
      const app = createApp({ ...base, functions, middleware: middleware as never });
      for (const [i, name] of ['Held', 'Held', 'Stuck'].entries()) {
        const leaving = new AbortController();
        const left = app.call(name, {}, { signal: leaving.signal });
        if (i !== 1) await expect.poll(() => ends.length).toBe(i === 0 ? 1 : 2);
        leaving.abort();
        expect(await left).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
        expect(ends).toHaveLength(i === 2 ? 2 : 1);
      }
      const held = app.call('Held');
      await expect.poll(async () => (await app.call('Stuck'), ends.length)).toBe(3);
      ends[0]!();
      await expect.poll(() => ends.length).toBe(4);
      ends[3]!();
      expect((await held).ok).toBe(true);
    },
  );

  it(proves('concurrent.function', 'count if functions make them, and never wait for themselves'), async () => {
    const { slow, seen } = tracked(2);
    const many = fn('Many', { concurrent: 1 }, async (_, { call }) => {
      await Promise.all([1, 2, 3, 4, 5].map(() => call(slow)));
    });
    const again = fn('Again', { concurrent: 1, input: object({ n: integer }) }, async ({ n }, { call }) => {
      if (n > 0) await call('Again', { n: n - 1 });
    });
    const app = createApp({ ...base, functions: [slow, many, again], limits: { concurrent: 1 } });
    expect(await app.call('Many')).toMatchObject({ ok: true });
    expect(seen.most).toBe(2);
    expect(await app.call('Again', { n: 3 })).toMatchObject({ ok: true });
  });

  it.each([
    [
      ['Outer', 'Outer', 'Inner'],
      [0, 1],
    ],
    [
      ['Inner', 'Outer', 'Inner', 'Outer'],
      [1, 0],
    ],
  ])(proves('concurrent.function', 'never wait for nested ones that wait for them: %j'), async (names, order) => {
    const ends: (() => void)[] = [];
    const held = () => new Promise<void>((resolve) => ends.push(resolve));
    const inner = fn('Inner', { concurrent: 1 }, held);
    const outer = fn('Outer', {}, async (_, { call }) => {
      await held();
      await call(inner);
    });
    const app = createApp({ ...base, functions: [inner, outer], limits: { concurrent: 2, timeout: 2000 } });
    const calls = names.map((name) => app.call(name));
    for (const i of order) {
      await expect.poll(() => ends.length).toBeGreaterThan(i);
      ends[i]!();
      await sleep(5);
    }
    const ending = setInterval(() => ends.forEach((end) => end()), 5);
    const outcomes = await Promise.all(calls);
    clearInterval(ending);
    expect(outcomes.map(({ ok }) => ok)).toEqual(names.map(() => true));
  });
});
