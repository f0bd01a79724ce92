import { closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import type { AuditRecord } from './record.ts';

/** A sink that keeps a file open. */
export interface AuditFile {
  (record: AuditRecord): void;
  close(): void;
}

/**
 * Appends one line of JSON per call to a file that only its owner can read. Writes synchronously, so that no record is
 * lost if the process dies. Reopens the file if it was moved, so that logrotate needs no signal.
 */
export function auditFile(path: string): AuditFile {
  let file: number | undefined = open(path);
  /** How many records could not be written since the last one that was. */
  let lost = 0;
  /** Whether the file may end in the middle of a line. */
  let isCut = false;

  const sink = (record: AuditRecord) => {
    try {
      if (file === undefined || !isSameFile(file, path)) {
        if (file !== undefined) closeSync(file);
        file = undefined;
        file = open(path);
        isCut = false;
      }
      const bytes = Buffer.from(`${isCut ? '\n' : ''}${JSON.stringify(record)}\n`);
      isCut = true;
      writeAll(file, bytes);
      isCut = false;
      if (lost > 0) console.error(`${lost} audit records could not be written to ${path}; now it works again`);
      lost = 0;
    } catch (error) {
      // Reported once: a full disk must not fill stderr too.
      if (lost++ === 0) console.error(`Cannot write audit records to ${path}: ${(error as Error).message}`);
    }
  };
  return Object.assign(sink, {
    close() {
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  });
}

const OWNER_ONLY = 0o600;

function open(path: string): number {
  return openSync(path, 'a', OWNER_ONLY);
}

function isSameFile(file: number, path: string): boolean {
  const opened = fstatSync(file);
  const named = statSync(path, { throwIfNoEntry: false });
  return named !== undefined && named.ino === opened.ino && named.dev === opened.dev;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}
