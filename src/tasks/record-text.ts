import { createHash } from 'node:crypto';
import { PAYLOADS } from './split-record.ts';
import type { TaskHead, TaskPayloads, TaskRecord } from './task-record.ts';

/** A record as servers keep it: the head as JSON, and the payloads in their order, null if there is none. */
export type RecordText = readonly [head: string, ...payloads: (string | null)[]];

export const toText = (head: TaskHead, payloads: Partial<TaskPayloads>): RecordText => [
  JSON.stringify(head),
  ...PAYLOADS.map((name) => payloads[name] ?? null),
];

export const readHead = (text: string): TaskHead => JSON.parse(text) as TaskHead;

export function readRecord([head, ...payloads]: RecordText): TaskRecord {
  const given = PAYLOADS.flatMap((name, i) => (typeof payloads[i] === 'string' ? [[name, payloads[i]]] : []));
  return { ...readHead(head), ...(Object.fromEntries(given) as unknown as TaskPayloads) };
}

/**
 * Owners and idempotency keys may be of any length and have any characters, which keys and columns may not. As JSON, so that
 * halves of surrogate pairs differ.
 */
export const hashOf = (text: string): string => createHash('sha256').update(JSON.stringify(text)).digest('hex');
