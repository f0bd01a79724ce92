import type { Repair } from '../schema/repair.ts';
import type { Caller } from '../core/context.ts';

/** The record of one call. */
export interface AuditRecord {
  /** The start of the call, in ISO 8601. */
  readonly time: string;
  /** Of the function, or the requested name if there is no such function. */
  readonly operationId: string;
  readonly wire: string;
  /** Who calls, if the app has access rules and the credential is valid. */
  readonly principal?: { readonly id: string; readonly kind: string };
  /** The caller's, or a generated one. */
  readonly requestId: string;
  /** The task that the call has become, or, with the number of the attempt, the one that it is a run of. */
  readonly task?: { readonly id: string; readonly attempt?: number };
  /** `OK` or the failure code. */
  readonly code: string;
  /** In milliseconds. */
  readonly duration: number;
  /** The size of the body; 0 for calls in process, which have none. */
  readonly bytes: number;
  readonly repairs: readonly Repair[];
  /** The rules of the profile that the body breaks, if the app checks them. */
  readonly violations: readonly { readonly rule: string; readonly pointer: string; readonly message: string }[];
  /** If enabled: the arguments, without those that the schema marks as secret. */
  readonly arguments?: unknown;
}

/** The start of a call. */
export interface AuditedCall {
  readonly operationId: string;
  /** False if no function has that name. */
  readonly isKnown: boolean;
  readonly requestId: string;
  readonly caller: Caller;
}

/** Receives the records. If it throws, the first error of a series is logged; calls are not affected. */
export type AuditSink = ((record: AuditRecord) => void) | ObservingSink;

/** A sink that is active while the call runs, for example to create spans. */
export interface ObservingSink {
  begin(call: AuditedCall): {
    /** Runs the call, for example inside a tracing context. */
    run?<T>(work: () => T): T;
    end(record: AuditRecord): void;
    /** The trace context of the call, for what it causes in other processes: `traceparent`, `tracestate`, … */
    trace?(): Readonly<Record<string, string>>;
  };
}

/** The option `audit` of createApp. */
export interface AuditOptions {
  readonly to: AuditSink | readonly AuditSink[];
  /** Record the arguments too, except secrets. */
  readonly arguments?: boolean;
}
