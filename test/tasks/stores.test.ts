import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openTasks } from '../../src/tasks/open-store.ts';
import { splitRecord } from '../../src/tasks/split-record.ts';
import type { TaskRecord } from '../../src/tasks/task-record.ts';
import type { TaskStore } from '../../src/tasks/task-store.ts';
import { backends } from './backends.ts';
import { next, record, SOON } from './records.ts';

const LIMITS = { records: 20_000, bytes: 100_000_000 };
const headOf = (task: TaskRecord) => splitRecord(task)[0];

const STRANGE = `'"\\ %s $1 {}\u0001\u007F\r\n\t äöü 漢字 😀 \u2028 \uFFFF -- ; DROP TABLE`;
/** What databases refuse, and what UTF-8 does not have. Payloads are JSON, which escapes both. */
const STRANGER = `${STRANGE}\0\uD800`;

describe.each(backends)('tasks in $name', ({ name, open: openBackend }) => {
  let url: string | undefined;
  const open: TaskStore[] = [];

  /** Two stores of one app, as two processes have them. In memory there is only one. */
  async function stores(app: string = randomUUID()): Promise<readonly [TaskStore, TaskStore]> {
    const { store } = await openTasks(url, app, LIMITS);
    const { store: other } = url === undefined ? { store } : await openTasks(url, app, LIMITS);
    open.push(store, other);
    return [store, other];
  }

  beforeAll(async () => void (url = await openBackend()));
  afterEach(() => Promise.all(open.splice(0).map((store) => store.close())));

  it('reads what was created, elsewhere', async () => {
    const [store, other] = await stores();
    const task = record({ owner: '', expiresAt: null, progress: { done: 1, total: 2, message: 'half' } });
    expect(await store.create(task)).toEqual(task);
    expect(await other.read(task.id)).toEqual(task);
    expect(await other.read('unknown')).toBeUndefined();
  });

  it('creates a record once, if it is told to do so twice', async () => {
    const [store, other] = await stores();
    const task = record();
    await store.create(task);
    expect(await other.create({ ...task, call: 'other' })).toEqual(task);
    expect((await store.stats()).byStatus.working).toBe(1);
  });

  it('does not mix up the apps', async () => {
    const [[store], [other]] = await Promise.all([stores(), stores()]);
    const task = record();
    await store.create(task, 'key');
    expect(await other.read(task.id)).toBeUndefined();
    expect(await other.replace(next(task))).toBe(false);
    expect(await other.list({ limit: 10 })).toEqual([]);
    const second = record();
    expect(await other.create(second, 'key')).toEqual(second);
  });

  it('keeps strange characters everywhere', async () => {
    const [store, other] = await stores(STRANGE);
    const task = record({
      owner: STRANGER,
      name: STRANGER,
      statusMessage: STRANGER,
      call: JSON.stringify(STRANGER),
      questions: STRANGE,
      answers: '',
      history: [{ at: 1, what: STRANGER, by: STRANGER }],
    });
    await store.create(task, STRANGER);
    expect(await other.read(task.id)).toEqual(task);
    expect(await other.create(record(), STRANGER)).toEqual(task);
    expect(await other.list({ owner: STRANGER, limit: 2 })).toEqual([headOf(task)]);
    expect(await other.list({ owner: STRANGER.replace('\uD800', '\uD801'), limit: 2 })).toEqual([]);
  });

  it('keeps payloads of 5 MB', async () => {
    const [store, other] = await stores();
    const call = '😀'.repeat(1_250_000);
    const outcome = 'x'.repeat(5_000_000);
    const task = record({ call });
    await store.create(task);
    const finished = { ...headOf(next(task, { status: 'completed' })), outcome };
    expect(await store.replace(finished)).toBe(true);
    const read = await other.read(task.id);
    expect(read?.call === call && read.outcome === outcome).toBe(true);
  });

  it('replaces only the version before, and only the payloads that are given', async () => {
    const [store, other] = await stores();
    const task = record({ statusMessage: 'begun', progress: { done: 1 } });
    await store.create(task);
    const { statusMessage: _, progress: __, call: ___, ...head } = next(task, { status: 'input_required', leg: 2 });
    expect(await other.replace({ ...head, questions: 'why' })).toBe(true);
    expect(await store.replace({ ...head, questions: 'who' })).toBe(false);
    expect(await store.replace({ ...head, version: 4 })).toBe(false);
    expect(await store.replace(next(record()))).toBe(false);
    expect(await store.read(task.id)).toEqual({ ...head, call: task.call, questions: 'why' });
  });

  it('lets one of 100 win who replace the same version', async () => {
    const both = await stores();
    const task = record();
    await both[0].create(task);
    const tries = Array.from({ length: 100 }, (_, i) => next(task, { statusMessage: `${i}` }));
    const won = await Promise.all(tries.map((one, i) => both[i % 2]!.replace(one)));
    expect(won.filter(Boolean)).toHaveLength(1);
    expect((await both[0].read(task.id))?.statusMessage).toBe(`${won.indexOf(true)}`);
  });

  it('creates one record for 50 who create with the same key', async () => {
    const both = await stores();
    const tasks = Array.from({ length: 50 }, (_, i) => record({ call: `${i}` }));
    const created = await Promise.all(tasks.map((one, i) => both[i % 2]!.create(one, 'key')));
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(tasks).toContainEqual(created[0]);
    expect(created.every(({ call }) => call === created[0]?.call)).toBe(true);
    expect(await both[0].list({ limit: 100 })).toHaveLength(1);
  });

  it('forgets a record that has expired, with its key', async () => {
    const [store, other] = await stores();
    const [short, long] = [record({ expiresAt: Date.now() + 300 }), record({ createdAt: Date.now() + 1 })];
    await store.create(short, 'key');
    await store.create(long);
    await sleep(400);
    expect(await other.read(short.id)).toBeUndefined();
    expect(await other.replace(next(short))).toBe(false);
    expect(await other.list({ limit: 10 })).toEqual([headOf(long)]);
    expect(await other.list({ owner: 'ada', limit: 10 })).toEqual([headOf(long)]);
    expect(await store.stale(Date.now() + 1, 10)).toEqual([headOf(long)]);
    const stats = await store.stats();
    expect([stats.byStatus.working, stats.oldestWorking]).toEqual([1, long.createdAt]);
    const again = record();
    expect(await store.create(again, 'key')).toEqual(again);
  });

  // The memory of a process has no other clock.
  const shared = name === 'memory' ? [] : [name];
  it.each(shared)('keeps a record for its time, whatever the clock of its process says', async () => {
    const [store, other] = await stores();
    for (const hours of [-48, 48]) {
      const createdAt = Date.now() + hours * 3_600_000;
      const [long, short] = [60_000, 300].map((ttl) => record({ createdAt, expiresAt: createdAt + ttl }));
      for (const task of [long!, short!]) await store.create(task, task.id);
      expect(await store.replace(next(long!))).toBe(true);
      await expect.poll(() => other.read(short!.id), SOON).toBeUndefined();
      expect((await other.read(long!.id))?.version).toBe(2);
      // The key lives as long as its task.
      expect((await other.create(record(), long!.id)).id).toBe(long!.id);
      expect((await other.create(record(), short!.id)).id).not.toBe(short!.id);
    }
  });

  it('lists without payloads, the newest first, of an owner, or dead ones', async () => {
    const [store, other] = await stores();
    const tasks = Array.from({ length: 9 }, (_, i) =>
      record({ createdAt: 1000 + i, owner: ['ada', 'ben', ''][i % 3]!, questions: 'q' }),
    );
    for (const task of tasks) await store.create(task);
    const dead = next(tasks[3]!, { status: 'failed', isDead: true });
    await store.replace(dead);
    const [newest] = tasks.slice(-1);
    expect(await other.list({ limit: 1 })).toEqual([headOf(newest!)]);
    const created = async (options: object) =>
      (await other.list({ limit: 100, ...options })).map(({ createdAt }) => createdAt - 1000);
    expect(await created({})).toEqual([8, 7, 6, 5, 4, 3, 2, 1, 0]);
    expect(await created({ owner: 'ada' })).toEqual([6, 3, 0]);
    expect(await created({ owner: '', limit: 2 })).toEqual([8, 5]);
    expect(await created({ owner: 'eve' })).toEqual([]);
    expect(await created({ isDead: true })).toEqual([3]);
    expect(await created({ isDead: true, owner: 'ben' })).toEqual([]);
    expect(await created({ isDead: false, owner: 'ada' })).toEqual([6, 0]);
    expect(await other.list({ isDead: true, limit: 5 })).toEqual([headOf(dead)]);
  });

  it('hands out each stale task once', async () => {
    const both = await stores();
    const tasks = Array.from({ length: 60 }, () => record());
    await Promise.all(tasks.map((task) => both[0].create(task)));
    await both[0].replace(next(tasks[0]!, { status: 'input_required' }));
    await both[0].replace(next(tasks[1]!, { status: 'cancelled' }));
    const early = Date.now() - 60_000;
    expect(await both[1].stale(early, 100)).toEqual([]);
    await sleep(20);
    const now = Date.now();
    await both[1].replace(next(tasks[2]!, { attempts: 1 }));
    const taken = (await Promise.all(Array.from({ length: 20 }, (_, i) => both[i % 2]!.stale(now, 5)))).flat();
    const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).toSorted();
    expect(ids(taken)).toEqual(ids(tasks.slice(3)));
    expect(taken).toContainEqual(headOf(tasks[5]!));
    expect(await both[0].stale(now, 100)).toEqual([]);
  });

  it('counts', async () => {
    const [store, other] = await stores();
    const none = { working: 0, input_required: 0, completed: 0, failed: 0, cancelled: 0 };
    expect(await store.stats()).toEqual({ byStatus: none, dead: 0, oldestWorking: undefined });
    const tasks = Array.from({ length: 7 }, (_, i) => record({ createdAt: 1000 + i }));
    for (const task of tasks) await store.create(task);
    const statuses = ['completed', 'input_required', 'failed', 'failed', 'cancelled'] as const;
    for (const [i, status] of statuses.entries()) await other.replace(next(tasks[i]!, { status, isDead: i === 3 }));
    const byStatus = { working: 2, input_required: 1, completed: 1, failed: 2, cancelled: 1 };
    expect(await other.stats()).toEqual({ byStatus, dead: 1, oldestWorking: 1005 });
    const waiting = next(tasks[1]!, { status: 'input_required' });
    await store.replace(next(waiting, { status: 'working' }));
    expect((await other.stats()).oldestWorking).toBe(1001);
  });

  it('reports every change, also to the other', async () => {
    const [store, other] = await stores();
    const [here, there, stopped]: string[][] = [[], [], []];
    const ends = await Promise.all([
      store.watch((id) => here!.push(id)),
      other.watch((id) => there!.push(id)),
      other.watch((id) => stopped!.push(id)),
    ]);
    ends[2]();
    const tasks = [record(), record(), record()];
    for (const task of tasks) {
      await store.create(task);
      await store.replace(next(task));
      await other.replace(next(next(task)));
      await other.replace(next(task)); // loses
    }
    const expected = tasks.flatMap(({ id }) => [id, id]);
    await expect.poll(() => [here, there], SOON).toEqual([expected, expected]);
    expect(stopped).toEqual([]);
    ends[0]();
    ends[1]();
  });
});
