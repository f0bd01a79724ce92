import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { sections } from '../sections/index.mjs';
import { growthCharts } from './growth-charts.mjs';
import { overviewChart } from './overview-chart.mjs';
import { renderSection } from './section.mjs';

const file = (path) => new URL(`../${path}`, import.meta.url);
const RESULTS = file('results.json');

const HEAD = `# Results

Written by \`npm run bench\`, which also draws the charts; \`npm run bench -- --redraw\` writes all of it again from
results.json. Every contender does the same job, is asked whether it does before and after, and runs in fresh processes,
in turns with the others. Ratios are to the first line of a table. A server that is less than fully busy waited, for
the load or for the machine: compare CPU, not rates. A server may be busier than 100 %: V8 compiles and collects on
other cores.`;

/** Keeps what was measured; sections that were not measured now stay as they were. */
export function save(measured) {
  const results = { ...load(), ...measured };
  const inOrder = Object.fromEntries(
    Object.keys(sections).flatMap((name) => (results[name] ? [[name, results[name]]] : [])),
  );
  writeFileSync(RESULTS, `${JSON.stringify(inOrder, rounded, 2)}\n`);
  redraw();
}

export function redraw() {
  mkdirSync(file('charts'), { recursive: true });
  for (const [path, content] of Object.entries(draw(load()))) writeFileSync(file(path), content);
}

/** The report and the charts, by path. */
export function draw(results) {
  const texts = Object.entries(results).map(([name, result]) => renderSection(sections[name], result));
  const charts = { ...overviewChart(results), ...growthCharts(results) };
  return {
    'RESULTS.md': `${[HEAD, ...texts].join('\n\n')}\n`,
    ...Object.fromEntries(Object.entries(charts).map(([name, svg]) => [`charts/${name}.svg`, svg])),
  };
}

/** Digits that the next run would not repeat are left out. */
const rounded = (_, value) => (typeof value === 'number' ? Number(value.toPrecision(4)) : value);

function load() {
  return existsSync(RESULTS) ? JSON.parse(readFileSync(RESULTS, 'utf8')) : {};
}
