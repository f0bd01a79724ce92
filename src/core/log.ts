import type { Log, LogFields } from './context.ts';
import { messageOf } from './failure.ts';
import { safely } from './safely.ts';

/** A log that never throws: if the author's log fails, the message goes to stderr. */
export function reliableLog(log: Log): Log {
  const guarded =
    (level: keyof Log): Log[keyof Log] =>
    (message, fields) => {
      safely(
        () => log[level](message, fields),
        (thrown) => consoleLog[level](message, { ...fields, logFailure: messageOf(thrown) }),
      );
    };
  return log === consoleLog
    ? log
    : { debug: guarded('debug'), info: guarded('info'), warn: guarded('warn'), error: guarded('error') };
}

/** One line of JSON per message, on stderr: stdout belongs to the wires. */
export const consoleLog: Log = {
  debug: (message, fields) => write('debug', message, fields),
  info: (message, fields) => write('info', message, fields),
  warn: (message, fields) => write('warn', message, fields),
  error: (message, fields) => write('error', message, fields),
};

function write(level: string, message: string, fields: LogFields = {}): void {
  const record = { level, time: new Date().toISOString(), message, ...fields };
  try {
    console.error(
      JSON.stringify(record, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value)),
    );
  } catch {
    // Cyclic fields must not fail the call that logs them.
    console.error(JSON.stringify({ level, time: record.time, message }));
  }
}
