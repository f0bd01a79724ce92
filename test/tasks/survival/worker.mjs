// Works on tasks until it is killed: worker.mjs <store> <concurrency> <name> …
import { createRecorder } from './app.mjs';

const [store, concurrency, ...names] = process.argv.slice(2);
for (const name of names) {
  const app = createRecorder(name, { store });
  // A store that cannot be reached on a busy machine: what restarts a service would try again.
  while (!(await app.tasks.work({ concurrency: Number(concurrency) }).then(() => true, isTooBusy)));
}
process.send?.('ready');

function isTooBusy(error) {
  if (error.code !== 'UNAVAILABLE') throw error;
  return false;
}
