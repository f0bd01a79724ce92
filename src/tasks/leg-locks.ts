/** Aborts the signal of a leg when its lock is lost, or was not renewed for so long that it may be. */
export class LegLocks {
  readonly #duration: number;
  readonly #locks = new Map<string, Lock>();

  constructor(duration: number) {
    this.#duration = duration;
  }

  /** Until the function that is returned is called. */
  hold(job: string): [AbortSignal, () => void] {
    // It was lost, and this process has taken it again.
    this.lose(job);
    const controller = new AbortController();
    const lock = { controller, timer: setTimeout(() => controller.abort(), this.#duration) };
    this.#locks.set(job, lock);
    const release = () => {
      clearTimeout(lock.timer);
      if (this.#locks.get(job) === lock) this.#locks.delete(job);
    };
    return [controller.signal, release];
  }

  renew(job: string): void {
    const lock = this.#locks.get(job);
    if (lock && !lock.controller.signal.aborted) lock.timer.refresh();
  }

  lose(job: string): void {
    this.#locks.get(job)?.controller.abort();
  }
}

interface Lock {
  readonly controller: AbortController;
  readonly timer: ReturnType<typeof setTimeout>;
}
