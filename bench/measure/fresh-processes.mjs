import { once } from 'node:events';
import { endChild, startModule } from './children.mjs';
import { contender } from './everywire.mjs';
import { CONNECTIONS, load } from './load.mjs';

/**
 * Microseconds of processor time per request, of a process that serves one app, as it does in production. Several apps in one
 * process would make each other slower. Processes of the same code differ by some percent for as long as they live, which is more
 * than what is looked for: so there are many of them, in random order.
 */
export async function inFreshProcesses(file, contenders, { processes, warmup, turns, requests }) {
  const samples = contenders.map(() => []);
  for (let i = 0; i < processes; i++) {
    for (const which of shuffled(contenders.keys()))
      samples[which].push(await measure(file, contenders[which], { warmup, turns, requests }));
  }
  return samples;
}

const shuffled = (keys) =>
  [...keys]
    .map((key) => [Math.random(), key])
    .toSorted(([a], [b]) => a - b)
    .map(([, key]) => key);

async function measure(file, { app, sent }, { warmup, turns, requests }) {
  const child = startModule(contender(file), [app], []);
  try {
    const [{ port, headers }] = await once(child, 'message');
    const exchange = {
      name: app,
      url: `http://127.0.0.1:${port}/functions/Add`,
      headers: { 'content-type': 'application/json', ...headers[sent] },
      body: '{"x":10,"y":20}',
      answer: '{"result":30}',
      connections: CONNECTIONS,
    };
    await load(exchange, { amount: warmup });
    const costs = [];
    for (let turn = 0; turn < turns; turn++) {
      const before = await cpuOf(child);
      await load(exchange, { amount: requests });
      costs.push(((await cpuOf(child)) - before) / requests);
    }
    return undisturbed(costs);
  } finally {
    child.disconnect();
    await endChild(child, 1000);
  }
}

async function cpuOf(child) {
  child.send('cpu');
  const [{ cpu }] = await once(child, 'message');
  return cpu.user + cpu.system;
}

/** The cost that a third of the turns did not exceed: what disturbs a turn makes it longer. */
const undisturbed = (costs) => costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 3)];
