import { AggregationTemporality } from '@opentelemetry/sdk-metrics';
import { setTimeout as sleep } from 'node:timers/promises';
import { createApp, type AuditRecord } from 'everywire';
import { observeTasks, openTelemetry } from 'everywire/opentelemetry';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTelemetry, passContexts } from '../audit/telemetry.ts';
import { shared } from '../kit/broker.ts';
import { fn, integer } from '../kit/functions.ts';
import { hasRedis } from '../kit/redis.ts';

const { spans, metrics, reader, meterProvider, tracerProvider } = createTelemetry(AggregationTemporality.CUMULATIVE);
let stopPassing: () => void;
beforeAll(() => void (stopPassing = passContexts()));
const records: AuditRecord[] = [];

const wait = fn('Wait', { task: 'always', output: integer }, () => sleep(20, 1));

const create = (store?: string) =>
  createApp({
    name: 'Traced',
    version: '1.0.0',
    functions: [wait],
    audit: { to: [openTelemetry({ tracerProvider, meterProvider }), (record) => void records.push(record)] },
    ...(store !== undefined && { store }),
  });

afterAll(async () => {
  await meterProvider.shutdown();
  stopPassing();
});

const TRACE = '0af7651916cd43dd8448eb211c80319c';

async function points(name: string) {
  await reader.forceFlush();
  const found = metrics
    .getMetrics()
    .at(-1)!
    .scopeMetrics.flatMap((scope) => scope.metrics)
    .find(({ descriptor }) => descriptor.name === name);
  return found!.dataPoints.map(({ attributes, value }) => [attributes, value] as const);
}

describe.skipIf(!hasRedis)('a task that one process starts and another one runs', () => {
  test('is one trace, with its id in spans and records, and is counted', async () => {
    const { url } = await shared('redis');
    // Two apps are two processes here: they share nothing but Redis.
    const [starter, worker] = [create(url), create(url)];
    const stop = observeTasks(starter, { meterProvider });
    const { outcome } = await starter.respond({
      name: 'Wait',
      caller: { wire: 'http', trace: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` } },
      deferral: { caller: 'accepts', askable: [] },
    });
    const { taskId } = outcome.ok ? outcome.task! : expect.unreachable();
    const waiting = expect.objectContaining({ 'everywire.queue.state': 'waiting' }) as object;
    expect(await points('everywire.tasks.queue')).toContainEqual([waiting, 1]);
    await worker.tasks.work();
    await expect.poll(async () => (await starter.tasks.stats()).byStatus.completed, { timeout: 30_000 }).toBe(1);
    const [started, run] = spans.getFinishedSpans();
    expect([started!, run!].map((span) => span.spanContext().traceId)).toEqual([TRACE, TRACE]);
    expect(started!.parentSpanContext?.spanId).toBe('b7ad6b7169203331');
    expect(run!.parentSpanContext?.spanId).toBe(started!.spanContext().spanId);
    expect(started!.attributes).toMatchObject({ 'everywire.task.id': taskId });
    expect(run!.attributes).toMatchObject({ 'everywire.task.id': taskId, 'everywire.task.attempt': 1 });
    expect(records.map(({ task, code }) => ({ task, code }))).toEqual([
      { task: { id: taskId }, code: 'OK' },
      { task: { id: taskId, attempt: 1 }, code: 'OK' },
    ]);
    const traced = { 'everywire.app': 'Traced' };
    expect(await points('everywire.tasks')).toContainEqual([{ ...traced, 'everywire.task.status': 'completed' }, 1]);
    expect(await points('everywire.tasks.oldest.age')).toEqual([[traced, 0]]);
    expect(await points('everywire.task.run.duration')).toHaveLength(1);
    stop();
    await Promise.all([starter.close(), worker.close()]);
  });
});
