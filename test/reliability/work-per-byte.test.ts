import { afterAll, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';
import { size } from '../kit/sizes.ts';
import { cases, type Growth } from './growth/cases.ts';
import { HARMLESS, judge, type Measured } from './growth/judge.ts';
import { mostMemoryOf, sendByteByByte } from './growth/memory.ts';
import { StdioMeasurer, WorkerMeasurer } from './growth/measurers.ts';
import { report } from './figures.ts';

/**
 * A budget of work per byte: no request may cost time or bytes that grow faster than n·log n with its size, block
 * the event loop for more than 20 ms per KiB, or take many times as long as its JSON.
 */

const worker = new WorkerMeasurer();
const stdio = new StdioMeasurer();

/** The wires that get each row at its full size, and those that get every third row up to a quarter of it. */
const FULL = ['process', 'envelope', 'mcp-2026'];
const QUARTER = ['fetch', 'problem', 'status', 'http', 'mcp-2025', 'mcp-sdk', 'mcp-stdio'];
const QUARTER_TURNS = 3;
const ONLY = {
  process: [['process'], []],
  http: [['fetch'], ['http']],
  mcp: [['mcp-2025'], ['mcp-stdio']],
  bytes: [
    ['fetch', 'mcp-2025', 'mcp-stdio'],
    ['http', 'mcp-2026'],
  ],
} as const;

/** In `npm test`, a row is sent on one of the wires, which take turns, and only up to a part of its size. */
const isSmall = size(1, 0) === 1;
const SMALL_SHARE = 1 / 8;
/** Rows that are nested have sizes up to this. Their work is exponential if it is wrong, which a part would not show. */
const NESTED = 64;

function wiresOf({ only, to }: Growth, turn: number): readonly (readonly [wire: string, share: number])[] {
  const [full, quarter]: readonly (readonly string[])[] = only ? ONLY[only] : [FULL, QUARTER];
  if (isSmall) return [[full![turn % full!.length]!, to <= NESTED ? 1 : SMALL_SHARE]];
  const some = quarter!.filter((_, i) => (i + turn) % QUARTER_TURNS === 0);
  return [...full!.map((wire) => [wire, 1] as const), ...some.map((wire) => [wire, 1 / 4] as const)];
}

const figures = { requests: 0, megabytes: 0, 'slowest answer in ms': 0, 'memory for 0.5 MB byte by byte in MB': 0 };

afterAll(() => {
  worker.close();
  stdio.close();
  report('work-per-byte', {
    'kinds of input': cases.length,
    wires: FULL.length + QUARTER.length,
    ...figures,
    megabytes: Math.round(figures.megabytes),
    'slowest answer in ms': Math.round(figures['slowest answer in ms']),
  });
});

/** The last size and its halves, the smallest first. */
function sizesOf({ from, to }: Growth, share: number): number[] {
  const sizes: number[] = [];
  for (let n = to * share; n >= from; n /= 2) sizes.unshift(Math.floor(n));
  return sizes;
}

/** A row that fails is measured so often before it counts; one that is fine, once. */
const MAX_ROUNDS = 10;

/** Checks a row on a wire. Starts with few sizes; measures all of them, repeatedly, only if it took long. */
async function problemOf(row: Growth, wire: string, share: number): Promise<string | undefined> {
  const sizes = sizesOf(row, share);
  const few = sizes.filter((_, i) => i === 0 || (sizes.length - 1 - i) % 3 === 0);
  const first = await measureAll(row, wire, few, 2);
  if (typeof first === 'string') return first;
  if (first.every(({ ms }) => ms < HARMLESS)) return judge(first, worker.yardstick, row.times);
  const last = sizes.filter((_, i) => i === 0 || i >= sizes.length - 4);
  let all: readonly Measured[] = [];
  // Other work on the machine can only make it slower: the shortest time of each size counts.
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const measured = await measureAll(row, wire, last, 3);
    if (typeof measured === 'string') return measured;
    all = round === 0 ? measured : all.map((one, i) => ((measured[i]?.ms ?? Infinity) < one.ms ? measured[i]! : one));
    if (judge(all, worker.yardstick, row.times) === undefined) return undefined;
  }
  return judge(all, worker.yardstick, row.times);
}

async function measureAll(row: Growth, wire: string, sizes: readonly number[], runs: number) {
  const all: Measured[] = [];
  for (const n of sizes) {
    const measured = await (wire === 'mcp-stdio' ? stdio : worker).measure({ name: row.name, wire, n, runs });
    if (!measured) return `no response for size ${n}`;
    all.push(measured);
    figures.requests += runs;
    figures.megabytes += (measured.bytes * runs) / 2 ** 20;
    figures['slowest answer in ms'] = Math.max(figures['slowest answer in ms'], measured.ms);
    if (measured.ms > 400) break;
  }
  return all;
}

it.each(cases.map((row, turn) => ({ ...row, turn })))(
  '$name: work grows no faster than the request',
  async ({ turn, ...row }) => {
    for (const [wire, share] of wiresOf(row, turn)) {
      const problem = await problemOf(row, wire, share);
      if (problem !== undefined) expect.fail(`on ${wire}: ${problem}`);
    }
  },
);

it(proves('http.limits', 'a body in chunks of one byte takes no more memory than its bytes'), async () => {
  const server = await startServing('test/apps/growth.ts');
  try {
    const body = JSON.stringify({ value: 'x'.repeat(500_000) });
    const small = await sendByteByByte(server, '/functions/Text', '{"value":"x"}');
    expect(small).toContain('{"result":"x"}');
    const before = mostMemoryOf(server.child.pid!);
    expect(await sendByteByByte(server, '/functions/Text', body)).toMatch(/^HTTP\/1\.1 200 /);
    if (before === undefined) return;
    const grown = mostMemoryOf(server.child.pid!)! - before;
    figures['memory for 0.5 MB byte by byte in MB'] = Math.round(grown / 1e6);
    // The chunks are 3 MB on the socket. Keeping a Buffer for each byte would take about 300 bytes per byte.
    expect(grown).toBeLessThan(80e6);
  } finally {
    await server.stop();
  }
});
