import { isCode, refuse } from '../../core/failure.ts';
import { failed } from '../../core/outcome.ts';
import type { Failed } from '../../core/outcome.ts';
import { isRecord } from '../../schema/json-schema.ts';

/** A failure of which only a sentence is known, or not even that. */
export function unknownError(message: unknown): Failed {
  return refuse('UNKNOWN_ERROR', typeof message === 'string' ? message : 'Unknown error');
}

/** A failure from the fields that say so, as far as they are what they should be. */
export function readError(fields: unknown): Failed {
  if (!isRecord(fields)) return unknownError(fields);
  const { code, message, details, retry, retryAfter } = fields;
  const { error } = unknownError(message);
  return failed({
    ...error,
    ...(isCode(code) && { code: code as string }),
    ...(details !== undefined && { details }),
    ...(typeof retry === 'boolean' && { retry }),
    ...(Number.isFinite(retryAfter) && { retryAfter: retryAfter as number }),
  });
}
