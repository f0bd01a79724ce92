import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { NO_CHUNKS, addChunk } from '../../src/console/last-chunks.ts';
import type { Chunks } from '../../src/console/last-chunks.ts';
import { paced } from '../../src/console/paced.ts';

const all = (chunks: readonly unknown[]) => chunks.reduce<Chunks>(addChunk, NO_CHUNKS);

it('keeps the last chunks', () => {
  expect(all(['a', { b: 1 }, 2])).toEqual({ lines: ['a', '{"b":1}', '2'], skipped: 0 });
  const { lines, skipped } = all(Array.from({ length: 1000 }, (_, i) => i));
  expect([lines.length, lines.at(-1), skipped]).toEqual([200, '999', 800]);
});

it('keeps as many characters as there is room for', () => {
  const { lines, skipped } = all(Array.from({ length: 50 }, (_, i) => `${i}${'x'.repeat(10_000)}`));
  expect([lines.length, skipped]).toEqual([9, 41]);
  const one = all(['x'.repeat(1_000_000)]);
  expect([one.lines[0]!.length, one.skipped]).toEqual([100_001, 0]);
});

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('paints ten times a second, and the last value at once when asked', () => {
  const painted: number[] = [];
  const { show, flush } = paced((value: number) => painted.push(value));
  for (let i = 1; i <= 1000; i++) {
    show(i);
    vi.advanceTimersByTime(1);
  }
  expect(painted.length).toBe(10);
  show(2000);
  flush();
  flush();
  vi.advanceTimersByTime(1000);
  expect(painted.at(-1)).toBe(2000);
  expect(painted.length).toBe(11);
});
