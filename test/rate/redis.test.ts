import { createApp, type Log } from 'everywire';
import { describe, expect, it } from 'vitest';
import { shared } from '../kit/broker.ts';
import { fn, silent } from '../kit/functions.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';

const ping = fn('Ping', {}, () => {});
const logged: string[] = [];
const error: Log['error'] = (message, fields) => void logged.push(`${message} ${JSON.stringify(fields)}`);

const create = (store: string, rate: object = { calls: 100, seconds: 60 }) =>
  createApp({
    name: 'Counted',
    version: '1.0.0',
    functions: [ping],
    limits: { rate: { per: 'app', ...rate } as never },
    store,
    log: { ...silent, error },
  });
type Counted = ReturnType<typeof create>;

async function codeOf(app: Counted): Promise<string> {
  const outcome = await app.call('Ping');
  return outcome.ok ? 'OK' : outcome.error.code;
}

describe.runIf(hasRedis)('with Redis', () => {
  /** What three apps admit, each as another process has it, if all of them call at the same time. */
  async function admitted(redis: string, rate: object): Promise<number[]> {
    const apps = [1, 2, 3].map(() => create(redis, rate));
    await Promise.all(apps.map((app) => app.start()));
    const codes = await Promise.all(
      apps.map((app) => Promise.all(Array.from({ length: 200 }, async () => codeOf(app)))),
    );
    await Promise.all(apps.map((app) => app.close()));
    expect(new Set(codes.flat())).toEqual(new Set(['OK', 'RATE_LIMITED']));
    return codes.map((some) => some.filter((code) => code === 'OK').length);
  }
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

  it.each([
    ['a window', { calls: 300, seconds: 3600 }, 300],
    ['a bucket', { calls: 1, seconds: 3600, burst: 300 }, 300],
  ])(proves('rate.redis', 'processes admit together what %s allows, also later ones'), async (_what, rate, limit) => {
    const { url } = await shared('redis');
    expect(sum(await admitted(url, rate))).toBe(limit);
    expect(sum(await admitted(url, rate).catch(() => [0]))).toBe(0);
  });

  it(proves('rate.redis', 'a bucket fills again'), async () => {
    const app = create((await shared('redis')).url, { calls: 10, seconds: 5, burst: 2 });
    expect([await codeOf(app), await codeOf(app), await codeOf(app)]).toEqual(['OK', 'OK', 'RATE_LIMITED']);
    await expect.poll(() => codeOf(app), { timeout: 10_000 }).toBe('OK');
    await app.close();
  });
});

// They have servers of their own, which they stop.
describe.runIf(hasRedis)('if Redis fails', () => {
  it(proves('rate.closed', 'calls are refused until it is back, and the log says why, each reason once'), async () => {
    logged.length = 0;
    const first = await startRedis();
    const app = create(first.url);
    expect(await codeOf(app)).toBe('OK');
    await first.stop();
    for (let i = 0; i < 5; i++) expect(await codeOf(app)).toBe('UNAVAILABLE');
    expect(logged.length).toBe(new Set(logged).size);
    expect(logged[0]).toMatch(/ECONNREFUSED|closed|ECONNRESET/);
    const second = await startRedis(first.port);
    expect(await codeOf(app)).toBe('OK');
    await app.close();
    expect(await codeOf(app)).toBe('UNAVAILABLE'); // it is stopped, and so is not counted either
    await second.stop();
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
    const program = `import { createApp, defineFunction } from 'everywire';
      const ping = defineFunction({ name: 'Ping', description: 'Answers', run: () => {} });
      const limits = { rate: { per: 'app', calls: 1, seconds: 1 } };
      const app = createApp({ name: 'A', version: '1', functions: [ping], limits, redis: 'redis://127.0.0.1:1' });
      console.log((await app.call('Ping')).error.code);`;
    const loader = `data:text/javascript,${encodeURIComponent(hide)}`;
    const { stdout, stderr } = await run(['--import', loader, '--input-type=module', '-e', program]);
    expect(stdout).toBe('UNAVAILABLE\n');
    expect(stderr).toContain('Counting in Redis needs the package ioredis: npm install ioredis');
  });
});
