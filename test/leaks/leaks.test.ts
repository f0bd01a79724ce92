import { expect, it } from 'vitest';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';
import { measureGrowth } from './measure.ts';
import type { Grown } from './measure.ts';
import { operations } from './operations.ts';

/** The fewer operations, the more of the heap is compiled code: some KB of each. What an upload leaves would be larger. */
const MAX_BYTES = size(60_000, 6000);
const COUNT = size(40, 120);
/** Listeners, timers and descriptors need no median. */
const ROUNDS = size(1, 3);

const hasGrown = ({ bytes, more }: Grown) => bytes > MAX_BYTES || more.length > 0;

// The long and more precise run: npm run leaks
it(
  proves('leaks.none', 'nothing stays of a call, a failure, an abort, a handshake, a session, a listener, a question'),
  async () => {
    const chosen = operations.filter(({ isLong }) => !isLong);
    const results = await measureGrowth(COUNT, chosen, undefined, ROUNDS);
    report('leaks', {
      'operations of each kind': COUNT,
      'kinds of operation': results.length,
      'most bytes of heap that stay of one': Math.max(...results.map(({ bytes }) => bytes)),
      'listeners, timers, sockets, descriptors that stay': results.flatMap(({ more }) => more).join(', ') || 'none',
    });
    const titles = new Set(results.filter(hasGrown).map(({ title }) => title));
    if (titles.size === 0) return;
    // The heap is noisy with so few operations. A real leak shows again.
    const again = operations.filter(({ title }) => titles.has(title));
    expect((await measureGrowth(3 * COUNT, again)).filter(hasGrown)).toEqual([]);
  },
  180_000,
);
