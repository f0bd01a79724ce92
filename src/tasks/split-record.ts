import type { TaskHead, TaskPayloads } from './task-record.ts';

/** The names of all payloads. */
export const PAYLOADS = ['call', 'questions', 'answers', 'outcome'] as const satisfies readonly (keyof TaskPayloads)[];

/** The head, and the payloads that are there. */
export function splitRecord(record: TaskHead & Partial<TaskPayloads>): [TaskHead, Partial<TaskPayloads>] {
  const { call, questions, answers, outcome, ...head } = record;
  const payloads = { call, questions, answers, outcome };
  for (const name of PAYLOADS) if (payloads[name] === undefined) delete payloads[name];
  return [head, payloads as Partial<TaskPayloads>];
}
