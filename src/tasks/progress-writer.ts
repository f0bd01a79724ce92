import type { Progress } from '../core/context.ts';
import { isSameAttempt } from './task-record.ts';
import type { TaskRecord } from './task-record.ts';
import type { TaskRecords } from './task-records.ts';

/** At most four times a second, however often a function reports. */
const INTERVAL = 250;

/** Writes the progress of a running leg into its record: one write at a time, and always the latest. */
export class ProgressWriter {
  /** Progress that is not written yet. */
  #latest: Progress | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #writing: Promise<void> | undefined;
  #lastWritten = -Infinity;
  #hasEnded = false;

  constructor(
    private readonly record: TaskRecord,
    private readonly records: TaskRecords,
  ) {}

  readonly report = (progress: Progress): void => {
    if (this.#hasEnded) return;
    this.#latest = progress;
    this.#schedule();
  };

  /** Writes what is left, and reports nothing more. */
  async end(): Promise<void> {
    this.#hasEnded = true;
    clearTimeout(this.#timer);
    await this.#writing;
    if (this.#latest) await this.#write(this.#latest);
  }

  /** A store that is slower than the function must not collect writes: the outcome would have to wait for all of them. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#writing || this.#hasEnded) return;
    const wait = Math.max(0, this.#lastWritten + INTERVAL - performance.now());
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#writing = this.#writeNow(this.#latest!);
    }, wait);
  }

  async #writeNow(progress: Progress): Promise<void> {
    await this.#write(progress);
    this.#writing = undefined;
    if (this.#latest) this.#schedule();
  }

  async #write(progress: Progress): Promise<void> {
    this.#latest = undefined;
    this.#lastWritten = performance.now();
    const patch = { progress, ...(progress.message !== undefined && { statusMessage: progress.message }) };
    try {
      await this.records.change(this.record.id, (found) => (isSameAttempt(found, this.record) ? patch : undefined));
    } catch {
      // Progress is informational: if the store cannot be reached, storing the outcome reports it.
    }
  }
}
