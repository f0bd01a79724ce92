import { createApp, defineFunction } from 'everywire';
import { openTelemetry } from 'everywire/opentelemetry';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { functions } from '../apps/profiles.ts';
import { proves } from '../promises.ts';
import { createTelemetry, passContexts } from './telemetry.ts';

const { spans, metrics, reader, meterProvider, tracerProvider } = createTelemetry();
let stop: () => void;
beforeAll(() => void (stop = passContexts()));

const inner = defineFunction({
  name: 'Outer',
  description: 'Does part of its work in a span of its own',
  run: async () => {
    await Promise.resolve();
    tracerProvider.getTracer('database').startSpan('query').end();
  },
});
const app = createApp({
  name: 'Traced',
  version: '1',
  functions: [...functions, inner],
  audit: { to: openTelemetry({ tracerProvider, meterProvider }) },
});

const JSON_TYPE = { 'content-type': 'application/json' };
const post = (name: string, body: string, headers: Record<string, string> = {}) =>
  app.fetch(
    new Request(`http://localhost/functions/${name}`, { method: 'POST', body, headers: { ...JSON_TYPE, ...headers } }),
  );

beforeEach(() => spans.reset());
afterAll(async () => {
  await meterProvider.shutdown();
  stop();
});

it(proves('audit.sinks', 'OpenTelemetry: a span by the conventions for MCP'), async () => {
  const response = await post('GetInstance', '{"id":"i-1"}', { 'x-request-id': 'r-1' });
  const [span] = spans.getFinishedSpans();
  expect(span?.name).toBe('tools/call functions.GetInstance');
  expect(span?.kind).toBe(1); // SERVER
  expect(span?.attributes).toEqual({
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': 'functions.GetInstance',
    'network.transport': 'tcp',
    'network.protocol.name': 'http',
    'everywire.wire': 'http',
    'everywire.code': 'OK',
    'everywire.request.id': 'r-1',
    'everywire.body.size': (await response.text()).length,
    'everywire.repairs': 0,
    'everywire.violations': 0,
  });
  expect(span?.status.code).toBe(0);
});

it(proves('audit.sinks', 'OpenTelemetry: every wire has a transport'), async () => {
  for (const wire of ['http', 'mcp-http', 'mcp-stdio', 'cli', 'cgi']) {
    await app.respond({ name: 'GetInstance', input: { id: 'i-1' }, caller: { wire } });
  }
  const transports = spans.getFinishedSpans().map(({ attributes }) => attributes['network.transport']);
  expect(transports).toEqual(['tcp', 'tcp', 'pipe', 'pipe', 'pipe']);
});

it(proves('audit.sinks', 'OpenTelemetry: failures have an error.type, unknown names do not'), async () => {
  await post('GetInstance', '{"id":"i-9"}');
  await post('GetInstance', '{');
  await post('Nowhere', '{}');
  await app.call('GetInstance', { id: 'i-1' }, { signal: AbortSignal.abort() });
  const NAMES = ['error.type', 'rpc.response.status_code', 'gen_ai.tool.name'];
  const found = spans
    .getFinishedSpans()
    .map(({ name, attributes, status }) => [name, ...NAMES.map((one) => attributes[one]), status.message]);
  expect(found).toEqual([
    ['tools/call functions.GetInstance', 'tool_error', undefined, 'functions.GetInstance', 'INSTANCE_NOT_FOUND'],
    ['tools/call functions.GetInstance', '-32700', '-32700', 'functions.GetInstance', 'INVALID_JSON'],
    ['tools/call', '-32602', '-32602', undefined, 'FUNCTION_NOT_FOUND'],
    ['tools/call functions.GetInstance', 'cancelled', undefined, 'functions.GetInstance', 'CANCELLED'],
  ]);
});

it(proves('audit.sinks', "OpenTelemetry: spans are children of the caller's, parents of the function's"), async () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
  await post('Outer', '{}', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
  const [query, call] = spans.getFinishedSpans();
  expect([query?.name, call?.name]).toEqual(['query', 'tools/call functions.Outer']);
  expect(call?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
  expect(query?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
  expect(query?.spanContext().traceId).toBe(traceId);
});

it(proves('audit.sinks', 'OpenTelemetry: the duration is measured in seconds'), async () => {
  await reader.forceFlush();
  metrics.reset();
  await app.call('Split');
  await app.call('Wait');
  await reader.forceFlush();
  const [found] = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  expect(found?.descriptor).toMatchObject({ name: 'mcp.server.operation.duration', unit: 's' });
  expect(
    found?.dataPoints.map(({ attributes, value }) => [
      attributes['gen_ai.tool.name'],
      attributes['error.type'],
      (value as { count: number }).count,
      (value as { buckets: { boundaries: number[] } }).buckets.boundaries.slice(0, 2),
    ]),
  ).toEqual([
    ['functions.Split', undefined, 1, [0.01, 0.02]],
    ['functions.Wait', 'tool_error', 1, [0.01, 0.02]],
  ]);
});

it(proves('audit.survives', 'OpenTelemetry without an SDK does nothing'), async () => {
  const bare = createApp({ name: 'Bare', version: '1', functions, audit: { to: openTelemetry() } });
  expect(await bare.call('Split')).toEqual({ ok: true, data: ['a', 2] });
});
