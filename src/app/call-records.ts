import type { AuditRecord } from '../audit/record.ts';
import { safely } from '../core/safely.ts';

/** Audit records for somebody who watches, in addition to the sinks of the app. */
export interface CallRecords {
  /** Check this before you make a record: most servers are not watched. */
  readonly isObserved: boolean;
  /** Adds a listener. Returns a function that removes it. */
  observe(listener: (record: AuditRecord) => void): () => void;
  emit(record: AuditRecord): void;
}

/** If a listener throws, `onFailure` gets the error, and the other listeners are still called. */
export function createCallRecords(onFailure: (thrown: unknown) => void): CallRecords {
  const listeners = new Set<(record: AuditRecord) => void>();
  return {
    get isObserved() {
      return listeners.size > 0;
    },
    observe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    emit(record) {
      for (const listener of listeners) safely(() => listener(record), onFailure);
    },
  };
}
