import type { FailureData } from '../../core/outcome.ts';

/** The `_meta` key of a failure's code, details and retry hint. The text of a tool result has only the message. */
export const ERROR_META = 'everywire/error';

export function errorMeta(error: FailureData): Record<string, unknown> {
  const { message: _, ...rest } = error;
  return { [ERROR_META]: rest };
}
