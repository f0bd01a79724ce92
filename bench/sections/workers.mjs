import { availableParallelism } from 'node:os';
import { endChild, startChild } from '../measure/children.mjs';
import { command, contender } from '../measure/everywire.mjs';
import { CONNECTIONS, flood, load } from '../measure/load.mjs';
import { post } from '../measure/post.mjs';
import { inTurns } from '../measure/turns.mjs';
import { costOf, usageOf } from '../measure/usage.mjs';
import { serverTable } from '../report/server-table.mjs';

const PATIENCE = 30_000;
const GRACE = 5000;
const PATH = '/functions/Work';
const HEADERS = { 'content-type': 'application/json' };
const CORES = availableParallelism();

const CONTENDERS = [
  { name: 'one process', workers: '1' },
  { name: '--workers auto', workers: 'auto' },
];

/** What several processes bring for a function that computes. */
export const workers = {
  title: 'All cores',
  how: ({ rounds, seconds }) =>
    `Rounds: ${rounds} of ${secondsOf(seconds)} s; medians. The load comes from the same machine and takes a part of its cores, so ` +
    'the function computes for about a millisecond, many times what a request costs the client. All processes of a server ' +
    'are counted together.',
  packages: [],

  measure: ({ rounds, warmup, seconds }) =>
    inTurns(CONTENDERS, rounds, (one) => measureCommand(one, { warmup, seconds: secondsOf(seconds) })),

  tables: (servers) => [serverTable(`POST ${PATH}, ${CONNECTIONS} connections, ${CORES} cores`, servers)],
};

// Fewer requests are answered in a second than of functions that compute nothing.
const secondsOf = (seconds) => 4 * seconds;

async function measureCommand({ name, workers: count }, { warmup, seconds }) {
  const child = startChild([command, 'serve', contender('workers.mjs'), '--port', '0', '--workers', count]);
  try {
    const url = (await originOf(child, name)) + PATH;
    const { status, body: answer } = await post(url, HEADERS, '{}');
    if (status !== 200) throw new Error(`${name} answered with ${status} ${answer}`);
    const exchange = { name, url, headers: HEADERS, body: '{}', answer, connections: CONNECTIONS };
    // Each process has code of its own to compile.
    await flood(exchange, { ...warmup, requests: warmup.requests / 10 }, 1);
    const before = usageOf(child.pid);
    const { requests, elapsed } = await load(exchange, { duration: seconds });
    return costOf(before, usageOf(child.pid), requests, elapsed);
  } finally {
    child.kill('SIGTERM');
    await endChild(child, GRACE);
  }
}

/** Where a server says that it can be reached. */
function originOf(child, name) {
  return new Promise((resolve, reject) => {
    let printed = '';
    const fail = () => reject(new Error(`${name} does not serve: ${printed}`));
    const timer = setTimeout(fail, PATIENCE);
    child.once('exit', fail);
    child.stderr.setEncoding('utf8').on('data', (text) => {
      printed += text;
      const [origin] = /http:\/\/[\d.:]+(?=\/functions)/.exec(printed) ?? [];
      if (origin === undefined) return;
      clearTimeout(timer);
      resolve(origin);
    });
  });
}
