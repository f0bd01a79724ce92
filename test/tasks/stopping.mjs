// A worker that is stopped with the first line on stdin: stopping.mjs <url> <app>
import { once } from 'node:events';
import { openSharedTasks } from '../../dist/tasks/shared-tasks.js';

const [url, app] = process.argv.slice(2);
const { store, queue } = await openSharedTasks(url, app, () => {});
await store.watch(() => {});
const worker = await queue.work(async () => 'done', 1);
console.log('working');
await once(process.stdin, 'data');
process.stdin.destroy();
await worker.stop();
await Promise.all([store.close(), queue.close()]);
console.log('stopped');
