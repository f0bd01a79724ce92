import { readFileSync, readdirSync, statSync, truncateSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { join } from 'node:path';
import type { App } from 'everywire';
import { describe, expect, test } from 'vitest';
import { hasRedis, startRedis, type RedisServer } from '../../kit/redis.ts';
import { report } from '../../reliability/figures.ts';
import { size } from '../../kit/sizes.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';
import { DEFERRED, createRecorder } from './app.mjs';
import { silent } from '../../kit/parts.ts';

process.env['LEDGER'] = join(temporaryFolder('ledger'), 'ledger');

let count = 0;

async function start(app: App, time = 5): Promise<string | undefined> {
  const input = { n: count++, time };
  const { outcome } = await app.respond({ name: 'Record', input, caller: { wire: 'test' }, deferral: DEFERRED });
  return outcome.ok ? outcome.task!.taskId : undefined;
}

async function statusOf(app: App, taskId: string): Promise<string> {
  const { outcome } = await app.operations.respond({ name: 'tasks/get', input: { taskId } });
  return outcome.ok ? (outcome.data as { task: { status: string } }).task.status : outcome.error.code;
}

const kill = async ({ child, stop }: RedisServer) => {
  child.kill('SIGKILL');
  await stop();
};

/** Milliseconds for which a process may be silent before its work is given to another one. */
const LOCK = 10_000;
/** Milliseconds. */
const SAMPLING = 50;

/**
 * The append-only file of Redis. A process that is killed loses nothing of it; a machine that fails loses what was not written
 * to disk. `cut` does what such a machine might do.
 */
class Journal {
  readonly #file: string;
  readonly #samples: { at: number; bytes: number }[] = [];
  readonly #timer = setInterval(() => this.#sample(), SAMPLING);

  constructor(folder: string) {
    const parts = join(folder, 'appendonlydir');
    this.#file = join(
      parts,
      readdirSync(parts).find((name) => name.endsWith('.incr.aof'))!,
    );
    this.#sample();
  }

  /** Loses what was written since then. */
  cut(at: number): void {
    truncateSync(this.#file, this.#samples.findLast((sample) => sample.at <= at)!.bytes);
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #sample(): void {
    this.#samples.push({ at: Date.now(), bytes: statSync(this.#file).size });
  }
}

describe.skipIf(!hasRedis)('Redis is killed and started again', () => {
  test.each([
    ['always', 0],
    ['everysec', 1000],
  ] as const)(
    'with appendfsync %s, tasks of at most the last %i ms are lost',
    async (appendfsync, window) => {
      const folder = temporaryFolder('append');
      const flags = ['--dir', folder, '--appendonly', 'yes', '--appendfsync', appendfsync];
      let redis = await startRedis(undefined, ...flags);
      const app = createRecorder(`Restart-${appendfsync}`, { store: redis.url, log: silent });
      const acknowledged: { id: string; at: number; killedAt: number }[] = [];
      const rounds = size(3, 8);
      for (let round = 0; round < rounds; round++) {
        const journal = new Journal(folder);
        const begun: { id: string; at: number }[] = [];
        let isStarting = true;
        const starting = (async () => {
          while (isStarting) {
            const id = await start(app);
            if (id) begun.push({ id, at: Date.now() });
            await sleep(5);
          }
        })();
        await sleep(300 + 1.5 * window);
        const killedAt = Date.now();
        await kill(redis);
        isStarting = false;
        await starting;
        journal.end();
        if (window > 0) journal.cut(killedAt - window);
        acknowledged.push(...begun.map((task) => ({ ...task, killedAt })));
        redis = await startRedis(redis.port, ...flags);
      }
      await expect.poll(() => app.tasks.isReachable()).toBe(true);
      await app.tasks.work({ concurrency: 50 });
      const missing: number[] = [];
      await expect
        .poll(async () => (await app.tasks.stats()).byStatus.working, { timeout: 60_000, interval: 200 })
        .toBe(0);
      for (const { id, at, killedAt } of acknowledged)
        if ((await statusOf(app, id)) !== 'completed') missing.push(killedAt - at);
      report(`redis-restart-${appendfsync}`, {
        'acknowledged tasks': acknowledged.length,
        restarts: rounds,
        'lost tasks': missing.length,
        'ms before the end that the oldest lost task was acknowledged': Math.max(0, ...missing),
      });
      expect(acknowledged.length).toBeGreaterThan(10);
      // A sample of the journal may be so much older than what it says.
      expect(missing.filter((age) => age > window + SAMPLING * 2)).toEqual([]);
      if (window === 0) expect(missing).toEqual([]);
      await app.close();
      await redis.stop();
    },
    size(120_000, 600_000),
  );

  test(
    'calls fail fast while it is away, and everything goes on when it is back',
    async () => {
      const redis = await startRedis(undefined, '--appendonly', 'yes', '--dir', temporaryFolder('append'));
      const flags = redis.child.spawnargs.slice(1);
      const app = createRecorder('Away', { store: redis.url, log: silent });
      await app.tasks.work({ concurrency: 10 });
      const away = size(4000, 60_000);
      // Still running when its lock expires: it goes on, and is not started again.
      const long = away > LOCK ? await start(app, away * 2) : undefined;
      const longAgain = `${count - 1} 2 `;
      const before = await Promise.all(Array.from({ length: 20 }, () => start(app, 1500)));
      await sleep(200);
      await kill(redis);
      const waits: number[] = [];
      const codes = new Set<string>();
      for (const end = Date.now() + away; Date.now() < end; await sleep(100)) {
        const begin = performance.now();
        const { outcome } = await app.respond({
          name: 'Record',
          input: { n: 0, time: 0 },
          caller: { wire: 'test' },
          deferral: DEFERRED,
        });
        waits.push(performance.now() - begin);
        codes.add(outcome.ok ? 'OK' : outcome.error.code);
      }
      expect([...codes]).toEqual(['UNAVAILABLE']);
      expect(await app.tasks.isReachable()).toBe(false);
      const again = await startRedis(redis.port, ...flags.slice(2));
      const back = performance.now();
      let isBack: string | undefined;
      while (!isBack) isBack = await start(app, 0);
      await expect.poll(() => statusOf(app, isBack), { timeout: 60_000, interval: 50 }).toBe('completed');
      const recovered = performance.now() - back;
      for (const id of before)
        await expect.poll(() => statusOf(app, id!), { timeout: 60_000, interval: 100 }).toBe('completed');
      const finished = performance.now() - back;
      const ledger = readFileSync(process.env['LEDGER']!, 'utf8').split('\n');
      if (long) expect(ledger.some((line) => line.startsWith(longAgain))).toBe(false);
      report('redis-away', {
        'seconds away': away / 1000,
        'calls meanwhile': waits.length,
        'longest wait of a call in ms': Math.round(Math.max(...waits)),
        'ms until a new task was finished': Math.round(recovered),
        'ms until all tasks under way were finished': Math.round(finished),
      });
      if (long) await app.operations.respond({ name: 'tasks/cancel', input: { taskId: long } });
      await app.close();
      await again.stop();
    },
    size(120_000, 300_000),
  );
});
