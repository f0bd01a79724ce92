/** A timer that can be paused while a call waits for input. */
export class PausableTimer {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #startedAt = 0;

  constructor(
    private remaining: number,
    private readonly onEnd: () => void,
  ) {}

  start(): void {
    if (this.remaining === Infinity || this.#timer !== undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(this.onEnd, this.remaining);
  }

  /** From now on it must not keep the process alive. */
  unref(): void {
    (this.#timer as { unref?: () => void } | undefined)?.unref?.();
  }

  pause(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.remaining = Math.max(0, this.remaining - (performance.now() - this.#startedAt));
  }
}
