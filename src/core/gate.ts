/** Limits how many calls run at once and how many wait. The pipeline rejects the rest. */
export class Gate {
  #inside = 0;
  /** Waiting calls, in order of arrival. */
  readonly #line = new Set<() => void>();

  constructor(
    private readonly concurrent: number,
    private readonly queued: number,
  ) {}

  get full(): boolean {
    return this.busy && this.#line.size >= this.queued;
  }

  get busy(): boolean {
    return this.#inside >= this.concurrent;
  }

  enter(): void {
    this.#inside++;
  }

  /** `place` resolves when the call has entered, and never after `giveUp`. */
  wait(): { readonly place: Promise<void>; readonly giveUp: () => void } {
    let go!: () => void;
    const place = new Promise<void>((resolve) => (go = resolve));
    this.#line.add(go);
    return { place, giveUp: () => void this.#line.delete(go) };
  }

  /** The next waiting call, if any, enters in its place. */
  leave(): void {
    const next = this.#line.size > 0 && this.#line.values().next().value;
    if (!next) {
      this.#inside--;
      return;
    }
    this.#line.delete(next);
    next();
  }
}
