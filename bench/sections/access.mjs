import { CONNECTIONS } from '../measure/load.mjs';
import { sideBySide } from '../measure/side-by-side.mjs';
import { median } from '../measure/turns.mjs';

const CONTENDERS = [
  { name: 'no access rules', kind: 'none' },
  { name: 'rules, a public function', kind: 'public' },
  { name: 'an API key', kind: 'key' },
  { name: 'a JWT, verified before', kind: 'jwt' },
];

/** What it costs to know who calls. */
export const access = {
  title: 'Access',
  how: ({ rounds, sizes }) =>
    `Processes: ${processesOf(rounds)}, all at once, in ${turnsOf(sizes)} short turns; medians.`,
  packages: [],

  async measure({ rounds, sizes, warmup }) {
    const contenders = CONTENDERS.map(({ kind }) => ({ file: 'http/access.mjs', args: [kind] }));
    const processes = processesOf(rounds);
    const isQuick = rounds === 1;
    const costs = await sideBySide(contenders, {
      processes,
      rounds: turnsOf(sizes),
      warmup: warmup.requests,
      requests: isQuick ? 500 : 4000,
    });
    return CONTENDERS.map(({ name }, which) => ({
      name,
      cpu: median(costs[which]),
      ratio: median(costs[which].map((cost, i) => cost / costs[0][i])),
    }));
  },

  tables: (measured) => [
    {
      caption: `POST /functions/Add, ${CONNECTIONS} connections`,
      head: ['', 'CPU µs/request', 'ratio'],
      rows: measured.map(({ name, cpu, ratio }) => [name, cpu.toFixed(1), ratio.toFixed(3)]),
    },
  ],
};

const processesOf = (rounds) => Math.min(rounds, 3);
// Many and short: what is looked for is less than what the load of a machine changes within seconds.
const turnsOf = (sizes) => 6 * sizes;
