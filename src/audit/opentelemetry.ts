import { SpanKind, SpanStatusCode, context, metrics, propagation, trace } from '@opentelemetry/api';
import type { Attributes, MeterProvider, TracerProvider } from '@opentelemetry/api';
import type { AuditedCall, AuditRecord, ObservingSink } from './record.ts';
import { factsOf } from '../core/codes.ts';
import { version } from '../version.ts';

export { observeTasks } from './observe-tasks.ts';

export interface OpenTelemetryOptions {
  /** The global providers by default. */
  readonly tracerProvider?: TracerProvider;
  readonly meterProvider?: MeterProvider;
}

/** In seconds, as OpenTelemetry recommends for `mcp.server.operation.duration`. */
const BUCKETS = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300];

/** The network attributes of each wire. */
const TRANSPORTS: Readonly<Record<string, Attributes>> = {
  http: { 'network.transport': 'tcp', 'network.protocol.name': 'http' },
  'mcp-http': { 'network.transport': 'tcp', 'network.protocol.name': 'http' },
  'mcp-stdio': { 'network.transport': 'pipe' },
  cli: { 'network.transport': 'pipe' },
  cgi: { 'network.transport': 'pipe', 'network.protocol.name': 'http' },
};

/**
 * Creates a span and a measurement per call, following OpenTelemetry's semantic conventions for MCP on every wire: each
 * call of a function is a `tools/call`. Does nothing unless an OpenTelemetry SDK is installed.
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): ObservingSink {
  const { tracerProvider = trace, meterProvider = metrics } = options;
  const tracer = tracerProvider.getTracer('everywire', version);
  const duration = meterProvider.getMeter('everywire', version).createHistogram('mcp.server.operation.duration', {
    description: 'The duration of calls, from decoding the request to rendering the body.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });

  const taskDuration = meterProvider.getMeter('everywire', version).createHistogram('everywire.task.run.duration', {
    description: 'The duration of the runs of tasks. A task has more than one if it asks, or if a process ended.',
    unit: 's',
    advice: { explicitBucketBoundaries: BUCKETS },
  });

  return {
    begin(call) {
      const attributes = attributesOf(call);
      const parent = call.caller.trace ? propagation.extract(context.active(), call.caller.trace) : context.active();
      const name = call.isKnown ? `tools/call ${call.operationId}` : 'tools/call';
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      const spanContext = trace.setSpan(parent, span);
      return {
        run: (work) => context.with(spanContext, work),
        trace() {
          const carrier: Record<string, string> = {};
          propagation.inject(spanContext, carrier);
          return carrier;
        },
        end(record) {
          const error = errorOf(record);
          span.setAttributes({ ...error, ...everywireAttributes(record) });
          if (record.code !== 'OK') span.setStatus({ code: SpanStatusCode.ERROR, message: record.code });
          span.end();
          const measured = record.task?.attempt === undefined ? duration : taskDuration;
          measured.record(record.duration / 1000, { ...attributes, ...error }, spanContext);
        },
      };
    },
  };
}

function attributesOf({ operationId, isKnown, caller }: AuditedCall): Attributes {
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    // Callers can send any name; only existing ones may become attribute values.
    ...(isKnown && { 'gen_ai.tool.name': operationId }),
    ...TRANSPORTS[caller.wire],
  };
}

/** `tool_error` for tool results with isError; the number for JSON-RPC errors. */
function errorOf({ code }: AuditRecord): Attributes {
  if (code === 'OK') return {};
  const { mcp } = factsOf(code);
  if (typeof mcp !== 'number') return { 'error.type': mcp === 'none' ? 'cancelled' : 'tool_error' };
  return { 'error.type': String(mcp), 'rpc.response.status_code': String(mcp) };
}

/** Not in measurements: there may be many principals. */
function everywireAttributes({
  wire,
  principal,
  code,
  requestId,
  task,
  bytes,
  repairs,
  violations,
}: AuditRecord): Attributes {
  return {
    'everywire.wire': wire,
    ...(principal && { 'enduser.id': principal.id, 'everywire.principal.kind': principal.kind }),
    ...(task && { 'everywire.task.id': task.id }),
    ...(task?.attempt !== undefined && { 'everywire.task.attempt': task.attempt }),
    'everywire.code': code,
    'everywire.request.id': requestId,
    'everywire.body.size': bytes,
    'everywire.repairs': repairs.length,
    'everywire.violations': violations.length,
  };
}
