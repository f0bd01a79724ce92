import { safely } from './safely.ts';

/** Those who watch a server, and are told each time that something happens. */
export interface Observers<Event> {
  /** Check this before you build an event: most servers are not watched. */
  readonly isObserved: boolean;
  /** Adds a listener. Returns a function that removes it. */
  observe(listener: (event: Event) => void): () => void;
  emit(event: Event): void;
}

/** If a listener throws, `onFailure` gets the error, and the other listeners are still called. */
export function createObservers<Event>(onFailure: (thrown: unknown) => void): Observers<Event> {
  const listeners = new Set<(event: Event) => void>();
  return {
    get isObserved() {
      return listeners.size > 0;
    },
    observe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(event) {
      for (const listener of listeners) safely(() => listener(event), onFailure);
    },
  };
}
