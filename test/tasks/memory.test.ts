import { describe, expect, it } from 'vitest';
import { openTasks } from '../../src/tasks/open-store.ts';
import { next, record, SOON } from './records.ts';

describe('tasks in memory', () => {
  const LONG = 'x'.repeat(10_000);

  it('are limited in number, until one expires', async () => {
    const { store } = await openTasks(undefined, 'app', { records: 2, bytes: 1e6 });
    await store.create(record({ expiresAt: Date.now() + 1000 }));
    const second = record();
    await store.create(second, 'key');
    await expect(store.create(record())).rejects.toThrow('The task store is full: at most 2 tasks are kept in memory');
    expect(await store.create(record(), 'key')).toEqual(second);
    const third = record();
    await expect.poll(() => store.create(third), SOON).toEqual(third);
    await store.close();
  });

  it('are limited in size, but can always fail', async () => {
    const { store } = await openTasks(undefined, 'app', { records: 10, bytes: 15_000 });
    const task = record({ call: LONG });
    await store.create(task);
    const message = 'The task store is full: at most 15000 bytes of tasks are kept in memory';
    await expect(store.create(record({ call: LONG }))).rejects.toThrow(message);
    await expect(store.replace(next(task, { status: 'completed', outcome: LONG }))).rejects.toThrow(message);
    expect(await store.replace(next(task, { status: 'failed', outcome: 'too large' }))).toBe(true);
    await store.close();
  });
});
