import { refuse, wireFactsOf } from '../core/failure.ts';
import type { Outcome } from '../core/outcome.ts';
import type { TaskStatus } from '../core/task.ts';
import { toStored } from './task-payloads.ts';
import type { Identity, Patch, TaskRecords } from './task-records.ts';

/** The end of a task. An outcome that is too large is replaced by a failure that says so. */
export async function endOf(outcome: Outcome, records: TaskRecords, task: Identity, maxResult: number): Promise<Patch> {
  const sealed = await records.seal(task, 'outcome', toStored(outcome));
  const bytes = bytesIn(sealed, maxResult);
  if (bytes > maxResult) {
    const message = `The result has ${bytes} bytes, and the limit is ${maxResult}`;
    return endOf(refuse('RESULT_TOO_LARGE', message), records, task, Infinity);
  }
  const status = statusOf(outcome);
  return {
    status,
    statusMessage: undefined, // the message of a failure is part of the outcome, which may be encrypted
    outcome: sealed,
    questions: '',
    what: outcome.ok ? status : `${status}: ${outcome.error.code}`,
  };
}

const utf8 = new TextEncoder();

/** Encodes only what may be too large: a character has at most three bytes. */
const bytesIn = (text: string, max: number) => (text.length * 3 <= max ? text.length : utf8.encode(text).byteLength);

/**
 * `completed`: the call has an answer, which may be that it failed. `failed`: it has none that a caller could get without a task;
 * MCP reserves that for JSON-RPC errors.
 */
function statusOf(outcome: Outcome): TaskStatus {
  if (outcome.ok) return 'completed';
  const { mcp } = wireFactsOf(outcome);
  if (mcp === 'none') return 'cancelled';
  return typeof mcp === 'number' ? 'failed' : 'completed';
}
