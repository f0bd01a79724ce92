/** The wait of one call. */
export interface Turn {
  /** Resolves when the call has entered, and never after `giveUp`. */
  readonly place: Promise<void>;
  /** False if the call has entered before. */
  readonly giveUp: () => boolean;
}

/** Limits how many calls run at once and how many wait. The pipeline rejects the rest. */
export class Gate {
  #running = 0;
  /** Waiting calls, in order of arrival. */
  readonly #waiting = new Set<() => void>();
  /** Those that go first. */
  readonly #urgent = new Set<() => void>();
  #onIdle: (() => void)[] | undefined;

  constructor(
    private readonly concurrent: number,
    private readonly queued: number,
  ) {}

  get full(): boolean {
    return this.busy && this.#waiting.size + this.#urgent.size >= this.queued;
  }

  get busy(): boolean {
    return this.#running >= this.concurrent;
  }

  enter(): void {
    this.#running++;
  }

  wait(isUrgent = false): Turn {
    let enter!: () => void;
    const place = new Promise<void>((resolve) => (enter = resolve));
    const waiting = isUrgent ? this.#urgent : this.#waiting;
    waiting.add(enter);
    return { place, giveUp: () => waiting.delete(enter) };
  }

  /** The next waiting call, if any, enters in its place. */
  leave(): void {
    const waiting = this.#urgent.size > 0 ? this.#urgent : this.#waiting;
    const next = waiting.size > 0 && waiting.values().next().value;
    if (!next) {
      this.#running--;
      if (this.#onIdle && this.#running === 0) for (const resolve of this.#onIdle) resolve();
      return;
    }
    waiting.delete(next);
    next();
  }

  /** Resolves when no call is running. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle ??= []).push(resolve));
  }
}
