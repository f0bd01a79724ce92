import { expect } from 'vitest';

/** Times below are noise, in milliseconds. */
const NOISE_MS = 0.5;
const ROUNDS = 4;

/**
 * Expects that work grows with its input: for eight times the input, linear work takes eight times as long and quadratic work
 * 64 times. It counts the CPU time of this process, the least of a few rounds, so that a busy machine changes nothing.
 */
export async function expectLinear(prepare: (size: number) => () => unknown, size: number): Promise<void> {
  const works = [prepare(size), prepare(8 * size)] as const;
  const least = [Infinity, Infinity];
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, work] of works.entries()) least[i] = Math.min(least[i]!, await cpuOf(work));
  }
  expect(least[1]! / Math.max(least[0]!, NOISE_MS)).toBeLessThan(24);
}

async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
