import { CONNECTIONS } from '../measure/load.mjs';
import { sideBySide } from '../measure/side-by-side.mjs';
import { median } from '../measure/turns.mjs';

// A header costs something even if nobody looks at it: so each is also sent to an app without rules.
const CONTENDERS = [
  { name: 'no access rules', args: ['none', 'nothing'], like: 0 },
  { name: 'no access rules, a key is sent', args: ['none', 'key'], like: 1 },
  { name: 'no access rules, a JWT is sent', args: ['none', 'jwt'], like: 2 },
  { name: 'rules, a public function', args: ['rules', 'nothing'], like: 0 },
  { name: 'an API key', args: ['rules', 'key'], like: 1 },
  { name: 'a JWT, verified before', args: ['rules', 'jwt'], like: 2 },
];

/** What it costs to know who calls. */
export const access = {
  title: 'Access',
  how: ({ rounds, sizes }) =>
    `Processes: ${processesOf(rounds)}, all at once, in ${turnsOf(sizes)} short turns; medians.`,
  packages: [],

  async measure({ rounds, sizes, warmup }) {
    const contenders = CONTENDERS.map(({ args }) => ({ file: 'http/access.mjs', args }));
    const processes = processesOf(rounds);
    const isQuick = rounds === 1;
    const costs = await sideBySide(contenders, {
      processes,
      rounds: turnsOf(sizes),
      warmup: warmup.requests,
      requests: isQuick ? 500 : 4000,
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

const processesOf = (rounds) => Math.min(rounds, 3);
// Many and short: what is looked for is less than what the load of a machine changes within seconds.
const turnsOf = (sizes) => 6 * sizes;
