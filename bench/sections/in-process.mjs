import { fileURLToPath } from 'node:url';
import { REFUSED } from '../measure/job.mjs';
import { runToEnd } from '../measure/run-to-end.mjs';
import { inTurns } from '../measure/turns.mjs';

const LOOP = fileURLToPath(new URL('../measure/call-loop.mjs', import.meta.url));

const CONTENDERS = [
  { name: 'the bare function', file: 'bare' },
  { name: 'zod, and the function', file: 'zod', checks: true },
  { name: 'app.call of everywire', file: 'everywire', checks: true },
];

export const inProcess = {
  title: 'In process',
  how: ({ rounds, seconds }) => `Rounds: ${rounds} of ${seconds} s; medians.`,
  packages: ['zod'],

  async measure({ rounds, seconds }) {
    for (const contender of CONTENDERS.filter(({ checks }) => checks)) await proveRefusals(contender);
    return inTurns(CONTENDERS, rounds, async ({ file }) => {
      const { output } = await runToEnd([LOOP, moduleOf(file), String(seconds)]);
      return JSON.parse(output);
    });
  },

  tables(measured) {
    const [bare] = measured;
    const rows = measured.map(({ name, wall, cpu }) => [
      name,
      wall.toFixed(0),
      cpu.toFixed(0),
      (cpu - bare.cpu).toFixed(0),
    ]);
    const head = ['', 'ns/call', 'CPU ns/call', `CPU ns over ${bare.name}`];
    const notes = [
      'A call of everywire also checks the result, and waits for a promise, as any asynchronous call does.',
    ];
    return [{ caption: 'Add, called in a loop', head, rows, notes }];
  },
};

const moduleOf = (file) => new URL(`../contenders/in-process/${file}.mjs`, import.meta.url).href;

async function proveRefusals({ name, file }) {
  const { call, sumIn } = await import(moduleOf(file));
  for (const input of REFUSED) {
    const sum = await Promise.resolve(input)
      .then(call)
      .then(sumIn, () => undefined);
    if (sum !== undefined) throw new Error(`${name} answered ${JSON.stringify(input)} with ${JSON.stringify(sum)}`);
  }
}
