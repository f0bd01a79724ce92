import { CONNECTIONS, measureServer } from '../measure/load.mjs';
import { headersOf, request } from '../measure/mcp.mjs';
import { post } from '../measure/post.mjs';
import { inTurns } from '../measure/turns.mjs';

const FUNCTIONS = [1, 100, 1000, 10_000];
// The longest stays below the megabyte (of 1,048,576 bytes) that a body may have.
const PAYLOADS = [100, 10_000, 1_000_000];
const SMALL_INPUT = 8;
const PARALLEL = [1, 64, 1024];

const LINES = [
  { name: 'hand-written', file: 'growth/hand-written.mjs' },
  { name: 'everywire', file: 'growth/everywire.mjs' },
];
const MCP = { name: 'everywire, MCP', file: 'growth/everywire.mjs' };

export const growth = {
  title: 'How cost grows',
  how: ({ rounds, seconds }) => `Rounds: ${fewer(rounds)} of ${seconds} s; medians.`,
  packages: [],

  async measure({ sizes, rounds, warmup, seconds }) {
    const turns = fewer(rounds);
    const settings = { warmup, seconds };
    return {
      functions: await grow(FUNCTIONS.slice(0, sizes), [...LINES, MCP], turns, (line, count) =>
        measureServer({ ...line, args: [count] }, (line === MCP ? callTool : add)(count), settings),
      ),
      payload: await grow(PAYLOADS.slice(0, sizes), LINES, turns, (line, bytes) =>
        // With few connections and a short warm-up: a second brings only some dozens of the longest.
        measureServer({ ...line, args: [1], connections: SMALL_INPUT }, echo(bytes), {
          ...settings,
          warmup: { ...warmup, requests: Math.min(warmup.requests, 1e8 / bytes) },
        }),
      ),
      connections: await grow(PARALLEL.slice(0, sizes), LINES, turns, (line, connections) =>
        measureServer({ ...line, args: [1], connections }, add(1), settings),
      ),
    };
  },

  tables: ({ functions, payload, connections }) => [
    growthTable(`registered functions, ${CONNECTIONS} connections`, functions),
    growthTable(`bytes sent and returned, ${SMALL_INPUT} connections`, payload),
    growthTable('connections', connections),
    startTable(functions),
  ],
};

/** There are many points, and a trend needs less care than a comparison. */
const fewer = (rounds) => Math.ceil(rounds / 2);

/** Every line at every size, in turns. */
async function grow(sizes, lines, rounds, measure) {
  const points = sizes.flatMap((size) => lines.map((line) => ({ name: line.name, line, size })));
  const measured = await inTurns(points, rounds, ({ line, size }) => measure(line, size));
  return measured.map((values, i) => ({ size: points[i].size, ...values }));
}

const JSON_TYPE = { 'content-type': 'application/json' };

/** The last of the functions, which whoever looks for it one by one finds last. */
const add = (count) => proveAnswer(`/functions/Add${count}`, JSON_TYPE, { x: 10, y: 20 }, '{"result":30}');

function echo(bytes) {
  const text = 'x'.repeat(bytes - '{"text":""}'.length);
  return proveAnswer('/functions/Echo', JSON_TYPE, { text }, JSON.stringify({ result: text }));
}

function callTool(count) {
  const name = `Add${count}`;
  const message = request('2026-07-28', 1, 'tools/call', { name, arguments: { x: 10, y: 20 } });
  return proveAnswer('/mcp', headersOf('2026-07-28', name), message, '"structuredContent":{"result":30}');
}

/** Throws unless the answer is (or for MCP, holds) the right one; returns what to load the server with. */
function proveAnswer(path, headers, message, right) {
  return async ({ name, origin }) => {
    const url = origin + path;
    const body = JSON.stringify(message);
    const answer = await post(url, headers, body);
    const isRight = answer.status === 200 && answer.body.includes(right);
    if (!isRight) throw new Error(`${name} answered ${path} with ${answer.status} ${answer.body.slice(0, 200)}`);
    return { url, headers, body, answer: answer.body };
  };
}

function growthTable(what, points) {
  const rows = points.map(({ size, name, rate, cpu, rss }) => [
    `${size.toLocaleString('en')}, ${name}`,
    Math.round(rate).toLocaleString('en'),
    cpu.toFixed(1),
    (rss / 2 ** 20).toFixed(0),
  ]);
  return { caption: `By ${what}`, head: ['', 'calls/s', 'CPU µs/call', 'RSS MiB'], rows };
}

function startTable(points) {
  const rows = points
    .filter(({ name }) => name !== MCP.name)
    .map(({ size, name, start }) => [`${size.toLocaleString('en')}, ${name}`, start.toFixed(0)]);
  const ours = points.filter(({ name }) => name === 'everywire');
  const [first, last] = [ours[0], ours.at(-1)];
  const perThousand = ((last.start - first.start) / (last.size - first.size)) * 1000;
  const notes = [`everywire takes ${perThousand.toFixed(0)} ms for every 1,000 functions.`];
  return { caption: 'Start-up by registered functions', head: ['', 'ms until it listens'], rows, notes };
}
