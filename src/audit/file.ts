import { closeSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import type { AuditRecord } from './record.ts';

/** A sink that holds a file open. */
export interface AuditFile {
  (record: AuditRecord): void;
  close(): void;
}

/**
 * Appends one line of JSON a call to a file, which only its owner may read. Written at once, so that no record is lost
 * with the process; and before each, it is made sure that the file is still the one of that name, so that logrotate may
 * move it away at any time, without being told to send a signal.
 */
export function auditFile(path: string): AuditFile {
  let file: number | undefined = open(path);
  let isFailing = false;

  const sink = (record: AuditRecord) => {
    try {
      if (file === undefined || !isStill(file, path)) {
        if (file !== undefined) closeSync(file);
        file = undefined;
        file = open(path);
      }
      writeAll(file, Buffer.from(`${JSON.stringify(record)}\n`));
      isFailing = false;
    } catch (error) {
      // Said once, or a full disk would fill the other log too.
      if (!isFailing) console.error(`Audit records cannot be written to ${path}: ${(error as Error).message}`);
      isFailing = true;
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

function isStill(file: number, path: string): boolean {
  const held = fstatSync(file);
  const named = statSync(path, { throwIfNoEntry: false });
  return named !== undefined && named.ino === held.ino && named.dev === held.dev;
}

function writeAll(file: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
}
