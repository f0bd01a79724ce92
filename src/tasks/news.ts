/** News are read at least this often, in milliseconds: a notification may be lost with its connection. */
const PATIENCE = 2000;

/** Something that may have happened, again and again. */
export class News {
  #isNew = false;
  #wake: (() => void) | undefined;

  readonly tell = (): void => {
    this.#isNew = true;
    this.#wake?.();
  };

  /** Resolves when there was news since the last time, after a while without any, or when the signal is aborted. */
  async wait(signal?: AbortSignal, patience = PATIENCE): Promise<void> {
    if (!this.#isNew && !signal?.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, patience);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
        signal?.addEventListener('abort', this.#wake, { once: true });
      });
      if (this.#wake) signal?.removeEventListener('abort', this.#wake);
      this.#wake = undefined;
    }
    this.#isNew = false;
  }
}
