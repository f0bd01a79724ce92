import { metrics } from '@opentelemetry/api';
import type { TaskStatus } from '../core/task.ts';
import { version } from '../version.ts';
import type { OpenTelemetryOptions } from './opentelemetry.ts';

/** An app, as far as this looks at it. */
interface ObservedApp {
  readonly name: string;
  readonly tasks: {
    stats(): Promise<{
      readonly byStatus: Readonly<Record<TaskStatus, number>>;
      readonly dead: number;
      readonly waiting: number;
      readonly active: number;
      readonly oldestWorking: number | undefined;
    }>;
  };
}

/**
 * Measures the tasks of an app, in all its processes together, whenever metrics are collected: one process of the app is enough.
 * The function that it returns ends that.
 */
export function observeTasks(app: ObservedApp, options: Pick<OpenTelemetryOptions, 'meterProvider'> = {}): () => void {
  const { meterProvider = metrics } = options;
  const meter = meterProvider.getMeter('everywire', version);
  const tasks = meter.createObservableGauge('everywire.tasks', { description: 'Tasks that are kept, by status.' });
  const dead = meter.createObservableGauge('everywire.tasks.dead', { description: 'Tasks that were given up.' });
  const queue = meter.createObservableGauge('everywire.tasks.queue', {
    description: 'Tasks that wait for a worker, and those that one works on.',
  });
  const age = meter.createObservableGauge('everywire.tasks.oldest.age', {
    description: 'How long ago the oldest unfinished task was started.',
    unit: 's',
  });
  const observed = [tasks, dead, queue, age];
  const attributes = { 'everywire.app': app.name };
  const observe: Parameters<typeof meter.addBatchObservableCallback>[0] = async (result) => {
    const stats = await app.tasks.stats();
    for (const [status, count] of Object.entries(stats.byStatus))
      result.observe(tasks, count, { ...attributes, 'everywire.task.status': status });
    result.observe(dead, stats.dead, attributes);
    result.observe(queue, stats.waiting, { ...attributes, 'everywire.queue.state': 'waiting' });
    result.observe(queue, stats.active, { ...attributes, 'everywire.queue.state': 'active' });
    const since = stats.oldestWorking === undefined ? 0 : Date.now() - stats.oldestWorking;
    result.observe(age, Math.max(0, since) / 1000, attributes);
  };
  meter.addBatchObservableCallback(observe, observed);
  return () => meter.removeBatchObservableCallback(observe, observed);
}
