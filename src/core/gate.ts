/** Limits how many calls run at once and how many wait. The pipeline rejects the rest. */
export class Gate {
  #running = 0;
  /** Waiting calls, in order of arrival. */
  readonly #waiting = new Set<() => void>();

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
      return;
    }
    this.#waiting.delete(next);
    next();
  }
}
