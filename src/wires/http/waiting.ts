import type { HttpRequest } from './message.ts';

export interface Wait {
  /** Aborted when the time is over, when the client disconnects, and when the server stops. */
  readonly signal: AbortSignal;
  /** Must be called, once nobody waits any more. */
  readonly end: () => void;
}

/** The requests that wait for news of a task. */
export class Waiting {
  readonly #waiting = new Set<() => void>();
  #isOver = false;

  begin({ onDisconnect }: Pick<HttpRequest, 'onDisconnect'>, milliseconds?: number): Wait {
    const controller = new AbortController();
    const end = () => {
      clearTimeout(timer);
      this.#waiting.delete(end);
      controller.abort();
    };
    const timer = milliseconds === undefined ? undefined : setTimeout(end, milliseconds);
    this.#waiting.add(end);
    onDisconnect?.(end);
    if (this.#isOver) end();
    return { signal: controller.signal, end };
  }

  /** The server stops: those who wait are answered now, and those who come late do not wait. */
  endAll(): void {
    this.#isOver = true;
    for (const end of this.#waiting) end();
  }
}
