import type { AuditOptions, AuditRecord, AuditSink, AuditedCall } from '../core/audit.ts';
import type { Call, CallTrace } from '../core/call.ts';
import { quietly } from '../core/foreign.ts';
import type { RegisteredFunction } from '../core/registry.ts';
import { DEEPEST } from '../schema/bounds.ts';
import { redact } from '../schema/redact.ts';
import type { Violation } from './check-response.ts';

/** One call under audit. */
export interface AuditedRun {
  readonly requestId: string;
  readonly trace: CallTrace;
  run<T>(work: () => T): T;
  end(code: string, body: string | undefined, violations: readonly Violation[]): void;
}

export type Auditor = (call: Call, fn: RegisteredFunction | undefined) => AuditedRun;

/** Tells the sinks of every call, and survives whatever they do. */
export function createAuditor(options: AuditOptions): Auditor {
  const sinks: readonly AuditSink[] = [options.to].flat();

  return (call, fn) => {
    const requestId = call.caller.requestId ?? crypto.randomUUID();
    const operationId = fn?.operationId ?? call.name;
    const began = new Date();
    const start = performance.now();
    const trace: CallTrace = { repairs: [] };
    const audited: AuditedCall = { operationId, isKnown: fn !== undefined, requestId, caller: call.caller };
    const begun = sinks.map((sink) => beginning(sink, audited));
    return {
      requestId,
      trace,
      run: (work) => within(begun, work),
      end(code, body, violations) {
        const record: AuditRecord = Object.freeze({
          time: began.toISOString(),
          operationId,
          wire: call.caller.wire,
          requestId,
          code,
          duration: Math.round((performance.now() - start) * 1000) / 1000,
          bytes: body === undefined ? 0 : bytesOf(body),
          repairs: trace.repairs,
          violations,
          ...(options.arguments &&
            fn && { arguments: quietly(() => redact(call.input ?? {}, fn.inputSchema, DEEPEST)) }),
        });
        for (const each of begun) quietly(() => each?.end(record));
      },
    };
  };
}

type Begun = ReturnType<Exclude<AuditSink, Function>['begin']> | undefined;

function beginning(sink: AuditSink, call: AuditedCall): Begun {
  return typeof sink === 'function' ? { end: sink } : quietly(() => sink.begin(call));
}

/** Inside of all that the sinks put around it, the first outermost. A sink that fails is passed over. */
function within<T>(begun: readonly Begun[], work: () => T): T {
  const [first, ...rest] = begun;
  const inner = rest.length > 0 ? () => within(rest, work) : work;
  if (!first?.run) return inner();
  let result: { readonly value: T } | undefined;
  // Once, whatever a sink does: the function is not to run twice.
  const once = () => (result ??= { value: inner() }).value;
  quietly(() => first.run?.(once));
  return once();
}

const utf8 = new TextEncoder();

function bytesOf(text: string): number {
  return utf8.encode(text).byteLength;
}
