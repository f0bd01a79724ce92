import { once } from 'node:events';
import { endChild, startModule } from './children.mjs';
import { contender } from './everywire.mjs';
import { CONNECTIONS, load } from './load.mjs';

/**
 * Microseconds of processor time per request of servers that run at once and take short turns, so that all see the same
 * machine: separate runs differ by more than what is looked for. A list of samples for each; those with the same index
 * were taken one after the other.
 */
export async function sideBySide(contenders, { processes, rounds, warmup, requests }) {
  const costs = contenders.map(() => []);
  for (let i = 0; i < processes; i++) {
    const servers = [];
    try {
      for (const { file, args } of contenders) servers.push(await start(file, args));
      for (const { exchange } of servers) await load(exchange, { amount: warmup });
      const order = [...servers.keys()];
      for (let round = 0; round < rounds; round++) {
        for (const which of order) costs[which].push(await costOf(servers[which], requests));
        order.reverse();
      }
    } finally {
      for (const { child } of servers) await stop(child);
    }
  }
  return costs;
}

async function start(file, args) {
  const child = startModule(contender(file), args, []);
  const [{ port, headers }] = await once(child, 'message');
  const exchange = {
    name: args.join(' '),
    url: `http://127.0.0.1:${port}/functions/Add`,
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"x":10,"y":20}',
    answer: '{"result":30}',
    connections: CONNECTIONS,
  };
  return { child, exchange };
}

async function costOf({ child, exchange }, requests) {
  const before = await cpuOf(child);
  await load(exchange, { amount: requests });
  return ((await cpuOf(child)) - before) / requests;
}

async function cpuOf(child) {
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu.user + cpu.system;
}

async function stop(child) {
  child.disconnect();
  await endChild(child, 1000);
}
