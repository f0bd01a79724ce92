import type { AuditOptions, AuditRecord, AuditSink, AuditedCall } from '../audit/record.ts';
import type { Call, CallTrace } from '../core/call.ts';
import { handleRejection, isThenable, safely } from '../core/safely.ts';
import type { RegisteredFunction } from '../core/registered-function.ts';
import type { Report } from '../core/report.ts';
import { MAX_DEPTH } from '../schema/bounds.ts';
import { isRecord } from '../schema/json-schema.ts';
import { redact } from '../schema/redact.ts';
import type { Violation } from '../responses/check-response.ts';

/** The audit of one call. */
export interface AuditedRun {
  readonly requestId: string;
  readonly trace: CallTrace;
  run<T>(work: () => T): T;
  /** The body, or its size. */
  end(
    code: string,
    body: string | number | undefined,
    violations: readonly Violation[],
    task?: AuditRecord['task'],
  ): void;
}

export type Auditor = (call: Call, fn: RegisteredFunction | undefined) => AuditedRun;

/** Sends a record of every call to the sinks. Errors in sinks do not affect the call. */
export function createAuditor(options: AuditOptions, report: Report): Auditor {
  const sinks = [options.to].flat().map((sink) => guardSink(sink, report));

  return (call, fn) => {
    const requestId = call.caller.requestId ?? crypto.randomUUID();
    const operationId = fn?.operationId ?? call.name;
    const startedAt = new Date();
    const start = performance.now();
    const onFailure = (thrown: unknown) => report.thrown(thrown, { operationId, requestId, part: 'audit' });
    const audited: AuditedCall = { operationId, isKnown: fn !== undefined, requestId, caller: call.caller };
    const started = sinks.map((begin) => begin(audited));
    const observed = started.find((one) => one.trace);
    // Before the function runs: it may change its arguments.
    const sent =
      options.arguments && fn
        ? { arguments: safely(() => redact(call.input ?? {}, fn.inputSchema, MAX_DEPTH), onFailure) }
        : undefined;
    const trace: CallTrace = { requestId, repairs: [], context: observed?.trace };
    return {
      requestId,
      trace,
      run: (work) => runInside(started, work),
      end(code, body, violations, task = call.task) {
        const { principal = call.principal } = trace;
        const record: AuditRecord = Object.freeze({
          time: startedAt.toISOString(),
          operationId,
          wire: call.caller.wire,
          ...(principal && { principal: { id: principal.id, kind: principal.kind } }),
          requestId,
          ...(task && { task }),
          code,
          duration: Math.round((performance.now() - start) * 1000) / 1000,
          bytes: typeof body === 'string' ? bytesOf(body) : (body ?? 0),
          repairs: trace.repairs,
          violations,
          ...sent,
        });
        for (const each of started) each.end(record);
      },
    };
  };
}

/** A sink may return anything. */
function hasTrace(started: unknown): started is { trace(): unknown } {
  return safely(() => typeof (started as { trace?: unknown } | undefined)?.trace === 'function') === true;
}

/** Trace contexts are stored with tasks, so only what can be stored is taken over. */
function stringsIn(carrier: unknown): Readonly<Record<string, string>> {
  if (!isRecord(carrier)) throw new TypeError('trace must return an object of strings');
  return Object.fromEntries(
    Object.entries(carrier).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

interface StartedAudit {
  readonly trace: (() => Readonly<Record<string, string>>) | undefined;
  run<T>(work: () => T): T;
  end(record: AuditRecord): void;
}

/** Wraps a sink: whatever it does, the call runs exactly once. Logs the first of a series of failures. */
function guardSink(sink: AuditSink, report: Report): (call: AuditedCall) => StartedAudit {
  let isFailing = false;
  const onFailure = (thrown: unknown) => {
    if (!isFailing) report.thrown(thrown, { part: 'audit' });
    isFailing = true;
  };
  const succeeded = () => void (isFailing = false);
  return (call) => {
    const started = typeof sink === 'function' ? { end: sink } : safely(() => sink.begin(call), onFailure);
    return {
      trace: hasTrace(started)
        ? () => safely(() => stringsIn(handleRejection(started.trace(), onFailure)), onFailure) ?? {}
        : undefined,
      run<T>(work: () => T): T {
        let result: { readonly value: T } | undefined;
        const runOnce = () => (result ??= { value: work() }).value;
        safely(() => (started?.run ? started.run(runOnce) : undefined), onFailure);
        return runOnce();
      },
      end: (record) => {
        const ended = safely(() => (started?.end(record) as unknown) ?? true, onFailure);
        if (ended === undefined) return;
        if (isThenable(ended)) ended.then(succeeded, () => {});
        else isFailing = false;
      },
    };
  };
}

/** Runs `work` inside the `run` of every sink, the first one outermost. */
function runInside<T>([first, ...rest]: readonly StartedAudit[], work: () => T): T {
  if (!first) return work();
  return first.run(rest.length > 0 ? () => runInside(rest, work) : work);
}

const utf8 = new TextEncoder();

function bytesOf(text: string): number {
  return utf8.encode(text).byteLength;
}
