import { CONNECTIONS } from '../measure/load.mjs';
import { inOneServer } from '../measure/in-one-server.mjs';
import { median } from '../measure/turns.mjs';

// A header costs something even if nobody looks at it: so each is also sent to an app without rules.
const CONTENDERS = [
  { name: 'no access rules', app: 'none', sent: 'nothing', like: 0 },
  { name: 'no access rules, a key is sent', app: 'none', sent: 'key', like: 1 },
  { name: 'no access rules, a JWT is sent', app: 'none', sent: 'jwt', like: 2 },
  { name: 'rules, a public function', app: 'public', sent: 'nothing', like: 0 },
  { name: 'an API key', app: 'rules', sent: 'key', like: 1 },
  { name: 'a JWT, verified before', app: 'rules', sent: 'jwt', like: 2 },
];

/** What it costs to know who calls. */
export const access = {
  title: 'Access',
  how: ({ rounds, sizes }) =>
    `Apps in one server, in ${turnsOf(sizes)} short turns, in ${processesOf(rounds)} processes one after the other; medians.`,
  packages: [],

  async measure({ rounds, sizes, warmup }) {
    const exchanges = (headers) =>
      CONTENDERS.map(({ app, sent }) => ({ path: `/${app}/functions/Add`, sent: headers[sent] }));
    const costs = await inOneServer('http/access.mjs', exchanges, {
      processes: processesOf(rounds),
      rounds: turnsOf(sizes),
      warmup: warmup.requests,
      requests: rounds === 1 ? 500 : 2000,
    });
    const ratio = (which, to) => median(costs[which].map((cost, i) => cost / costs[to][i]));
    return CONTENDERS.map(({ name, like }, which) => ({
      name,
      cpu: median(costs[which]),
      ratio: ratio(which, 0),
      ratioLike: ratio(which, like),
    }));
  },

  tables: (measured) => [
    {
      caption: `POST /functions/Add, ${CONNECTIONS} connections`,
      head: ['', 'CPU µs/request', 'ratio', 'ratio to the same request without rules'],
      rows: measured.map(({ name, cpu, ratio, ratioLike }) => [
        name,
        cpu.toFixed(1),
        ratio.toFixed(3),
        ratioLike.toFixed(3),
      ]),
    },
  ],
};

const processesOf = (rounds) => Math.min(rounds, 4);
// Many and short: what is looked for is less than what the load of a machine changes within seconds.
const turnsOf = (sizes) => 12 * sizes;
