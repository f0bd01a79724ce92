import type { FailureData } from '../../core/outcome.ts';

/** Where a failure's code, details and retry hint stand in a tool's result, whose text has only the message. */
export const ERROR_META = 'everywire/error';

export function errorMeta(error: FailureData): Record<string, unknown> {
  const { message: _, ...rest } = error;
  return { [ERROR_META]: rest };
}
