// The same with BullMQ alone: a queue, a worker, and events for those who wait.
import { Queue, QueueEvents, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { measureTasks } from './measure.mjs';

const [url] = process.argv.slice(2);
const connect = () => new Redis(url, { maxRetriesPerRequest: null });

await measureTasks(async (name) => {
  const queue = new Queue(name, { connection: connect() });
  const events = new QueueEvents(name, { connection: connect() });
  await events.waitUntilReady();
  let worker;
  return {
    async work(concurrency) {
      worker = new Worker(name, async ({ data: { x, y } }) => x + y, { connection: connect(), concurrency });
      await worker.waitUntilReady();
    },
    start: () => queue.add('Add', { x: 1, y: 2 }),
    call: async () => (await queue.add('Add', { x: 1, y: 2 })).waitUntilFinished(events),
    async unfinished() {
      const { waiting, active } = await queue.getJobCounts('waiting', 'active');
      return waiting + active;
    },
    plain: async () => 3,
    async close() {
      await worker?.close(true);
      await events.close();
      await queue.close();
    },
  };
});
