import { mkdtempSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from '../measure/children.mjs';
import { CONNECTIONS, flood } from '../measure/load.mjs';
import { proveHttp } from '../measure/prove-http.mjs';
import { startServer } from '../measure/server.mjs';

const CONTENDERS = [
  { name: 'hand-written', file: 'http/hand-written.mjs' },
  { name: 'everywire', file: 'http/everywire.mjs' },
  { name: 'Fastify', file: 'http/fastify.mjs' },
];

const GROUPS = ['the system', "Node's own code", 'the framework', 'the contender', 'garbage'];

/** Where the time of a request goes, as V8's sampler sees it: what a difference is made of. */
export const profile = {
  title: 'Profiles',
  how: () => "Once, from the start of the process on; V8's sampler makes everything slower, and the ratios less so.",
  packages: ['fastify'],

  async measure({ warmup, seconds }) {
    const profiles = [];
    for (const contender of CONTENDERS) profiles.push(await sample(contender, warmup, seconds));
    return profiles;
  },

  tables: (profiles) => [
    {
      caption: `Microseconds of a POST /functions/Add, ${CONNECTIONS} connections`,
      head: ['', ...profiles.map(({ name }) => name)],
      rows: GROUPS.map((group) => [group, ...profiles.map(({ spent }) => spent[group].toFixed(1))]),
      notes: profiles.map(({ name, busiest }) => `${name}, its busiest functions: ${busiest.join(', ')}.`),
    },
  ],
};

async function sample({ name, file }, warmup, seconds) {
  const folder = mkdtempSync(join(scratch, 'profile-'));
  const server = await startServer(name, file, [], ['--cpu-prof', '--cpu-prof-dir', folder]);
  let requests;
  try {
    const exchange = await proveHttp(server, '/functions/Add', (sum) => `{"result":${sum}}`);
    requests = await flood({ name, connections: CONNECTIONS, ...exchange }, warmup, seconds);
  } finally {
    await server.stop();
  }
  const [found] = readdirSync(folder);
  return { name, ...summed(JSON.parse(readFileSync(join(folder, found), 'utf8')), requests) };
}

/** Every sample belongs to the function on top; those of a process that waits belong to nobody. */
function summed({ nodes, samples, timeDeltas }, requests) {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const spent = Object.fromEntries(GROUPS.map((group) => [group, 0]));
  const functions = new Map();
  for (const [i, id] of samples.entries()) {
    const frame = frames.get(id);
    if (frame.functionName === '(idle)') continue;
    const micros = timeDeltas[i] / requests;
    spent[groupOf(frame)] += micros;
    const label = frame.functionName || 'a function without a name';
    functions.set(label, (functions.get(label) ?? 0) + micros);
  }
  const busiest = [...functions].toSorted(([, a], [, b]) => b - a).slice(0, 8);
  return { spent, busiest: busiest.map(([label, micros]) => `${label} ${micros.toFixed(1)}`) };
}

function groupOf({ functionName, url }) {
  if (functionName === '(garbage collector)') return 'garbage';
  if (url === '') return 'the system';
  if (url.startsWith('node:')) return "Node's own code";
  return url.includes('/contenders/') ? 'the contender' : 'the framework';
}
