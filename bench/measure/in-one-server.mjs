import { once } from 'node:events';
import { endChild, startModule } from './children.mjs';
import { contender } from './everywire.mjs';
import { CONNECTIONS, load } from './load.mjs';

/**
 * Microseconds of processor time per request, of several apps in one server, in short turns. Separate processes of the same code
 * differ by some percent for as long as they live, which is more than what is looked for. A list of samples for each; those with
 * the same index were taken one after the other.
 */
export async function inOneServer(file, exchangesOf, { processes, rounds, warmup, requests }) {
  const costs = [];
  for (let i = 0; i < processes; i++) {
    const child = startModule(contender(file), [], []);
    try {
      const [{ port, headers }] = await once(child, 'message');
      const exchanges = exchangesOf(headers).map(({ path, sent }) => ({
        name: path,
        url: `http://127.0.0.1:${port}${path}`,
        headers: { 'content-type': 'application/json', ...sent },
        body: '{"x":10,"y":20}',
        answer: '{"result":30}',
        connections: CONNECTIONS,
      }));
      for (const exchange of exchanges) await load(exchange, { amount: warmup });
      const order = [...exchanges.keys()];
      for (let round = 0; round < rounds; round++) {
        for (const which of order) (costs[which] ??= []).push(await costOf(child, exchanges[which], requests));
        order.reverse();
      }
    } finally {
      child.disconnect();
      await endChild(child, 1000);
    }
  }
  return costs;
}

async function costOf(child, exchange, requests) {
  const before = await cpuOf(child);
  await load(exchange, { amount: requests });
  return ((await cpuOf(child)) - before) / requests;
}

async function cpuOf(child) {
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu.user + cpu.system;
}
