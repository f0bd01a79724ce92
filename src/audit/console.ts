import type { AuditSink } from './record.ts';

/** Writes one line of JSON per call to stderr: stdout belongs to the wires. */
export function auditConsole(): AuditSink {
  return (record) => console.error(JSON.stringify(record));
}
