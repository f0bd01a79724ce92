import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { contender, packageFolder } from './measure/everywire.mjs';
import { endChild, startModule } from './measure/children.mjs';
import { CONNECTIONS, load } from './measure/load.mjs';
import { median } from './measure/turns.mjs';
import { renderTable } from './report/table.mjs';

const KINDS = ['synchronous', 'async', 'zod'];
const FULL = { processes: 3, rounds: 8, warmup: 20_000, requests: 12_000 };
const QUICK = { processes: 1, rounds: 1, warmup: 500, requests: 500 };

/**
 * Compares this checkout with another one over HTTP: both run at once and take short turns, so that both see the same
 * machine. Separate runs differ by more than most changes do.
 */
export async function measureAgainst(folder, quick) {
  const other = resolve(folder);
  if (!existsSync(join(other, 'dist/index.js'))) throw new Error(`${folder} is not a built checkout of everywire`);
  const settings = quick ? QUICK : FULL;
  const rows = [];
  for (const kind of KINDS) rows.push([kind, ...(await compare([other, packageFolder], kind, settings))]);
  return renderTable({
    caption: `POST /functions/Add: CPU µs/request in ${folder} and here, in turns`,
    head: ['', 'there', 'here', 'here / there'],
    rows,
  });
}

async function compare(folders, kind, { processes, rounds, warmup, requests }) {
  const costs = folders.map(() => []);
  for (let i = 0; i < processes; i++) {
    const servers = [];
    try {
      for (const folder of folders) servers.push(await start(folder, kind));
      for (const { exchange } of servers) await load(exchange, { amount: warmup });
      for (let round = 0; round < rounds; round++) {
        const order = round % 2 === 0 ? [0, 1] : [1, 0];
        for (const which of order) costs[which].push(await costOf(servers[which], requests));
      }
    } finally {
      for (const { child } of servers) await stop(child);
    }
  }
  const ratios = costs[1].map((cost, i) => cost / costs[0][i]);
  return [...costs.map((each) => median(each).toFixed(1)), median(ratios).toFixed(3)];
}

async function start(folder, kind) {
  const child = startModule(contender('against.mjs'), [folder, kind], []);
  const [{ port }] = await once(child, 'message');
  const exchange = {
    name: folder,
    url: `http://127.0.0.1:${port}/functions/Add`,
    headers: { 'content-type': 'application/json' },
    body: '{"x":10,"y":20}',
    answer: '{"result":30}',
    connections: CONNECTIONS,
  };
  return { child, exchange };
}

/** Microseconds of processor time per request. */
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
