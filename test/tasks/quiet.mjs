// Does what keeps connections, and ends without closing them: quiet.mjs <url> <app>
import { openSharedTasks } from '../../dist/tasks/shared-tasks.js';

const [url, app] = process.argv.slice(2);
const { store, queue } = await openSharedTasks(url, app, console.error);
const now = Date.now();
const head = { id: 'a', version: 1, name: 'A', owner: '', status: 'working', isDead: false, history: [] };
await store.watch(() => {});
await store.create({ ...head, createdAt: now, updatedAt: now, expiresAt: now + 60_000, leg: 1, attempts: 0, call: '' });
await queue.add({ id: 'a', leg: 1 });
console.log((await store.list({ limit: 1 })).length, await queue.counts());
