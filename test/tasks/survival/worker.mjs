// Works on tasks until it is killed: worker.mjs <store> <concurrency> <name> …
import { createRecorder } from './app.mjs';

const [store, concurrency, ...names] = process.argv.slice(2);
for (const name of names) {
  const app = createRecorder(name, { store });
  await app.tasks.work({ concurrency: Number(concurrency) });
}
process.send?.('ready');
