// A worker that never finishes what it starts: worker.mjs <url> <app>
import { openSharedTasks } from '../../dist/tasks/shared-tasks.js';

const [url, app] = process.argv.slice(2);
const { queue } = await openSharedTasks(url, app, console.error);
await queue.work(({ id }) => {
  console.log(id);
  return new Promise(() => {});
}, 2);
