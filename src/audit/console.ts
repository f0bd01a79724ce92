import type { AuditSink } from '../core/audit.ts';

/** One line of JSON a call, on stderr: stdout belongs to the wires. */
export function auditConsole(): AuditSink {
  return (record) => console.error(JSON.stringify(record));
}
