import { SpanKind, SpanStatusCode, context, metrics, propagation, trace } from '@opentelemetry/api';
import type { Attributes, MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { AuditedCall, AuditRecord, ObservingSink } from './record.ts';
import { factsOf } from '../core/codes.ts';
import { version } from '../version.ts';

export interface OpenTelemetryOptions {
  /** Instead of the global ones. */
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
}

/** Seconds, as the conventions advise for `mcp.server.operation.duration`. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** What carries each wire, in the words of the conventions. */
const TRANSPORTS: Readonly<Record<string, Attributes>> = {
  http: { 'network.transport': 'tcp', 'network.protocol.name': 'http' },
  'mcp-http': { 'network.transport': 'tcp', 'network.protocol.name': 'http' },
  'mcp-stdio': { 'network.transport': 'pipe' },
  cli: { 'network.transport': 'pipe' },
  cgi: { 'network.transport': 'pipe', 'network.protocol.name': 'http' },
};

/**
 * A span and a measurement a call, by OpenTelemetry's semantic conventions for MCP, whichever wire it came on: a call
 * of a function is `tools/call` wherever it is made. Brings no SDK; without one it does nothing.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): ObservingSink {
  const { tracerProvider = trace, meterProvider = metrics } = options;
  const tracer = tracerProvider.getTracer('everywire', version);
  const duration = meterProvider.getMeter('everywire', version).createHistogram('mcp.server.operation.duration', {
    description: 'How long calls take, from when they are decoded until their body is made.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });

  return {
    begin(call) {
      const attributes = attributesOf(call);
      const parent = call.caller.trace ? propagation.extract(context.active(), call.caller.trace) : context.active();
      const name = call.isKnown ? `tools/call ${call.operationId}` : 'tools/call';
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      const surrounding = trace.setSpan(parent, span);
      return {
        run: (work) => context.with(surrounding, work),
        end(record) {
          const error = errorOf(record);
          span.setAttributes({ ...error, ...ours(record) });
          if (record.code !== 'OK') span.setStatus({ code: SpanStatusCode.ERROR, message: record.code });
          span.end();
          duration.record(record.duration / 1000, { ...attributes, ...error }, surrounding);
        },
      };
    },
  };
}

function attributesOf({ operationId, isKnown, caller }: AuditedCall): Attributes {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    // A caller may make up any number of names; only real ones are worth counting by.
    ...(isKnown && { 'gen_ai.tool.name': operationId }),
    ...TRANSPORTS[caller.wire],
  };
}

/** A failed tool is a `tool_error`; what MCP answers with a JSON-RPC error goes by its number. */
function errorOf({ code }: AuditRecord): Attributes {
  if (code === 'OK') return {};
  const { mcp } = factsOf(code);
  if (typeof mcp !== 'number') return { 'error.type': mcp === 'none' ? 'cancelled' : 'tool_error' };
  return { 'error.type': String(mcp), 'rpc.response.status_code': String(mcp) };
}

function ours({ wire, code, requestId, bytes, repairs, violations }: AuditRecord): Attributes {
  return {
    'everywire.wire': wire,
    'everywire.code': code,
    'everywire.request.id': requestId,
    'everywire.body.size': bytes,
    'everywire.repairs': repairs.length,
    'everywire.violations': violations.length,
  };
}
