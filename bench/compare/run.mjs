// The same six tasks in five frameworks: runs every program, checks what it does, and counts its lines.
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { frameworks } from './frameworks.mjs';
import { render } from './render.mjs';
import { tasks } from './tasks.mjs';

const HELP = `Usage: npm run compare -- [options]

  --only <framework>  one of ${frameworks.map(({ name }) => name).join(', ')}; may be given more than once
  --task <task>       one of ${Object.keys(tasks).join(', ')}; may be given more than once
  --save              write RESULTS.md, if everything works
  --check             run nothing; fail unless RESULTS.md is what the code says
  --help              this text`;

const page = new URL('RESULTS.md', import.meta.url);

try {
  const options = read(process.argv.slice(2));
  if (options.help) console.log(HELP);
  else if (options.check) check();
  else await compare(options);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
}

function read(args) {
  const names = { type: 'string', multiple: true };
  const flag = { type: 'boolean', default: false };
  const { values } = parseArgs({ args, options: { only: names, task: names, save: flag, check: flag, help: flag } });
  refuseUnknown('framework', values.only, new Set(frameworks.map(({ name }) => name)));
  refuseUnknown('task', values.task, new Set(Object.keys(tasks)));
  if (values.save && (values.only || values.task)) throw new Error('--save is for a run of everything');
  return values;
}

function refuseUnknown(kind, given = [], known) {
  const unknown = given.find((name) => !known.has(name));
  if (unknown !== undefined) throw new Error(`there is no ${kind} "${unknown}"; --help tells which there are`);
}

async function compare({ only, task, save }) {
  let failures = 0;
  for (const { name, ways } of frameworks.filter((one) => only?.includes(one.name) ?? true)) {
    for (const key of task ?? Object.keys(tasks)) {
      const { cannot } = ways[key];
      const problem = cannot === undefined ? await problemOf(tasks[key], ways[key]) : undefined;
      if (problem !== undefined) failures++;
      console.error(`${name}, ${key}: ${problem ?? (cannot === undefined ? 'works' : `not possible: ${cannot}`)}`);
    }
  }
  if (failures > 0) throw new Error(`${failures} failed`);
  console.log(render());
  if (save) writeFileSync(page, render());
}

async function problemOf({ check: run }, way) {
  try {
    await run(way);
    return undefined;
  } catch (error) {
    return `FAILED: ${error.message}`;
  }
}

function check() {
  if (readFileSync(page, 'utf8') !== render()) throw new Error('RESULTS.md is out of date; write it with --save');
}
