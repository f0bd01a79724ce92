import type { Call } from '../../../core/call.ts';
import { refuse } from '../../../core/failure.ts';
import type { RegisteredFunction } from '../../../core/registered-function.ts';
import type { Deferral } from '../../../core/task.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { Catalog } from '../catalog.ts';
import { askableMethods } from '../elicitation.ts';
import type { ClientCapabilities } from '../elicitation.ts';
import type { Era } from '../revisions.ts';
import { IDEMPOTENCY_KEY, declaresTasks } from './extension.ts';

export type TaskTerms = Pick<Call, 'deferral' | 'refused'>;

const NONE: TaskTerms = Object.freeze({});
const REFUSES: TaskTerms = Object.freeze({ deferral: Object.freeze({ caller: 'refuses', askable: [] }) });

/** Ten years in milliseconds. Stores cannot keep every number that JSON can express. */
const MAX_TTL = 10 * 365 * 24 * 60 * 60 * 1000;

/**
 * What the caller of a tool says about tasks. In revision 2026-07-28 it declares that it takes them; in 2025-11-25 it asks for
 * one, with `task`.
 */
export function taskTermsOf(
  { app }: Catalog,
  fn: RegisteredFunction,
  era: Era,
  capabilities: ClientCapabilities | undefined,
  meta: Readonly<Record<string, unknown>>,
  task?: unknown,
): TaskTerms {
  const wantsTask = era === 'modern' ? declaresTasks(capabilities) : task !== undefined && app.tasks.isUsed;
  if (fn.task === 'never') return wantsTask && era === 'legacy' ? { refused: notAllowed(fn) } : NONE;
  if (!wantsTask) return REFUSES;
  const idempotencyKey = meta[IDEMPOTENCY_KEY];
  if (idempotencyKey !== undefined && !isKey(idempotencyKey))
    return { refused: refuse('BAD_REQUEST', `_meta["${IDEMPOTENCY_KEY}"] must be a string of 1 to 255 characters`) };
  const deferral: Deferral =
    era === 'modern'
      ? { caller: 'prefers', idempotencyKey, askable: askableMethods(capabilities) }
      : { caller: 'prefers', idempotencyKey, askable: [], ttl: ttlIn(task) };
  return { deferral };
}

/** Whether the call is refused, because the function always becomes a task. */
export const needsTask = ({ task }: RegisteredFunction, { deferral }: TaskTerms): boolean =>
  task === 'always' && deferral?.caller === 'refuses';

const notAllowed = ({ name }: RegisteredFunction) => refuse('TASK_NOT_ALLOWED', `${name} never runs as a task`);

const isKey = (key: unknown): key is string => typeof key === 'string' && key.length > 0 && key.length <= 255;

function ttlIn(task: unknown): number | undefined {
  const ttl = isRecord(task) ? task['ttl'] : undefined;
  return typeof ttl === 'number' ? Math.min(Math.ceil(ttl), MAX_TTL) : undefined;
}
