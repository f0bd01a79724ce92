/** Lets so many in at once, makes so many more wait in line, and turns the rest away. */
export class Gate {
  #inside = 0;
  readonly #line: (() => void)[] = [];

  constructor(
    private readonly concurrent: number,
    private readonly queued: number,
  ) {}

  get full(): boolean {
    return this.#inside >= this.concurrent && this.#line.length >= this.queued;
  }

  get busy(): boolean {
    return this.#inside >= this.concurrent;
  }

  enter(): void {
    this.#inside++;
  }

  /** Resolves, already inside, when a place is free. */
  wait(): Promise<void> {
    return new Promise((resolve) => this.#line.push(resolve));
  }

  /** The place goes to the next in line, if there is one. */
  leave(): void {
    const next = this.#line.shift();
    if (next) next();
    else this.#inside--;
  }
}
