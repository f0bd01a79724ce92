import { createApp, defineFunction } from 'everywire';
import type { Log } from 'everywire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import type { RedisServer } from '../kit/redis.ts';

const ping = defineFunction({ name: 'Ping', description: 'Answers', run: () => {} });

interface Hammered {
  readonly admitted: number;
  readonly first: number;
  readonly last: number;
  readonly RATE_LIMITED?: number;
}

/** Milliseconds that processes have to start, so that they call at the same time. */
const START = 2500;

/** What several processes admit together. */
async function hammer(processes: number, milliseconds: number, rate: object, redis?: string): Promise<Hammered[]> {
  const begin = Date.now() + (processes > 1 ? START : 0);
  const args = ['test/rate/hammer.mjs', `${begin}`, `${milliseconds}`, JSON.stringify(rate), ...(redis ? [redis] : [])];
  const ran = await Promise.all(Array.from({ length: processes }, () => run(args)));
  expect(ran.map(({ code, stderr }) => [code, stderr])).toEqual(ran.map(() => [0, '']));
  return ran.map(({ stdout }) => JSON.parse(stdout) as Hammered);
}

const total = (hammered: readonly Hammered[]) => hammered.reduce((sum, { admitted }) => sum + admitted, 0);
const span = (hammered: readonly Hammered[]) =>
  Math.max(...hammered.map(({ last }) => last)) - Math.min(...hammered.map(({ first }) => first));

/** Of the limit: so much may be admitted more or less. */
const TOLERANCE = 0.01;

function expectNear(admitted: number, limit: number): void {
  expect(Math.abs(admitted - limit) / limit).toBeLessThanOrEqual(TOLERANCE);
}

const WINDOW = { per: 'app', calls: 1000, seconds: 3600 };
const BUCKET = { per: 'app', calls: 1000, seconds: 10, burst: 1000 };

// A process that gets no time to call for a second admits less, which is no fault of the limit.
describe('one process', { retry: 3 }, () => {
  it(proves('rate.exact', 'admits what a window allows'), async () => {
    const hammered = await hammer(1, 2000, WINDOW);
    expect(total(hammered)).toBe(WINDOW.calls);
    expect(hammered[0]!.RATE_LIMITED).toBeGreaterThan(100);
  });

  it(proves('rate.exact', 'admits what a bucket allows'), async () => {
    const hammered = await hammer(1, 5000, BUCKET);
    expectNear(total(hammered), BUCKET.burst + (span(hammered) / 1000 / BUCKET.seconds) * BUCKET.calls);
  });
});

describe.runIf(hasRedis)('with Redis', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it(proves('rate.redis', 'three processes admit together what a window allows'), { retry: 3 }, async () => {
    const rate = { ...WINDOW, seconds: WINDOW.seconds + Math.ceil(Math.random() * 1000) }; // a new one for each attempt
    const hammered = await hammer(3, 4000, rate, redis.url);
    expect(total(hammered)).toBe(rate.calls);
    expect(hammered.filter(({ admitted }) => admitted > 0)).toHaveLength(3);
  });

  it(proves('rate.redis', 'three processes admit together what a bucket allows'), { retry: 3 }, async () => {
    const hammered = await hammer(3, 5000, BUCKET, redis.url);
    expectNear(total(hammered), BUCKET.burst + (span(hammered) / 1000 / BUCKET.seconds) * BUCKET.calls);
  });

  it(proves('rate.redis', 'a restarted process goes on where it was'), async () => {
    const rate = { per: 'app', calls: 5, seconds: 600 };
    expect(total(await hammer(1, 500, rate, redis.url))).toBe(5);
    expect(total(await hammer(1, 500, rate, redis.url))).toBe(0);
  });
});

describe.runIf(hasRedis)('if Redis fails', () => {
  const logged: string[] = [];
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    error: (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`),
  };
  const create = (redis: string) =>
    createApp({
      name: 'Failing',
      version: '1.0.0',
      functions: [ping],
      limits: { rate: { per: 'app', calls: 100, seconds: 60 } },
      redis,
      log,
    });
  const codeOf = async (app: ReturnType<typeof create>) => {
    const outcome = await app.call('Ping');
    return outcome.ok ? 'OK' : outcome.error.code;
  };

  it(proves('rate.closed', 'calls are refused until it is back, and the log says why, once'), async () => {
    logged.length = 0;
    const first = await startRedis();
    const app = create(first.url);
    expect(await codeOf(app)).toBe('OK');
    await first.stop();
    for (let i = 0; i < 5; i++) expect(await codeOf(app)).toBe('UNAVAILABLE');
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/ECONNREFUSED|closed|ECONNRESET/);
    const second = await startRedis(first.port);
    expect(await codeOf(app)).toBe('OK');
    await app.close();
    expect(await codeOf(app)).toBe('UNAVAILABLE'); // it is stopped, and so is not counted either
    await second.stop();
  });

  it(proves('rate.closed', 'calls do not wait long for one that hangs'), async () => {
    const redis = await startRedis();
    const app = create(redis.url);
    expect(await codeOf(app)).toBe('OK');
    redis.child.kill('SIGSTOP');
    const began = Date.now();
    expect(await Promise.all([codeOf(app), codeOf(app), codeOf(app)])).toEqual(Array(3).fill('UNAVAILABLE'));
    expect(Date.now() - began).toBeLessThan(10_000);
    redis.child.kill('SIGCONT');
    await expect.poll(() => codeOf(app), { timeout: 10_000 }).toBe('OK');
    await redis.stop();
    await app.close();
  });

  it(proves('rate.closed', 'neither the log nor a caller sees the password'), async () => {
    logged.length = 0;
    const redis = await startRedis(undefined, '--requirepass', 'right-horse');
    const app = create(redis.url.replace('//', '//:canary-battery@'));
    const answer = await app.respond({ name: 'Ping', caller: { wire: 'test' } }, 'status');
    expect(answer.outcome).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', retryAfter: 1 } });
    expect(logged).toHaveLength(1);
    expect(logged[0]).toMatch(/WRONGPASS|NOAUTH/);
    expect(logged.join() + answer.body).not.toContain('canary');
    expect(await codeOf(create(redis.url.replace('//', '//:right-horse@')))).toBe('OK');
    await redis.stop();
  });

  it(proves('rate.closed', 'a missing package is named'), async () => {
    const hide = `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(
      'export const resolve = (name, context, next) => name === "ioredis" ? Promise.reject(new Error("hidden")) : next(name, context)'));`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(hide)}`, 'test/rate/hammer.mjs'];
    const { stdout, stderr } = await run([...args, '0', '100', JSON.stringify(WINDOW), 'redis://127.0.0.1:1']);
    expect(JSON.parse(stdout)).toMatchObject({ admitted: 0, UNAVAILABLE: expect.any(Number) as number });
    expect(stderr).toContain('Counting in Redis needs the package ioredis: npm install ioredis');
  });
});
