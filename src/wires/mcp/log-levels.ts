import type { Log } from '../../core/context.ts';

/** The protocol's names for the levels of a log. */
export const LEVELS = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const satisfies Record<
  keyof Log,
  string
>;

/** All levels that a client may ask for, the least first. */
export const SEVERITY: readonly string[] = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
];

/** What a function logged, as a message to the client carries it. */
export function logged(message: string, fields: object | undefined): string | object {
  return fields && Object.keys(fields).length > 0 ? { message, ...fields } : message;
}
