import type { TaskStore } from './task-store.ts';

/** Notifies those who wait for news of a task, in whichever process it changes. */
export class TaskChanges {
  readonly #listeners = new Map<string, Set<() => void>>();
  #watching: Promise<() => void> | undefined;

  constructor(private readonly store: TaskStore) {}

  /** Resolves when nothing can be missed any more. The function that it returns ends it. */
  async listen(id: string, listener: () => void): Promise<() => void> {
    const listeners = this.#listeners.get(id) ?? new Set();
    this.#listeners.set(id, listeners.add(listener));
    const forget = () => {
      listeners.delete(listener);
      if (listeners.size === 0 && this.#listeners.get(id) === listeners) this.#listeners.delete(id);
    };
    try {
      await (this.#watching ??= this.store.watch((changed) => this.#notify(changed)));
    } catch (thrown) {
      this.#watching = undefined; // the next one tries again
      forget();
      throw thrown;
    }
    return forget;
  }

  async close(): Promise<void> {
    const stop = await this.#watching?.catch(() => undefined); // who listens has got the error
    this.#watching = undefined;
    stop?.();
  }

  #notify(id: string): void {
    for (const listener of this.#listeners.get(id) ?? []) listener();
  }
}
