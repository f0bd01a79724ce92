import { readFileSync } from 'node:fs';
import { countLines } from './count-lines.mjs';
import { frameworks } from './frameworks.mjs';
import { tasks } from './tasks.mjs';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'));

/** The page with the results. Every number in it comes from the code; nothing is measured. */
export function render() {
  const columns = frameworks.map((framework) => ({ ...framework, lines: linesOf(framework) }));
  const keys = Object.keys(tasks);
  const rows = keys.map((key) => [tasks[key].title, ...columns.map(({ lines }) => lines[key] ?? '–')]);
  const totals = columns.map(({ lines }) => Object.values(lines).reduce((sum, count) => sum + (count ?? 0), 0));
  rows.push(['all together', ...columns.map((column, i) => `${totals[i]}${isPartial(column) ? ' for the rest' : ''}`)]);
  rows.push(['packages, zod apart', ...columns.map(({ packages }) => Math.max(1, packages.length))]);
  return `# The same six tasks in five frameworks

After this page you know how much code six common tasks take, and what each framework needs other packages for.
\`npm run compare\` runs all of it: every program here is started, called and checked. \`node bench/compare/run.mjs --save\`
writes this page.

Lines of code are those that are neither blank nor a comment, formatted by this repository's formatter. A file that serves
several tasks is counted with the first of them. What is the same for all (prices, a slow report, a database) is in
[business/](business) and is not counted.

${table(['lines of code', ...columns.map(({ name }) => name)], rows)}

## What a task demands

${table(
  ['task', 'the check'],
  keys.map((key) => [tasks[key].title, tasks[key].demands]),
)}

${columns.map(section).join('\n\n')}
`;
}

const isPartial = ({ lines }) => Object.values(lines).includes(undefined);

function linesOf({ ways }) {
  const counted = new Set();
  const count = ({ files }) => {
    const fresh = files?.filter((file) => !counted.has(file));
    for (const file of fresh ?? []) counted.add(file);
    return fresh?.reduce((sum, file) => sum + countLines(file), 0);
  };
  return Object.fromEntries(Object.keys(tasks).map((key) => [key, count(ways[key])]));
}

function section({ name, packages, ways, remark }) {
  const versions = packages.map((one) => `${one} ${lock.packages[`node_modules/${one}`].version}`);
  const rows = Object.keys(tasks).map((key) => [tasks[key].title, sourcesOf(ways[key]), noteOf(ways[key])]);
  return `## ${name}

${versions.length > 0 ? `${versions.join(', ')}.` : 'This repository.'}${remark ? ` ${remark}` : ''}

${table(['task', 'code', ''], rows)}`;
}

function sourcesOf({ files = [] }) {
  const names = files.map((file) => file.split('/').slice(-2).join('/'));
  return names.map((name) => `[${name.split('/')[1]}](${name})`).join(', ');
}

const noteOf = ({ cannot, note }) => (cannot === undefined ? (note ?? '') : `not possible: ${cannot}`);

const line = (cells) => `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');

function table(head, rows) {
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}
