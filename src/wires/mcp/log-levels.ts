import type { Log } from '../../core/context.ts';

/** MCP's names for the log levels of a function. */
export const LEVELS = { debug: 'debug', info: 'info', warn: 'warning', error: 'error' } as const satisfies Record<
  keyof Log,
  string
>;

/** All levels that a client may ask for, least severe first. */
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

/** The `data` of a log notification. */
export function toLogData(message: string, fields: object | undefined): string | object {
  return fields && Object.keys(fields).length > 0 ? { message, ...fields } : message;
}
