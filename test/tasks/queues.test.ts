import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTasks } from '../../src/tasks/open-store.ts';
import type { RunLeg, TaskLeg, TaskQueue } from '../../src/tasks/task-queue.ts';
import { backends } from './backends.ts';
import { ids, legs, noting, SOON } from './records.ts';

const LIMITS = { records: 1, bytes: 1 };

describe.each(backends)('legs in $name', ({ open: openBackend }) => {
  let url: string | undefined;
  const toEnd: (() => Promise<void>)[] = [];

  /** Two queues of one app, as two processes have them. In memory there is only one. */
  async function queues(app = randomUUID()): Promise<readonly [TaskQueue, TaskQueue]> {
    const errors: unknown[] = [];
    const open = async () => (await openTasks(url, app, LIMITS, (error) => errors.push(error))).queue;
    const queue = await open();
    const other = url === undefined ? queue : await open();
    toEnd.unshift(async () => {
      await Promise.all([queue.close(), other.close()]);
      expect(errors).toEqual([]);
    });
    return [queue, other];
  }

  async function work(queue: TaskQueue, run: RunLeg, concurrency = 4): Promise<() => Promise<void>> {
    const worker = await queue.work(run, concurrency);
    toEnd.unshift(() => worker.stop());
    return () => worker.stop();
  }

  beforeAll(async () => void (url = await openBackend()));
  afterEach(async () => {
    for (const end of toEnd.splice(0)) await end();
  });

  it('runs every leg once, added before or after the workers began, and adding it again does nothing', async () => {
    const both = await queues();
    const all = legs(60);
    const ran: TaskLeg[] = [];
    const run: RunLeg = async (leg) => {
      ran.push(leg);
      await sleep(1);
      return 'done';
    };
    const add = (some: readonly TaskLeg[]) =>
      Promise.all([...some, ...some].map((leg, i) => both[i % 2]!.add({ ...leg })));
    await add(all.slice(0, 30));
    expect(await both[0].counts()).toEqual({ waiting: 30, active: 0 });
    await Promise.all(both.map((queue) => work(queue, run)));
    await Promise.all(all.slice(30).map((leg) => both[1].add(leg)));
    await expect.poll(() => ran.length, SOON).toBe(60);
    expect(ids(ran)).toEqual(ids(all));
    await expect.poll(() => both[1].counts(), SOON).toEqual({ waiting: 0, active: 0 });
    expect(Object.keys(ran[0]!).sort()).toEqual(['id', 'leg']);
  });

  it('takes a leg again that has left, and other legs of its task', async () => {
    const [queue] = await queues();
    const ran: TaskLeg[] = [];
    await work(queue, noting(ran));
    const [leg] = legs(1) as [TaskLeg];
    for (const next of [leg, leg, { ...leg, leg: 2 }]) {
      const before = ran.length;
      await queue.add(next);
      await expect.poll(() => ran.length, SOON).toBe(before + 1);
      await expect.poll(() => queue.missing([next]), SOON).toEqual([next]);
    }
    expect(ran.map((one) => one.leg)).toEqual([1, 1, 2]);
  });

  it('hands a leg that must run again to another process', async () => {
    const [queue, other] = await queues();
    const [leg] = legs(1) as [TaskLeg];
    const ran: string[] = [];
    let stopping: Promise<void> | undefined;
    const stop = await work(queue, async () => {
      ran.push('first');
      stopping = stop();
      return { againIn: 0 };
    });
    await queue.add(leg);
    await expect.poll(() => ran, SOON).toEqual(['first']);
    await stopping;
    expect(await other.missing([leg])).toEqual([]);
    await work(other, async () => {
      ran.push('second');
      return 'done';
    });
    await expect.poll(() => ran, SOON).toEqual(['first', 'second']);
    await expect.poll(() => other.missing([leg]), SOON).toEqual([leg]);
  });

  it('lets others run while legs come back later, again and again', async () => {
    const [queue, other] = await queues();
    const all = legs(3);
    const ran: string[] = [];
    for (const leg of all) await queue.add(leg);
    const run: RunLeg = async ({ id }) => {
      ran.push(id);
      return id === all[2]!.id ? 'done' : { againIn: 100 };
    };
    await work(queue, run, 2);
    await expect.poll(() => other.missing(all), SOON).toEqual([all[2]]);
    await expect.poll(() => ran.length, SOON).toBeGreaterThan(6);
    expect(await other.counts()).toSatisfy(({ waiting, active }) => waiting + active === 2);
  });

  it('works on as many at once as it may', async () => {
    const [queue] = await queues();
    let running = 0;
    const seen = new Set<number>();
    let done = 0;
    await work(
      queue,
      async () => {
        seen.add(++running);
        await sleep(20);
        running--;
        done++;
        return 'done';
      },
      3,
    );
    await Promise.all(legs(20).map((leg) => queue.add(leg)));
    await expect.poll(() => done, SOON).toBe(20);
    expect(seen).toEqual(new Set([1, 2, 3]));
  });

  it('stops when the running legs have ended, and takes no more', async () => {
    const [queue, other] = await queues();
    const [first, second] = legs(2) as [TaskLeg, TaskLeg];
    let end = () => {};
    const ran: TaskLeg[] = [];
    const stop = await work(
      queue,
      async (leg) => {
        ran.push(leg);
        await new Promise<void>((resolve) => (end = resolve));
        return 'done';
      },
      1,
    );
    await queue.add(first);
    await queue.add(second);
    await expect.poll(() => ran, SOON).toEqual([first]);
    expect(await other.counts()).toEqual({ waiting: 1, active: 1 });
    let hasStopped = false;
    const stopped = stop().then(() => (hasStopped = true));
    await sleep(300);
    expect(hasStopped).toBe(false);
    end();
    await stopped;
    expect(ran).toEqual([first]);
    expect(await other.missing([first, second])).toEqual([first]);
  });

  it('finds what is missing among 1,000', async () => {
    const [queue, other] = await queues();
    const all = legs(1000);
    expect(await other.missing([])).toEqual([]);
    expect(await other.missing(all)).toEqual(all);
    const added = all.filter((_, i) => i % 10 === 0);
    await Promise.all(added.map((leg) => queue.add(leg)));
    expect(await other.missing(all)).toEqual(all.filter((leg) => !added.includes(leg)));
  });
});
