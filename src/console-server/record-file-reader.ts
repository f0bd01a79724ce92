import { open, rm } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import type { AuditRecord } from '../audit/record.ts';
import { cacheFolder } from '../load/cache-folder.ts';
import { READER_TIMEOUT_MS, recordFileOf } from '../load/record-file.ts';

/** Milliseconds between two looks. */
const PACE = 200;
/** Bytes that are read at once; further ones are dropped. */
const MOST = 256 * 1024;

/** Reads what other processes of the module write: the command line, CGI and MCP on stdio. */
export class RecordFileReader {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #position: number | undefined;
  readonly #file: string | undefined;

  constructor(
    module: string,
    private readonly onRecord: (record: AuditRecord) => void,
  ) {
    this.#file = cacheFolder() === undefined ? undefined : recordFileOf(module);
    if (this.#file !== undefined) void this.#look(this.#file);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    if (this.#file !== undefined) await rm(this.#file, { force: true });
  }

  async #look(file: string): Promise<void> {
    try {
      // Created, so that others write to it: again, if another server of the module has removed it.
      const opened = await open(file, 'a+', 0o600);
      try {
        await this.#read(opened);
      } finally {
        await opened.close();
      }
    } catch {
      // A full or read-only disk: then only the calls of this process are shown.
    }
    if (this.#isClosed) await rm(file, { force: true });
    else this.#timer = setTimeout(() => void this.#look(file), PACE).unref();
  }

  async #read(opened: FileHandle): Promise<void> {
    const { size, atimeMs, mtime } = await opened.stat();
    if (atimeMs < Date.now() - READER_TIMEOUT_MS / 4) await opened.utimes(new Date(), mtime);
    // Not what was written before anybody watched.
    const from = Math.min((this.#position ??= size), size);
    if (size === from) return;
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(Math.min(size - from, MOST)), 0, undefined, from);
    const bytes = buffer.subarray(0, bytesRead);
    const end = bytes.lastIndexOf('\n') + 1;
    // First, so that nothing is read twice, whatever is in it.
    this.#position = size - from > MOST ? size : from + end;
    for (const line of bytes.toString('utf8', 0, end).split('\n')) {
      const record = parse(line);
      if (record) this.onRecord(record);
    }
    if (size <= MOST) return;
    await opened.truncate(0);
    this.#position = 0;
  }
}

/** Only what looks like a record: other versions may write something else. */
function parse(line: string): AuditRecord | undefined {
  try {
    const record = JSON.parse(line) as Partial<AuditRecord>;
    const { time, operationId, wire, code, duration, bytes, principal, repairs } = record;
    const texts = [time, operationId, wire, code, ...(principal ? [principal.id, principal.kind] : [])];
    const isRecord = texts.every(isString) && [duration, bytes].every(isNumber) && Array.isArray(repairs);
    return isRecord ? (record as AuditRecord) : undefined;
  } catch {
    return undefined;
  }
}

const isString = (value: unknown) => typeof value === 'string';
const isNumber = (value: unknown) => typeof value === 'number';
