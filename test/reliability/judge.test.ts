import { describe, expect, it } from 'vitest';
import { judge } from './growth/judge.ts';

/** Milliseconds that a machine may take for 1 MiB of JSON. */
const YARDSTICK = 10;

const sizes = [1, 2, 4, 8, 16, 32, 64, 128].map((kib) => kib * 1024);
const grown = (ms: (bytes: number) => number, answer: (bytes: number) => number = (bytes) => bytes) =>
  sizes.map((bytes) => ({ bytes, ms: ms(bytes), answer: answer(bytes) }));
const KIB = 1024;

describe('the judge of work per byte', () => {
  it.each([
    ['nothing to speak of', grown(() => 0.1)],
    ['linear', grown((bytes) => 0.1 + (bytes / KIB) * 0.1)],
    ['n·log n', grown((bytes) => (bytes / KIB) * Math.log2(bytes) * 0.006)],
    ['quadratic, but never long', grown((bytes) => (bytes / KIB / 128) ** 2 * 20)],
    [
      'an answer of several times the request',
      grown(
        () => 1,
        (bytes) => 6 * bytes,
      ),
    ],
  ])('lets pass: %s', (_what, measured) => expect(judge(measured, YARDSTICK)).toBeUndefined());

  it.each([
    ['quadratic', grown((bytes) => (bytes / KIB / 128) ** 2 * 40), 'the power 2.00'],
    ['n to the power of 1.5', grown((bytes) => (bytes / KIB / 128) ** 1.5 * 40), 'the power 1.50'],
    ['slow from the beginning', grown((bytes) => (bytes / KIB) * 25), 'block the event loop'],
    ['many times as slow as JSON', grown((bytes) => (bytes / KIB) * 0.6), 'more than'],
    [
      'a quadratic answer',
      grown(
        () => 1,
        (bytes) => bytes ** 2 / KIB,
      ),
      'are answered with',
    ],
    ['no measurement', [], 'nothing was measured'],
  ])('finds: %s', (_what, measured, message) => expect(judge(measured, YARDSTICK)).toContain(message));
});
