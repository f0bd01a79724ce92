import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryTaskStore } from '../../src/tasks/memory-store.ts';
import type { TaskRecord } from '../../src/tasks/task-record.ts';
import { next, record } from '../tasks/records.ts';

describe('tasks in memory', () => {
  const LONG = 'x'.repeat(10_000);
  let store: MemoryTaskStore;
  const open = (limits = {}) => (store = new MemoryTaskStore({ records: 100, bytes: 1e6, ...limits }));
  beforeEach(() => void vi.useFakeTimers({ now: 1_000_000 }));
  afterEach(async () => {
    await store.close();
    vi.useRealTimers();
  });
  const create = async (id: string, parts: Partial<TaskRecord> = {}) => store.create(record({ id, ...parts }));
  const ids = (heads: readonly { id: string }[]) => heads.map(({ id }) => id).join('');

  it('are limited in number, until one expires', async () => {
    open({ records: 2 });
    await create('a', { expiresAt: Date.now() + 1000 });
    const second = await store.create(record(), 'key');
    await expect(create('c')).rejects.toThrow('The task store is full: at most 2 tasks are kept in memory');
    expect(await store.create(record(), 'key')).toEqual(second);
    vi.advanceTimersByTime(2000);
    expect(await create('c')).toMatchObject({ id: 'c' });
  });

  it('are limited in size, but can always fail', async () => {
    open({ bytes: 15_000 });
    const task = await create('a', { call: LONG });
    const message = 'The task store is full: at most 15000 bytes of tasks are kept in memory';
    await expect(create('b', { call: LONG })).rejects.toThrow(message);
    await expect(store.replace(next(task, { outcome: LONG }))).rejects.toThrow(message);
    await expect(store.replace(next(task, { outcome: 'x'.repeat(5001) }))).rejects.toThrow(message);
    expect(await store.replace(next(task, { outcome: 'x'.repeat(5000) }))).toBe(true);
    expect(await store.replace(next(next(task), { answers: 'x'.repeat(4096) }))).toBe(true);
    await expect(create('b')).rejects.toThrow(message);
    vi.advanceTimersByTime(60_000);
    expect(await store.read('a')).toBeUndefined();
    expect(await create('b', { call: 'x'.repeat(15_000) })).toMatchObject({ id: 'b' });
  });

  it('are replaced only by the next version, which keeps the payloads that it does not give', async () => {
    open();
    const task = await create('a', { questions: '1' });
    for (const version of [0, 1, 3]) expect(await store.replace({ ...task, version })).toBe(false);
    expect(await store.replace(next(record({ id: 'b' })))).toBe(false);
    expect(await store.read('a')).toEqual(task);
    const { call, questions, ...head } = next(task, { status: 'completed', outcome: '2' });
    expect(await store.replace(head)).toBe(true);
    expect(await store.read('a')).toEqual({ ...head, call, questions });
    expect(await store.create(record({ id: 'a' }))).toEqual({ ...head, call, questions });
  });

  it('are listed, counted and found again until they expire', async () => {
    open();
    const count = async () => {
      const { byStatus, dead, oldestWorking = 0 } = await store.stats();
      return `${Object.values(byStatus).join(' ')}, ${dead} dead, since ${oldestWorking - 1_000_000}`;
    };
    expect(await count()).toBe('0 0 0 0 0, 0 dead, since -1000000');
    const a = await create('a', { owner: 'eve', expiresAt: null });
    vi.advanceTimersByTime(10);
    const b = await create('b', { expiresAt: Date.now() + 5000 });
    await create('c', { status: 'failed', isDead: true });
    await create('d', { status: 'input_required' });
    expect(await count()).toBe('2 1 0 1 0, 1 dead, since 0');
    const list = async (options: object = {}) => ids(await store.list({ limit: 9, ...options }));
    expect(await list()).toBe('dcba');
    expect([await list({ limit: 2 }), await list({ owner: 'eve' })]).toEqual(['dc', 'a']);
    expect([await list({ isDead: true }), await list({ isDead: false })]).toEqual(['c', 'dba']);
    await store.replace(next(a, { status: 'completed' }));
    expect(await count()).toBe('1 1 1 1 0, 1 dead, since 10');
    await store.replace(next(b, { expiresAt: Date.now() + 1000 }));
    vi.advanceTimersByTime(1000);
    expect([await list(), await store.read('b')]).toEqual(['dca', undefined]);
    expect(await count()).toBe('0 1 1 1 0, 1 dead, since -1000000');
    vi.advanceTimersByTime(100_000);
    expect([await list(), await count()]).toEqual(['a', '0 0 1 0 0, 0 dead, since -1000000']);
  });

  it('that work and were not looked at are handed out once, the oldest first', async () => {
    open();
    for (const id of ['a', 'b', 'c', 'd']) await create(id, id === 'c' ? { status: 'input_required' } : {});
    vi.advanceTimersByTime(10);
    const stale = async (limit = 9, before = Date.now()) => ids(await store.stale(before, limit));
    expect(await stale(9, Date.now() - 10)).toBe('');
    expect([await stale(2), await stale(), await stale()]).toEqual(['ab', 'd', '']);
    expect(await stale(9, Date.now() + 1)).toBe('abd');
    vi.advanceTimersByTime(60_000);
    expect(await stale()).toBe('');
  });

  it('report their changes to everybody who watches', async () => {
    open();
    const seen: string[] = [];
    const listener = (id: string) => void seen.push(id);
    const stop = await store.watch(listener);
    await store.watch(listener);
    let task = await create('a');
    const replace = async () => store.replace((task = next(task)));
    await replace();
    stop();
    await replace();
    expect(seen).toEqual(['a', 'a', 'a']);
    await store.close();
    await replace();
    expect([seen.length, await store.isReachable()]).toEqual([3, true]);
  });
});
