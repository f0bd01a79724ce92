import { safely } from './safely.ts';

/** A step of a request, for people and programs that watch a server. */
export interface CallEvent {
  /** `accepted` by a wire, `decoded` into a call, `called` once the arguments are valid, `answered`. */
  readonly step: 'accepted' | 'decoded' | 'called' | 'answered';
  readonly wire: string;
  /** The operationId, or what the wire saw before it knew the function. */
  readonly subject: string;
  /** The id of the task that a worker runs, if the call is one. */
  readonly task?: string;
  /** Of `answered`: `OK` or the code of the failure. */
  readonly code?: string;
  /** Of `answered`: milliseconds since `decoded`. */
  readonly duration?: number;
}

export interface CallEvents {
  /** Check this before you build an event: most servers are not watched. */
  readonly isObserved: boolean;
  /** Adds a listener. Returns a function that removes it. */
  observe(listener: (event: CallEvent) => void): () => void;
  emit(event: CallEvent): void;
}

/** If a listener throws, `onFailure` gets the error, and the other listeners are still called. */
export function createCallEvents(onFailure: (thrown: unknown) => void): CallEvents {
  const listeners = new Set<(event: CallEvent) => void>();
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

/** Whether NODE_DEBUG, a list separated by commas, asks for us. */
export function isDebugging(): boolean {
  const { process } = globalThis as { process?: { env?: Record<string, string | undefined> } };
  return (process?.env?.['NODE_DEBUG'] ?? '').split(',').includes('everywire');
}
