import { expect, it } from 'vitest';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { report } from '../reliability/figures.ts';
import { measureGrowth, type Grown } from './measure.ts';
import { operations, together } from './operations.ts';

/** In `npm run test:full`, each kind is measured by itself: what grows is named, and the heap says more. */
const isFull = size(0, 1) === 1;
const COUNT = 120;
/** With so few operations, compiled code still shows as 1 or 2 KB; what an upload leaves would be larger. */
const MAX_BYTES = size(60_000, 6000);

const hasGrown = ({ bytes, more }: Grown) => bytes > MAX_BYTES || more.length > 0;

// The long and more precise run: npm run leaks
it(proves('leaks.none', 'nothing stays of whatever clients do'), { timeout: 180_000 }, async () => {
  const short = operations.filter(({ isLong }) => !isLong);
  // 9 of each kind are measured, which is more than what varies by itself.
  const results = isFull
    ? await measureGrowth(COUNT, short)
    : await measureGrowth(14 * short.length, [together], undefined, 1);
  if (isFull)
    report('leaks', {
      'operations of each kind': COUNT,
      'kinds of operation': results.length,
      'most bytes of heap that stay of one': Math.max(...results.map(({ bytes }) => bytes)),
      'listeners, timers, sockets, descriptors that stay': results.flatMap(({ more }) => more).join(', ') || 'none',
    });
  const titles = new Set(results.filter(hasGrown).map(({ title }) => title));
  // The heap is noisy with so few operations. A real leak shows again.
  const again = [...short, together].filter(({ title }) => titles.has(title));
  const grown = again.length > 0 ? await measureGrowth(3 * COUNT, again) : [];
  expect(grown.filter(hasGrown)).toEqual([]);
});
