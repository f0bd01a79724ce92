import type { Repair } from '../schema/repair.ts';
import type { Caller } from '../core/context.ts';

/** What is written down of one call. */
export interface AuditRecord {
  /** When it began, in ISO 8601. */
  readonly time: string;
  /** Of the function; as the caller wrote it, when there is no such function. */
  readonly operationId: string;
  readonly wire: string;
  /** The caller's, or one made for the call. */
  readonly requestId: string;
  /** `OK`, or the code of the failure. */
  readonly code: string;
  /** Milliseconds. */
  readonly duration: number;
  /** Of the body; 0 in process, where there is none. */
  readonly bytes: number;
  readonly repairs: readonly Repair[];
  /** Where the body broke the rules of its profile, if the app checks them. */
  readonly violations: readonly { readonly rule: string; readonly pointer: string; readonly message: string }[];
  /** If the app asks for it: what the caller gave, without what its schema marks as secret. */
  readonly arguments?: unknown;
}

/** A call that begins. */
export interface AuditedCall {
  readonly operationId: string;
  /** False when no function has that name. */
  readonly isKnown: boolean;
  readonly requestId: string;
  readonly caller: Caller;
}

/** Where records go. What it throws is logged, once until it works again: a full disk fails no call. */
export type AuditSink = ((record: AuditRecord) => void) | ObservingSink;

/** A sink that is there while the call runs, such as one that makes spans. */
export interface ObservingSink {
  begin(call: AuditedCall): {
    /** Runs the call inside of whatever must surround it. */
    run?<T>(work: () => T): T;
    end(record: AuditRecord): void;
  };
}

/** `audit` of createApp. */
export interface AuditOptions {
  readonly to: AuditSink | readonly AuditSink[];
  /** Write the arguments down too; secrets are left out. */
  readonly arguments?: boolean;
}
