/** Lets so many in at once, makes so many more wait in line, and turns the rest away. */
export class Gate {
  #inside = 0;
  /** In order of arrival. */
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

  /** A place in the line: it resolves, already inside, when one is free, and never once it was given up. */
  wait(): { readonly place: Promise<void>; readonly giveUp: () => void } {
    let go!: () => void;
    const place = new Promise<void>((resolve) => (go = resolve));
    this.#line.add(go);
    return { place, giveUp: () => void this.#line.delete(go) };
  }

  /** The place goes to the next in line, if there is one. */
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
