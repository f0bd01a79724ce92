/** Limits how many calls run at once and how many wait. The pipeline rejects the rest. */
export class Gate {
  #running = 0;
  /** Waiting calls, in order of arrival. */
  readonly #waiting = new Set<() => void>();
  #onIdle: (() => void)[] | undefined;

  constructor(
    private readonly concurrent: number,
    private readonly queued: number,
  ) {}

  get full(): boolean {
    return this.busy && this.#waiting.size >= this.queued;
  }

  get busy(): boolean {
    return this.#running >= this.concurrent;
  }

  enter(): void {
    this.#running++;
  }

  /** `place` resolves when the call has entered, and never after `giveUp`. */
  wait(): { readonly place: Promise<void>; readonly giveUp: () => void } {
    let enter!: () => void;
    const place = new Promise<void>((resolve) => (enter = resolve));
    this.#waiting.add(enter);
    return { place, giveUp: () => void this.#waiting.delete(enter) };
  }

  /** The next waiting call, if any, enters in its place. */
  leave(): void {
    const next = this.#waiting.size > 0 && this.#waiting.values().next().value;
    if (!next) {
      this.#running--;
      if (this.#onIdle && this.#running === 0) for (const resolve of this.#onIdle) resolve();
      return;
    }
    this.#waiting.delete(next);
    next();
  }

  /** Resolves when no call is running. */
  async idle(): Promise<void> {
    if (this.#running > 0) await new Promise<void>((resolve) => (this.#onIdle ??= []).push(resolve));
  }
}
