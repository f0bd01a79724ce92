/** A timer that can be paused while a call waits for input. */
export class Stopwatch {
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;

  constructor(
    private left: number,
    private readonly onEnd: () => void,
  ) {}

  go(): void {
    if (this.left === Infinity || this.#timer !== undefined) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.onEnd, this.left);
  }

  stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.left = Math.max(0, this.left - (performance.now() - this.#since));
  }
}
