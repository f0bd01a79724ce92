// Run as a process of its own: calls what the named module exports, and prints the nanoseconds of a call.
const [module, seconds] = process.argv.slice(2);
const { call, sumIn } = await import(module);

const BATCH = 10_000;
const WARM_UP = 20;

/** What is awaited costs a turn of the queue: only those are made to wait that have to. */
const isAsync = call({ x: 1, y: 2 }) instanceof Promise;

async function batch() {
  let sum = 0;
  if (isAsync) for (let x = 0; x < BATCH; x++) sum += sumIn(await call({ x, y: 1 }));
  else for (let x = 0; x < BATCH; x++) sum += sumIn(call({ x, y: 1 }));
  if (sum !== (BATCH * (BATCH + 1)) / 2) throw new Error(`the sums of ${module} are wrong: ${sum}`);
}

for (let i = 0; i < WARM_UP; i++) await batch();
const start = performance.now();
const before = process.cpuUsage();
let batches = 0;
do {
  await batch();
  batches++;
} while (performance.now() - start < seconds * 1000);
const wall = (performance.now() - start) * 1e6;
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ wall: wall / batches / BATCH, cpu: ((user + system) * 1000) / batches / BATCH }));
