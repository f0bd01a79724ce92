import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { commit, version } from 'everywire';
import { CONNECTIONS } from './measure.mjs';

const require = createRequire(import.meta.url);

const HEAD = ['', 'requests/s', 'ratio', 'CPU µs/request', 'ratio', 'RSS MiB', 'server busy'];

/** The table, what it was measured with, and how to read it; Markdown, and aligned for a terminal. */
export function report(runs, { rounds, seconds }) {
  const medians = Object.entries(runs).map(([name, samples]) => ({ name, ...mediansOf(samples) }));
  const [base] = medians;
  const rows = medians.map(({ name, rate, cpu, rss, busy }) => [
    name,
    Math.round(rate).toLocaleString('en'),
    (rate / base.rate).toFixed(2),
    cpu.toFixed(1),
    (cpu / base.cpu).toFixed(2),
    (rss / 2 ** 20).toFixed(0),
    `${(busy * 100).toFixed(0)} %`,
  ]);
  return [
    `${new Date().toISOString().slice(0, 10)}, ${machine()}; ${versions()}.`,
    `Medians of ${rounds} rounds of ${seconds} s with ${CONNECTIONS} connections; ratios are to ${base.name}.`,
    'A server that is less than fully busy waited, for the load generator or the machine: compare CPU, not rates.',
    '',
    ...table([HEAD, ...rows]),
  ].join('\n');
}

/** What a whole process takes, from its start to its last byte. */
export function reportStartUp(runs) {
  const medians = Object.entries(runs).map(([name, samples]) => ({ name, ...mediansOf(samples) }));
  const [empty, written] = medians;
  const rows = medians.map(({ name, wall }) => [
    name,
    wall.toFixed(0),
    (wall / empty.wall).toFixed(2),
    (wall / written.wall).toFixed(2),
  ]);
  const head = ['one request over CGI', 'ms', `ratio to ${empty.name}`, `ratio to ${written.name}`];
  const { length } = Object.values(runs)[0];
  return [`Medians of ${length} starts each, in turns.`, '', ...table([head, ...rows])].join('\n');
}

function mediansOf(samples) {
  return Object.fromEntries(Object.keys(samples[0]).map((key) => [key, median(samples.map((sample) => sample[key]))]));
}

function median(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function machine() {
  const all = cpus();
  return `${all.length} × ${all[0]?.model.trim() ?? 'unknown CPU'}`;
}

function versions() {
  const libraries = ['fastify', 'zod'].map((name) => `${name} ${require(`${name}/package.json`).version}`);
  return [`node ${process.versions.node}`, ...libraries, `everywire ${version} (${commit})`].join(', ');
}

function table([head, ...rows]) {
  const widths = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (i ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [line(head), line(rule), ...rows.map(line)];
}
