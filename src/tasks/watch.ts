import { notify } from './notify.ts';

/** Begins to report ids. Resolves, with how to end that, when it is listening. Calls `onLost` if the connection is lost. */
export type Listen = (onId: (id: string) => void, onLost: () => void) => Promise<() => void>;

/** Milliseconds until the next attempt. */
const PAUSE = 500;

/**
 * One connection for all listeners of a store, which is opened with the first one and opened again when it is lost. What
 * changes meanwhile is not reported.
 */
export class Watch {
  readonly #listen: Listen;
  readonly #listeners = new Set<(id: string) => void>();
  #connection: Promise<() => void> | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;

  constructor(listen: Listen) {
    this.#listen = listen;
  }

  async add(listener: (id: string) => void): Promise<() => void> {
    // The same function may be given twice.
    const own = (id: string) => listener(id);
    const remove = () => void this.#listeners.delete(own);
    this.#listeners.add(own);
    try {
      await this.#open();
    } catch (error) {
      remove();
      throw error;
    }
    return remove;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#listeners.clear();
    clearTimeout(this.#timer);
    const end = await this.#connection?.catch(() => undefined);
    end?.();
  }

  /** Opens the connection again: another server may be the one that reports. */
  renew(): void {
    const connection = this.#connection;
    if (!connection) return;
    this.#forget(connection);
    connection.then(
      (end) => end(),
      () => {},
    );
  }

  #open(): Promise<() => void> {
    if (this.#connection) return this.#connection;
    const connection = this.#listen(
      (id) => notify(this.#listeners, id),
      () => this.#forget(connection),
    );
    connection.catch(() => this.#forget(connection));
    return (this.#connection = connection);
  }

  #forget(connection: Promise<() => void>): void {
    if (this.#connection !== connection) return;
    this.#connection = undefined;
    clearTimeout(this.#timer);
    if (this.#isClosed || this.#listeners.size === 0) return;
    const reopen = () => {
      // Listeners that could not be registered at first have given up meanwhile.
      if (this.#listeners.size > 0) this.#open().catch(() => {});
    };
    this.#timer = setTimeout(reopen, PAUSE);
    this.#timer.unref();
  }
}
