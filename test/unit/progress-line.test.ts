import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { progressLine, waitLine } from '../../src/bin/live/progress-line.ts';
import { widthOf } from '../../src/responses/columns.ts';
import { proves } from '../promises.ts';

describe('a line of progress', () => {
  it.each([
    [{ done: 5, total: 10, message: 'row 5' }, 2000, 80, '[=========>          ]  50% row 5  0:02  2.5/s'],
    [{ done: 0, total: 10 }, 0, 80, '[                    ]   0%  0:00'],
    [{ done: 10, total: 10 }, 61_000, 80, '[====================] 100%  1:01  0.2/s'],
    [{ done: 20, total: 10 }, 0, 80, '[====================] 100%  0:00'],
    [{ done: 1234, message: 'rows' }, 1000, 80, '1234 rows  0:01  1234/s'],
    [{ done: 5, total: 0 }, 0, 80, '5  0:00'],
    [{ done: 5, total: 10, message: 'a long message' }, 0, 30, ' 50% a long message  0:00'],
    [{ done: 5, total: 10, message: 'a long message' }, 0, 20, ' 50% a long m…  0:00'],
    [{ done: 5, total: 10, message: '進捗状況' }, 0, 17, ' 50% 進捗…  0:00'],
    [{ done: 1, message: 'a\n\u001b[31mb\tc' }, 0, 80, '1 a [31mb c  0:00'],
  ] as const)(proves('stream.progress', '%j after %i ms in %i columns'), (progress, elapsed, columns, line) => {
    expect(progressLine(progress, elapsed, columns)).toBe(line);
  });

  it.each([
    ['task 1', 2000, 80, 'task 1  0:02'],
    ['a task with a long name', 61_000, 12, 'a tas…  1:01'],
    ['a\u001b[31mb', 0, 80, 'a [31mb  0:00'],
    ['task', 0, 4, '0:00'],
    ['task', 0, 2, '0:'],
  ] as const)(
    proves('stream.progress', 'before there is any: %j after %i ms in %i columns'),
    (what, elapsed, columns, line) => {
      expect(waitLine(what, elapsed, columns)).toBe(line);
    },
  );

  it(proves('stream.progress', 'is one line that fits, and has no control characters'), () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(
        fc.record({ done: number, total: number, message: fc.string({ unit: 'binary' }) }, { requiredKeys: ['done'] }),
        fc.nat(10_000_000),
        fc.integer({ min: 1, max: 200 }),
        (progress, elapsed, columns) => {
          const line = progressLine(progress as { done: number }, elapsed, columns);
          expect(widthOf(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/\p{Cc}/u);
        },
      ),
    );
  });
});
