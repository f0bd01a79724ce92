import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { endChild, startModule } from '../measure/children.mjs';
import { databases } from '../measure/databases.mjs';
import { inTurns } from '../measure/turns.mjs';

const CONTENDERS = [
  { name: 'BullMQ alone, Redis', file: 'bullmq', database: 'redis' },
  { name: 'everywire, Redis', file: 'everywire', database: 'redis' },
  { name: 'everywire, PostgreSQL', file: 'everywire', database: 'postgres' },
  { name: 'everywire, in process', file: 'everywire' },
];
/** How many tasks wait already. */
const WAITING = [1, 1000, 100_000];

/** A task instead of a call: what it costs, and where it is kept. */
export const tasks = {
  title: 'Tasks',
  how: ({ sizes }) =>
    `${countOf(sizes).toLocaleString('en')} tasks each, medians. One process starts the tasks and works on them, 50 at once. Redis with an append-only file.`,
  packages: ['bullmq'],

  async measure({ rounds, sizes }) {
    const running = new Map();
    for (const name of Object.keys(databases)) running.set(name, await databases[name]());
    const there = CONTENDERS.filter(({ name, database }) => {
      const isThere = !database || running.get(database);
      if (!isThere) console.error(`Left out: ${name}; it is not installed`);
      return isThere;
    });
    try {
      return await inTurns(there, turnsOf(rounds), (one) => measureOne(one, running.get(one.database)?.url, sizes));
    } finally {
      for (const database of running.values()) await database?.stop();
    }
  },

  tables: (measured) => [
    {
      caption: 'Tasks of `Add`, started and finished',
      head: ['', 'tasks/s', 'CPU µs/task', 'ms from start to result', 'CPU µs of a plain call'],
      rows: measured.map(({ name, rate, cpu, latency, plain }) => [
        name,
        Math.round(rate).toLocaleString('en'),
        cpu.toFixed(0),
        latency.toFixed(2),
        name.startsWith('everywire') ? plain.toFixed(1) : '–',
      ]),
      notes: ratiosOf(measured),
    },
    {
      caption: 'Milliseconds to start one more task, by how many wait',
      head: ['', ...WAITING.slice(0, measured[0].growth.length).map((size) => size.toLocaleString('en'))],
      rows: measured.map(({ name, growth }) => [name, ...growth.map((time) => time.toFixed(2))]),
    },
  ],
};

const turnsOf = (rounds) => Math.min(rounds, 1);
const countOf = (sizes) => (sizes > 2 ? 5000 : 200);

async function measureOne({ file, database }, url, sizes) {
  const module = fileURLToPath(new URL(`../contenders/tasks/${file}.mjs`, import.meta.url));
  const waiting = WAITING.slice(0, sizes > 2 ? 3 : 2);
  const child = startModule(module, [url ?? 'memory', countOf(sizes), sizes > 2 ? 300 : 20, ...waiting].map(String));
  const [measured] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`${file} on ${database ?? 'memory'} ended with ${code}`);
    }),
  ]);
  await endChild(child, 2000);
  return measured;
}

function ratiosOf(measured) {
  const [alone, ours] = ['BullMQ alone, Redis', 'everywire, Redis'].map((name) =>
    measured.find((one) => one.name === name),
  );
  if (!alone || !ours) return [];
  return [
    `On Redis, everywire does ${(ours.rate / alone.rate).toFixed(2)} times the tasks of BullMQ alone, whose jobs have neither an owner nor a record that outlives them, arguments that are checked, or a status that other wires can read.`,
  ];
}
