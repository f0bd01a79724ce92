import { randomUUID } from 'node:crypto';
import type { RunLeg, TaskLeg } from '../../src/tasks/task-queue.ts';
import type { TaskRecord } from '../../src/tasks/task-record.ts';

/** For what must happen, on a machine that has much else to do. */
export const SOON = { timeout: 30_000 };

/** A task that has just been created, with an id of its own. */
export function record(parts: Partial<TaskRecord> = {}): TaskRecord {
  const now = Date.now();
  return {
    id: randomUUID(),
    version: 1,
    name: 'Report',
    owner: 'ada',
    status: 'working',
    isDead: false,
    createdAt: now,
    updatedAt: now,
    expiresAt: now + 60_000,
    leg: 1,
    attempts: 0,
    history: [{ at: now, what: 'created', by: 'test' }],
    call: '{"input":{}}',
    ...parts,
  };
}

/** The next version of it. */
export function next(before: TaskRecord, parts: Partial<TaskRecord> = {}): TaskRecord {
  return { ...before, version: before.version + 1, updatedAt: Date.now(), ...parts };
}

export const legs = (count: number): TaskLeg[] => Array.from({ length: count }, () => ({ id: randomUUID(), leg: 1 }));
/** Runs legs, and notes which. */
export const noting =
  (ran: TaskLeg[]): RunLeg =>
  async (leg) => {
    ran.push(leg);
    return 'done';
  };

export const ids = (some: readonly TaskLeg[]) => some.map(({ id, leg }) => `${id} ${leg}`).sort();
