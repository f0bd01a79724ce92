import { CONNECTIONS } from '../measure/load.mjs';
import { inFreshProcesses } from '../measure/fresh-processes.mjs';

// A header costs something even if nobody looks at it: so each is also sent to an app without rules.
const CONTENDERS = [
  { name: 'no access rules', app: 'noRules', sent: 'nothing', like: 0 },
  { name: 'no access rules, a key is sent', app: 'noRules', sent: 'key', like: 1 },
  { name: 'no access rules, a JWT is sent', app: 'noRules', sent: 'jwt', like: 2 },
  { name: 'rules, a public function', app: 'public', sent: 'nothing', like: 0 },
  { name: 'an API key', app: 'rules', sent: 'key', like: 1 },
  { name: 'a JWT, verified before', app: 'rules', sent: 'jwt', like: 2 },
];

/** What it costs to know who calls. */
export const access = {
  title: 'Access',
  how: ({ rounds }) =>
    `The mean of ${processesOf(rounds)} processes, each of which serves one app, in random order, and its standard error.`,
  packages: [],

  async measure({ rounds, warmup }) {
    const measured = await inFreshProcesses('http/access.mjs', CONTENDERS, {
      processes: processesOf(rounds),
      warmup: warmup.requests,
      turns: rounds === 1 ? 2 : 10,
      requests: rounds === 1 ? 500 : 3000,
    });
    return CONTENDERS.map(({ name, like }, which) => ({
      name,
      cpu: mean(measured[which]),
      error: standardError(measured[which]),
      ratio: mean(measured[which]) / mean(measured[0]),
      ratioLike: mean(measured[which]) / mean(measured[like]),
    }));
  },

  tables: (measured) => [
    {
      caption: `POST /functions/Add, ${CONNECTIONS} connections`,
      head: ['', 'CPU µs/request', '±', 'ratio', 'ratio to the same request without rules'],
      rows: measured.map(({ name, cpu, error, ratio, ratioLike }) => [
        name,
        cpu.toFixed(1),
        error.toFixed(1),
        ratio.toFixed(3),
        ratioLike.toFixed(3),
      ]),
    },
  ],
};

const processesOf = (rounds) => (rounds === 1 ? 2 : 60);

const mean = (values) => values.reduce((sum, value) => sum + value) / values.length;

function standardError(values) {
  const variance = mean(values.map((value) => (value - mean(values)) ** 2)) * (values.length / (values.length - 1));
  return Math.sqrt(variance / values.length);
}
