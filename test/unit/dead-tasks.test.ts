import { expect, test } from 'vitest';
import { limitsFrom } from '../../src/core/limits.ts';
import { createReport } from '../../src/core/report.ts';
import { success } from '../../src/core/outcome.ts';
import { MemoryTaskQueue } from '../../src/tasks/memory-queue.ts';
import { MemoryTaskStore } from '../../src/tasks/memory-store.ts';
import type { TaskRecord } from '../../src/tasks/task-record.ts';
import { Tasks } from '../../src/tasks/tasks.ts';
import { createVault } from '../../src/tasks/vault.ts';
import { silent } from '../kit/parts.ts';

const NINE = '9'.repeat(36);
const TEN = 'a'.repeat(36);
const log = silent;

/** As a process leaves it that was killed so often while it worked on the task. */
function abandoned(id: string, attempts: number): TaskRecord {
  const now = Date.now();
  const history = Array.from({ length: attempts }, (_, i) => ({ at: now + i, what: 'started', by: `process-${i}` }));
  const times = { createdAt: now, updatedAt: now, expiresAt: null };
  const call = JSON.stringify({ caller: { wire: 'test' }, askable: [] });
  return {
    id,
    version: 1,
    name: 'F',
    owner: '',
    status: 'working',
    isDead: false,
    ...times,
    leg: 1,
    attempts,
    history,
    call,
  };
}

test('a task that was started ten times and never finished is given up, and kept with its history', async () => {
  const store = new MemoryTaskStore({ records: 100, bytes: 1e6 });
  const queue = new MemoryTaskQueue();
  const tasks = new Tasks({
    store,
    queue,
    vault: createVault(undefined),
    limits: limitsFrom({}, []),
    log,
    report: createReport(log, false),
    call: async () => success(1),
  });
  for (const record of [abandoned(NINE, 9), abandoned(TEN, 10)]) {
    await store.create(record);
    await queue.add(record);
  }
  await tasks.work();
  await expect.poll(async () => (await tasks.stats()).byStatus.working).toBe(0);
  expect(await tasks.get(NINE, '')).toMatchObject({ task: { status: 'completed' } });
  expect(await tasks.get(TEN, '')).toMatchObject({
    task: { status: 'failed', statusMessage: 'Started 10 times and never finished' },
    outcome: { ok: false, error: { code: 'TASK_LOST' }, isByFramework: true },
  });
  const dead = await tasks.dead();
  expect(dead.map(({ id }) => id)).toEqual([TEN]);
  expect(dead[0]!.history.map(({ what }) => what)).toEqual([...Array<string>(10).fill('started'), 'failed: TASK_LOST']);
  expect(await tasks.stats()).toMatchObject({ dead: 1, byStatus: { failed: 1, completed: 1 } });
  await tasks.close(0);
});
