import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';

/** The SDK of OpenTelemetry as users set it up, with exporters in memory. */
export function createTelemetry(temporality = AggregationTemporality.DELTA) {
  const spans = new InMemorySpanExporter();
  const metrics = new InMemoryMetricExporter(temporality);
  const reader = new PeriodicExportingMetricReader({ exporter: metrics });
  const meterProvider = new MeterProvider({ readers: [reader] });
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
  return { spans, metrics, reader, meterProvider, tracerProvider };
}

/** Passes contexts on, within the process and to others, as `traceparent`. Returns how to end that. */
export function passContexts(): () => void {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator({
    inject(from, carrier, setter) {
      const { traceId, spanId } = trace.getSpanContext(from)!;
      setter.set(carrier, 'traceparent', `00-${traceId}-${spanId}-01`);
    },
    fields: () => ['traceparent'],
    extract(parent, carrier, getter) {
      const [, traceId = '', spanId = ''] = String(getter.get(carrier, 'traceparent')).split('-');
      return trace.setSpanContext(parent, { traceId, spanId, traceFlags: 1, isRemote: true });
    },
  });
  return () => {
    propagation.disable();
    context.disable();
  };
}
