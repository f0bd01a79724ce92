import { setTimeout } from 'node:timers/promises';
import { startServing } from '../kit/served.ts';
import { operations, type Operation } from './operations.ts';

/** Counts of live objects in the server. */
interface Alive {
  readonly heap: number;
  readonly [what: string]: number;
}

export interface Grown {
  readonly title: string;
  readonly count: number;
  /** Bytes of heap that remain after each operation. */
  readonly bytes: number;
  /** Other counts that have grown: `listeners +3`. */
  readonly more: readonly string[];
}

const CLIENTS = 4;

/**
 * Runs each operation many times against its own server, and measures what remains. The first third is warm-up for what
 * is loaded, compiled and cached once. Growth is the median of several rounds: a leak grows in every round, noise does not.
 */
export async function measureGrowth(
  count: number,
  chosen: readonly Operation[] = operations,
  report: (grown: Grown) => void = () => {},
  rounds = 3,
): Promise<readonly Grown[]> {
  const results: Grown[] = [];
  const server = await startServing('test/apps/leaks.ts');
  try {
    for (const { title, prepare, leaves = false } of chosen) {
      const clients = await Promise.all(Array.from({ length: CLIENTS }, () => prepare(server.url)));
      const each = Math.ceil((count * 2) / 3 / rounds);
      await repeat(clients, count - each * rounds);
      const measured = [await alive(server.url, leaves)];
      for (let round = 0; round < rounds; round++) {
        await repeat(clients, each);
        measured.push(await alive(server.url, leaves, measured[0]));
      }
      const [first, last] = [measured[0]!, measured.at(-1)!];
      const grown = {
        title,
        count,
        bytes: Math.round(median(measured.slice(1).map(({ heap }, i) => (heap - measured[i]!.heap) / each))),
        more: moreOf(first, last).map((what) => `${what} +${last[what]! - first[what]!}`),
      };
      results.push(grown);
      report(grown);
    }
    return results;
  } finally {
    await server.stop();
  }
}

/** The number of kept-alive connections varies. */
const SLACK = 2 * CLIENTS;

async function repeat(clients: readonly (() => Promise<unknown>)[], count: number): Promise<void> {
  let left = count;
  await Promise.all(
    clients.map(async (run) => {
      while (left-- > 0) await Promise.race([run(), hung()]);
    }),
  );
}

/** A missing response must not hang the run or leave the server running. */
async function hung(): Promise<never> {
  await setTimeout(30_000, undefined, { ref: false });
  throw new Error('not answered within 30 seconds');
}

/** The counts that have grown, except memory. */
function moreOf(before: Alive, now: Alive): string[] {
  return Object.keys(before).filter((what) => what !== 'heap' && now[what]! > before[what]! + SLACK);
}

/** Waits until the server has noticed all disconnects: a half-closed client may still wait for its response. */
async function alive(url: string, leaves: boolean, before?: Alive): Promise<Alive> {
  for (let tries = 0; ; tries++) {
    await setTimeout(tries > 0 || leaves ? 800 : 100);
    const response = await fetch(`${url}/functions/Measure`, { method: 'POST' });
    const { result } = (await response.json()) as { result: Alive };
    if (!before || tries === 6 || moreOf(before, result).length === 0) return result;
  }
}

const median = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1]!;
