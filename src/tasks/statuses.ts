import type { TaskStatus } from '../core/task.ts';

/** All of them. */
export const STATUSES = [
  'working',
  'input_required',
  'completed',
  'failed',
  'cancelled',
] as const satisfies readonly TaskStatus[];
