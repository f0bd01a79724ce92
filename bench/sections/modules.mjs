import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timedSum } from '../measure/cgi.mjs';
import { environment, scratch } from '../measure/children.mjs';
import { command } from '../measure/everywire.mjs';
import { runToEnd } from '../measure/run-to-end.mjs';
import { inTurns } from '../measure/turns.mjs';

const EMPTY = { name: 'node -e 0', args: ['-e', '0'] };
const SIZES = [1, 200];

export const modules = {
  title: 'Plain modules',
  how: ({ starts }) =>
    `One request over CGI, from the start of the process to its end. Starts: ${starts} of each; medians.`,
  packages: [],

  async measure({ starts }) {
    const measured = {};
    for (const size of SIZES) measured[size] = await measureSize(size, starts);
    return measured;
  },

  tables: (measured) => SIZES.map((size) => startTable(size, measured[size])),
};

async function measureSize(size, starts) {
  const folder = join(scratch, `modules-${size}`);
  mkdirSync(folder);
  const file = (name, text) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const plain = file('math.ts', plainModule(size));
  const javascript = file('by-hand.mjs', moduleByHand(size));
  const typescript = file('by-hand.ts', moduleByHand(size));
  // Elsewhere than next to the module, where it would stand in for it.
  const out = join(mkdtempSync(join(scratch, 'built-')), 'math.mjs');
  execFileSync(process.execPath, [command, 'build', plain, '--out', out], { env: environment, stdio: 'pipe' });
  const warm = [
    { name: BY_HAND, args: [command, 'cgi', javascript], env: keptCache() },
    { name: 'JSON Schema by hand, TypeScript, warm cache', args: [command, 'cgi', typescript], env: keptCache() },
    { name: 'plain, warm cache', args: [command, 'cgi', plain], env: keptCache() },
    { name: 'plain, built', args: [out, 'cgi'], env: keptCache() },
  ];
  const cold = [
    { name: 'JSON Schema by hand, TypeScript, cold cache', args: [command, 'cgi', typescript], env: freshCache },
    { name: 'plain, cold cache', args: [command, 'cgi', plain], env: freshCache },
  ];
  for (const script of warm) await timedSum(script); // which fills the caches that are to be warm
  return inTurns([EMPTY, ...warm, ...cold], starts, async (script) => ({
    wall: script === EMPTY ? (await runToEnd(EMPTY.args)).wall : await timedSum(script),
  }));
}

const BY_HAND = 'JSON Schema by hand, JavaScript';

/** Add, and others that take and return something larger. */
function plainModule(size) {
  const others = Array.from(
    { length: size - 1 },
    (_, i) => `
/** Order ${i} */
export interface Order${i} { /** Its id */ id: string; /** Its lines */ lines: { /** What */ name: string; /** How many */ count: int }[] }
/** Changes order ${i}
 * @param order The order
 * @param state Its next state
 * @returns The order */
export function Change${i}(order: Order${i}, state: 'open' | 'sent' = 'open'): Order${i} { return order }`,
  );
  return `type int = number;
/** Adds two integers together
 * @param x First integer to add
 * @param y Second integer to add
 * @returns Sum of x and y */
export function Add(x: int, y: int): int { return x + y }${others.join('\n')}
`;
}

/** The same functions. */
function moduleByHand(size) {
  return `import { createApp, defineFunction } from ${JSON.stringify(import.meta.resolve('everywire'))};
const int = { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 };
const add = defineFunction({
  name: 'Add',
  description: 'Adds two integers together',
  input: { type: 'object', properties: { x: { ...int, description: 'First integer to add' }, y: { ...int, description: 'Second integer to add' } }, required: ['x', 'y'] },
  output: { ...int, description: 'Sum of x and y' },
  run: ({ x, y }) => x + y,
});
const order = (description) => ({
  type: 'object',
  properties: {
    id: { type: 'string', description: 'Its id' },
    lines: { type: 'array', items: { type: 'object', properties: { name: { type: 'string', description: 'What' }, count: { ...int, description: 'How many' } }, required: ['name', 'count'] }, description: 'Its lines' },
  },
  required: ['id', 'lines'],
  description,
});
const change = (i) => defineFunction({
  name: 'Change' + i,
  description: 'Changes order ' + i,
  input: { type: 'object', properties: { order: order('The order'), state: { type: 'string', enum: ['open', 'sent'], description: 'Its next state', default: 'open' } }, required: ['order'] },
  output: order('The order'),
  run: ({ order }) => order,
});
const others = Array.from({ length: ${size - 1} }, (_, i) => change(i));
export default createApp({ name: 'math', version: '1.0.0', functions: [add, ...others] });
`;
}

function freshCache() {
  const folder = mkdtempSync(join(scratch, 'cache-'));
  return { XDG_CACHE_HOME: folder, TMPDIR: folder };
}

function keptCache() {
  const cache = freshCache();
  return () => cache;
}

function startTable(size, measured) {
  const byHand = measured.find(({ name }) => name === BY_HAND);
  const rows = measured.map(({ name, wall }) => [name, wall.toFixed(0), (wall - byHand.wall).toFixed(0)]);
  const caption = size === 1 ? 'A module with one function' : `A module with ${size} functions`;
  return { caption, head: ['', 'ms', `ms over ${BY_HAND}`], rows };
}
