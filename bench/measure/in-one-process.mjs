import { once } from 'node:events';
import { endChild, startModule } from './children.mjs';
import { contender } from './everywire.mjs';
import { CONNECTIONS, load } from './load.mjs';

/**
 * Microseconds of processor time per request, of several apps in one process, each at a port of its own, in short turns. Separate processes of the same code
 * differ by some percent for as long as they live, which is more than what is looked for. For each process, a list of samples for
 * each app.
 */
export async function inOneProcess(file, exchangesOf, { processes, rounds, warmup, requests }) {
  const measured = [];
  for (let i = 0; i < processes; i++) {
    const child = startModule(contender(file), [], []);
    try {
      const [{ ports, headers }] = await once(child, 'message');
      const exchanges = exchangesOf(headers).map(({ app, sent }) => ({
        name: app,
        url: `http://127.0.0.1:${ports[app]}/functions/Add`,
        headers: { 'content-type': 'application/json', ...sent },
        body: '{"x":10,"y":20}',
        answer: '{"result":30}',
        connections: CONNECTIONS,
      }));
      for (const exchange of exchanges) await load(exchange, { amount: warmup });
      const costs = exchanges.map(() => []);
      for (let round = 0; round < rounds; round++) {
        for (const which of shuffled(exchanges.keys()))
          costs[which].push(await costOf(child, exchanges[which], requests));
      }
      measured.push(costs);
    } finally {
      child.disconnect();
      await endChild(child, 1000);
    }
  }
  return measured;
}

/** In a fixed order, some would profit from what the one before them left in the caches of the processor. */
const shuffled = (keys) =>
  [...keys]
    .map((key) => [Math.random(), key])
    .toSorted(([a], [b]) => a - b)
    .map(([, key]) => key);

async function costOf(child, exchange, requests) {
  await load(exchange, { amount: Math.ceil(requests / 5) });
  const before = await cpuOf(child);
  await load(exchange, { amount: requests });
  return ((await cpuOf(child)) - before) / requests;
}

async function cpuOf(child) {
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu.user + cpu.system;
}
