import type { AuditRecord } from '../audit/record.ts';

/** Characters of one record. Arguments, repairs and violations of a hostile call may be long. */
const LONGEST = 4096;
const LONGEST_NAME = 200;

/** A record as it is kept and sent: bounded, whatever the caller sent. What was redacted stays redacted. */
export function toEntry(record: AuditRecord): string {
  const name = record.operationId.slice(0, LONGEST_NAME).toWellFormed();
  const text = JSON.stringify({ ...record, operationId: name });
  if (text.length <= LONGEST) return text;
  const { time, wire, code, duration, bytes, principal, task } = record;
  return JSON.stringify({
    time,
    operationId: name,
    wire,
    code: code.slice(0, LONGEST_NAME),
    duration,
    bytes,
    principal: principal && { id: principal.id.slice(0, LONGEST_NAME), kind: principal.kind.slice(0, LONGEST_NAME) },
    task,
    repairs: [],
    violations: [],
    isCut: true,
  });
}
