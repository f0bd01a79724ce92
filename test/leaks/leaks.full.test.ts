import { expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';
import { measureGrowth } from './measure.ts';
import type { Grown } from './measure.ts';
import { operations } from './operations.ts';

/** With so few operations, compiled code still shows as 1 or 2 KB. A leaked request is larger. */
const MOST_BYTES = 6000;
const COUNT = 120;

const hasGrown = ({ bytes, more }: Grown) => bytes > MOST_BYTES || more.length > 0;

// The long and more precise run: npm run leaks
it(
  proves('leaks.none', 'nothing stays of a call, a failure, an abort, a handshake, a session, a listener, a question'),
  async () => {
    const results = await measureGrowth(
      COUNT,
      operations.filter(({ isLong }) => !isLong),
    );
    report('leaks', {
      'operations of each kind': COUNT,
      'kinds of operation': results.length,
      'most bytes of heap that stay of one': Math.max(...results.map(({ bytes }) => bytes)),
      'listeners, timers, sockets, descriptors that stay': results.flatMap(({ more }) => more).join(', ') || 'none',
    });
    const titles = new Set(results.filter(hasGrown).map(({ title }) => title));
    // The heap is noisy with so few operations. A real leak shows again.
    const again =
      titles.size === 0
        ? []
        : await measureGrowth(
            3 * COUNT,
            operations.filter(({ title }) => titles.has(title)),
          );
    expect(again.filter(hasGrown)).toEqual([]);
  },
  180_000,
);
