import type { AuditSink } from './record.ts';

/** One line of JSON a call, on stderr: stdout belongs to the wires. */
export function auditConsole(): AuditSink {
  return (record) => console.error(JSON.stringify(record));
}
