/** Milliseconds. What expires is forgotten so much later at most; whoever reads looks at the exact time. */
const STEP = 1000;

/** Reports ids when their time has come, with one timer, which does not keep the process alive. */
export class Expiry {
  /** Ids by the step in which they expire: adding and removing take the same time however many there are. */
  readonly #steps = new Map<number, Set<string>>();
  readonly #onExpired: (id: string) => void;
  #done = stepOf(Date.now());
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(onExpired: (id: string) => void) {
    this.#onExpired = onExpired;
  }

  add(id: string, expiresAt: number | null): void {
    if (expiresAt === null) return;
    if (!this.#timer) {
      this.#done = stepOf(Date.now());
      this.#timer = setInterval(() => this.sweep(), STEP);
      // Browsers return a number.
      (this.#timer as { unref?: () => void }).unref?.();
    }
    const step = Math.max(stepOf(expiresAt), this.#done + 1);
    const ids = this.#steps.get(step);
    if (ids) ids.add(id);
    else this.#steps.set(step, new Set([id]));
  }

  remove(id: string, expiresAt: number | null): void {
    if (expiresAt === null) return;
    // It may have been added late, and is then reported once, for nothing.
    const ids = this.#steps.get(stepOf(expiresAt));
    if (ids?.delete(id) && ids.size === 0) this.#steps.delete(stepOf(expiresAt));
  }

  sweep(): void {
    const now = stepOf(Date.now()) - 1;
    // After a long sleep there are fewer steps with ids than steps.
    const due =
      now - this.#done > this.#steps.size
        ? [...this.#steps.keys()].filter((step) => step <= now)
        : Array.from({ length: Math.max(0, now - this.#done) }, (_, i) => this.#done + 1 + i);
    this.#done = Math.max(this.#done, now);
    for (const step of due) {
      const ids = this.#steps.get(step);
      this.#steps.delete(step);
      for (const id of ids ?? []) this.#onExpired(id);
    }
    if (this.#steps.size === 0) this.close();
  }

  close(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#steps.clear();
  }
}

const stepOf = (time: number) => Math.floor(time / STEP);
