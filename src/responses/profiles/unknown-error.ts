import { factsOf } from '../../core/codes.ts';
import { isCode, refuse } from '../../core/failure.ts';
import { failed } from '../../core/outcome.ts';
import type { Failed } from '../../core/outcome.ts';
import { isRecord } from '../../schema/json-schema.ts';

/** A failure without a known code, and perhaps without a message. */
export function unknownError(message: unknown): Failed {
  return refuse('UNKNOWN_ERROR', typeof message === 'string' ? message : 'Unknown error');
}

/** Reads a failure from the fields of an error object; ignores fields of the wrong type. */
export function readError(fields: unknown): Failed {
  if (!isRecord(fields)) return unknownError(fields);
  const { message, details, retry, retryAfter } = fields;
  const { error } = unknownError(message);
  const code = codeFrom(fields['code']) ?? error.code;
  return failed({
    ...error,
    code,
    ...(details !== undefined && { details }),
    retry: typeof retry === 'boolean' ? retry : factsOf(code).retry,
    ...(Number.isFinite(retryAfter) && { retryAfter: retryAfter as number }),
  });
}

/** Normalizes codes of other servers, such as `not-found` or `rate.limited`. */
function codeFrom(code: unknown): string | undefined {
  if (isCode(code)) return code as string;
  const spelled = typeof code === 'string' ? code.trim().replaceAll(/\W+/g, '_').toUpperCase() : '';
  return isCode(spelled) ? spelled : undefined;
}
