// A worker that runs a leg, and is stopped with the first line on stdin: stopping.mjs <url> <app>
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { openSharedTasks } from '../../dist/tasks/shared-tasks.js';

const [url, app] = process.argv.slice(2);
const { store, queue } = await openSharedTasks(url, app, () => {});
await store.watch(() => {});
let ran;
const hasRun = new Promise((resolve) => (ran = resolve));
const worker = await queue.work(async () => {
  ran();
  return 'done';
}, 1);
await queue.add({ id: 'a', leg: 1 });
await hasRun;
await sleep(500); // the leg has left the queue, and the worker waits for the next one
console.log('working');
await once(process.stdin, 'data');
process.stdin.destroy();
await worker.stop();
await Promise.all([store.close(), queue.close()]);
console.log('stopped');
