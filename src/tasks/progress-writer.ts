import type { Progress } from '../core/context.ts';
import { isSameAttempt } from './task-record.ts';
import type { TaskRecord } from './task-record.ts';
import type { TaskRecords } from './task-records.ts';

/** At most four times a second, however often a function reports. */
const INTERVAL = 250;

/** Writes the progress of a running leg into its record. */
export class ProgressWriter {
  #latest: Progress | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<unknown> = Promise.resolve();
  #lastWritten = 0;
  #hasEnded = false;

  constructor(
    private readonly record: TaskRecord,
    private readonly records: TaskRecords,
  ) {}

  readonly report = (progress: Progress): void => {
    if (this.#hasEnded) return;
    this.#latest = progress;
    const wait = Math.max(0, this.#lastWritten + INTERVAL - Date.now());
    this.#timer ??= setTimeout(() => this.#write(), wait);
  };

  /** Writes what is left, and reports nothing more. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    const hasRest = this.#timer !== undefined;
    clearTimeout(this.#timer);
    if (hasRest) this.#write();
    await this.#writing;
  }

  #write(): void {
    this.#timer = undefined;
    this.#lastWritten = Date.now();
    const progress = this.#latest!;
    const write = () =>
      this.records.change(this.record.id, (found) => {
        if (!isSameAttempt(found, this.record)) return undefined;
        return { progress, ...(progress.message !== undefined && { statusMessage: progress.message }) };
      });
    // Progress is informational: if the store cannot be reached, whoever stores the outcome will report that.
    this.#writing = this.#writing.then(write).catch(() => {});
  }
}
