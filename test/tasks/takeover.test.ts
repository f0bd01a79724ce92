import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import pg from 'pg';
import { describe, it } from 'vitest';
import { openTasks } from '../../src/tasks/open-store.ts';
import type { TaskLeg } from '../../src/tasks/task-queue.ts';
import { sharedBackends } from './backends.ts';
import { ids, legs, noting } from './records.ts';

const LIMITS = { records: 1, bytes: 1 };

/** Removes the lock, as it is when a process was out of reach for too long. Returns how many there were. */
async function unlock(url: string, app: string, { id, leg }: TaskLeg): Promise<number | null> {
  if (url.startsWith('redis')) {
    const client = new Redis(url);
    const deleted = await client.del(`everywire:{${app}}:legs:${id}-${leg}:lock`);
    client.disconnect();
    return deleted;
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const statement = `UPDATE bullmq.job SET lock_token = 'other' WHERE id = $1`;
  const { rowCount } = await client.query(statement, [`${id}-${leg}`]);
  await client.end();
  return rowCount;
}

// Concurrent tests have their own `expect`. What is registered last is ended first.
describe.each(sharedBackends)('BullMQ in $name', { concurrent: true, timeout: 90_000 }, ({ open }) => {
  it('takes over the legs of a process that was killed', async ({ expect, onTestFinished }) => {
    const url = await open();
    const app = randomUUID();
    const { queue } = await openTasks(url, app, LIMITS);
    onTestFinished(() => queue.close());
    const all = legs(2);
    await Promise.all(all.map((leg) => queue.add(leg)));
    const child = spawn(process.execPath, ['test/tasks/worker.mjs', url, app], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += chunk));
    const started = () => printed.trim().split('\n').sort();
    await expect.poll(started, { timeout: 30_000 }).toEqual(all.map(({ id }) => id).sort());
    child.kill('SIGKILL');
    await exited;
    expect(await queue.missing(all)).toEqual([]);
    const ran: TaskLeg[] = [];
    const worker = await queue.work(noting(ran), 2);
    onTestFinished(() => worker.stop());
    await expect.poll(() => ids(ran), { timeout: 40_000 }).toEqual(ids(all));
    await worker.stop();
    expect(await queue.missing(all)).toEqual(all);
  });

  it('hands out a leg again whose lock is lost; the run that lost it leaves it alone', async ({
    expect,
    onTestFinished,
  }) => {
    const url = await open();
    const app = randomUUID();
    const openQueue = async () => (await openTasks(url, app, LIMITS)).queue;
    const [queue, other] = await Promise.all([openQueue(), openQueue()]);
    onTestFinished(async () => void (await Promise.all([queue.close(), other.close()])));
    const [leg] = legs(1) as [TaskLeg];
    await queue.add(leg);
    let [unlocked, ran] = [0 as number | null, 0];
    let take = () => {};
    const taken = new Promise<void>((resolve) => (take = resolve));
    const first = await queue.work(async () => {
      unlocked = await unlock(url, app, leg);
      await taken;
      return 'taken over';
    }, 1);
    onTestFinished(() => first.stop());
    await expect.poll(() => unlocked, { timeout: 40_000 }).toBe(1);
    const second = await other.work(async () => {
      take();
      await first.stop();
      return ran++ === 0 ? 'done' : expect.unreachable();
    }, 1);
    onTestFinished(() => second.stop());
    await expect.poll(() => other.missing([leg]), { timeout: 40_000 }).toEqual([leg]);
    expect(ran).toBe(1);
  });
});
