import { CONNECTIONS } from '../measure/load.mjs';
import { inOneProcess } from '../measure/in-one-process.mjs';
import { median } from '../measure/turns.mjs';

// A header costs something even if nobody looks at it: so each is also sent to an app without rules.
const CONTENDERS = [
  { name: 'no access rules', app: 'none', sent: 'nothing', like: 0 },
  { name: 'no access rules, a key is sent', app: 'withKey', sent: 'key', like: 1 },
  { name: 'no access rules, a JWT is sent', app: 'withJwt', sent: 'jwt', like: 2 },
  { name: 'rules, a public function', app: 'public', sent: 'nothing', like: 0 },
  { name: 'an API key', app: 'rules', sent: 'key', like: 1 },
  { name: 'a JWT, verified before', app: 'rulesForJwt', sent: 'jwt', like: 2 },
];

/** What it costs to know who calls. */
export const access = {
  title: 'Access',
  how: ({ rounds, sizes }) =>
    `Apps in one process, each at a port of its own, in ${turnsOf(sizes)} short turns: the quickest third of them, since what disturbs a turn makes it longer. The median of ${processesOf(rounds)} processes, one after the other.`,
  packages: [],

  async measure({ rounds, sizes, warmup }) {
    const exchanges = (headers) => CONTENDERS.map(({ app, sent }) => ({ app, sent: headers[sent] }));
    const measured = await inOneProcess('http/access.mjs', exchanges, {
      processes: processesOf(rounds),
      rounds: turnsOf(sizes),
      warmup: warmup.requests,
      requests: rounds === 1 ? 500 : 1500,
    });
    const ratio = (which, to) => median(measured.map((costs) => undisturbed(costs[which]) / undisturbed(costs[to])));
    return CONTENDERS.map(({ name, like }, which) => ({
      name,
      cpu: median(measured.map((costs) => undisturbed(costs[which]))),
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

const processesOf = (rounds) => (rounds === 1 ? 1 : 12);
// Many and short: what is looked for is less than what the load of a machine changes within seconds.
const turnsOf = (sizes) => 6 * sizes;

/** The cost that a third of the turns did not exceed. */
const undisturbed = (costs) => costs.toSorted((a, b) => a - b)[Math.floor(costs.length / 3)];
