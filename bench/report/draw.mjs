import { sections } from '../sections/index.mjs';
import { growthCharts } from './growth-charts.mjs';
import { overviewChart } from './overview-chart.mjs';
import { renderSection } from './section.mjs';

const HEAD = `# Results

Written by \`npm run bench\`, which also draws the charts; \`npm run bench -- --redraw\` writes all of it again from
results.json. Every contender does the same job, is asked whether it does before and after, and runs in fresh processes,
in turns with the others. Ratios are to the first line of a table. A server that is less than fully busy waited, for
the load or for the machine: compare CPU, not rates. A server may be busier than 100 %: V8 compiles and collects on
other cores.`;

/** The report and the charts, by path. */
export function draw(results) {
  const texts = Object.entries(results).map(([name, result]) => renderSection(sections[name], result));
  const charts = { ...overviewChart(results), ...growthCharts(results) };
  return {
    'RESULTS.md': `${[HEAD, ...texts].join('\n\n')}\n`,
    ...Object.fromEntries(Object.entries(charts).map(([name, svg]) => [`charts/${name}.svg`, svg])),
  };
}
