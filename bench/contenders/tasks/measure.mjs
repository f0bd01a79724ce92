const IN_FLIGHT = 50;
const CONCURRENCY = 50;

/**
 * Measures one kind of tasks in this process, and tells the parent: sizes are arguments. `create` makes tasks with a name of their
 * own: nobody works on the first ones, so they wait.
 */
export async function measureTasks(create) {
  const [, count, single, ...waiting] = process.argv.slice(2).map(Number);
  const growth = [];
  const crowd = await create('crowd');
  let started = 0;
  for (const size of waiting) {
    await inParallel(size - started, crowd.start);
    const samples = Math.min(single, 100);
    growth.push(await milliseconds(samples, crowd.start));
    started = size + samples;
  }
  await crowd.close();
  const kind = await create('bench');
  await kind.work(CONCURRENCY);
  while ((await kind.unfinished()) > 0) await pause(50);
  const result = await kind.call();
  if (result !== 3) throw new Error(`a task returned ${result}`);
  await inParallel(Math.min(count, 200), kind.start); // warm-up
  while ((await kind.unfinished()) > 0) await pause(5);
  const begin = performance.now();
  const cpu = process.cpuUsage();
  await inParallel(count, kind.start);
  while ((await kind.unfinished()) > 0) await pause(5);
  const rate = (count / (performance.now() - begin)) * 1000;
  const { user, system } = process.cpuUsage(cpu);
  const latency = await milliseconds(single, kind.call);
  const plain = await microsecondsOf(kind.plain);
  await kind.close();
  process.send({ rate, cpu: (user + system) / count, latency, plain, growth });
  process.disconnect();
}

async function inParallel(count, work) {
  let left = count;
  const next = async () => {
    while (left-- > 0) await work();
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, next));
}

/** The median of so many, one after the other. */
async function milliseconds(count, work) {
  const times = [];
  for (let i = 0; i < count; i++) {
    const begin = performance.now();
    await work();
    times.push(performance.now() - begin);
  }
  return times.toSorted((a, b) => a - b)[count >> 1] ?? 0;
}

/** Processor time of one. */
async function microsecondsOf(work) {
  for (let i = 0; i < 2000; i++) await work();
  const cpu = process.cpuUsage();
  for (let i = 0; i < 5000; i++) await work();
  const { user, system } = process.cpuUsage(cpu);
  return (user + system) / 5000;
}

const pause = (time) => new Promise((resolve) => setTimeout(resolve, time));
