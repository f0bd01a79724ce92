import fc from 'fast-check';
import {
  Failure,
  failure,
  fromStatus,
  fromThrowable,
  isOutcome,
  map,
  success,
  toStatus,
  unwrap,
} from 'everywire/responses';
import type { Outcome } from 'everywire/responses';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

const half = (n: number) => {
  if (n % 2) throw new Failure('ODD', `${n} is odd`, { details: { n } });
  return n / 2;
};

describe('an outcome', () => {
  it(proves('outcome.typed', 'is made, changed and taken apart'), () => {
    expect(success(1)).toEqual({ ok: true, data: 1 });
    expect(failure('NOT_FOUND', 'gone')).toEqual({
      ok: false,
      error: { code: 'NOT_FOUND', message: 'gone', retry: false },
    });
    expect(failure('RATE_LIMITED', 'slow down', { retryAfter: 3 }).error).toMatchObject({ retry: true, retryAfter: 3 });
    expect(map(success(2), (n) => n * 2)).toEqual(success(4));
    const odd = failure('ODD', '3 is odd') as Outcome<number>;
    expect(map(odd, (n) => n * 2)).toBe(odd);
    expect(unwrap(success('x'))).toBe('x');
  });

  it(proves('outcome.typed', 'unwraps to a Failure that keeps everything'), () => {
    const outcome = failure('ODD', '3 is odd', { details: { n: 3 }, retryAfter: 1 });
    expect(() => unwrap(outcome)).toThrow(Failure);
    expect(fromThrowable(() => unwrap(outcome))()).toEqual(outcome);
  });

  it(proves('outcome.typed', 'comes of any function that may throw, at once or later'), async () => {
    expect(fromThrowable(half)(4)).toEqual(success(2));
    expect(fromThrowable(half)(3)).toEqual(failure('ODD', '3 is odd', { details: { n: 3 } }));
    expect(await fromThrowable(async (n: number) => half(n))(3)).toMatchObject({ ok: false, error: { code: 'ODD' } });
    expect(fromThrowable(() => new Failure('ODD', 'returned'))()).toMatchObject({ ok: false, error: { code: 'ODD' } });
    expect(fromThrowable(() => JSON.parse('{') as unknown)()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    const hostile = new Proxy(
      {},
      { get: () => half(1), getPrototypeOf: () => half(1) as never, has: () => half(1) > 0 },
    );
    const thrower = () => {
      throw hostile;
    };
    expect(fromThrowable(thrower)()).toMatchObject({ ok: false, error: { message: 'Unknown error' } });
  });

  it(proves('outcome.typed', 'is the same after JSON, whatever its data and details'), () => {
    const outcomes = fc.oneof(
      fc.jsonValue().map((data) => success(data)),
      fc.tuple(fc.string(), fc.anything()).map(([message, details]) => failure('SOME_CODE', message, { details })),
    );
    fc.assert(
      fc.property(outcomes, (outcome) => {
        const after: unknown = JSON.parse(JSON.stringify(outcome));
        expect(JSON.stringify(after)).toBe(JSON.stringify(outcome));
        expect(isOutcome(after)).toBe(true);
        expect(fromStatus(toStatus(outcome))).toEqual(outcome);
      }),
    );
  });

  it(proves('outcome.typed', 'is told from what only looks like one'), () => {
    for (const other of [null, 1, [], {}, { ok: 1 }, { ok: true, extra: 1 }, { ok: false }, { ok: false, error: 'x' }])
      expect(isOutcome(other)).toBe(false);
    expect(isOutcome({ ok: true })).toBe(true);
  });

  it('refuses a code that could not travel in a header', () => {
    expect(() => failure('NOT FOUND', 'x')).toThrow(/letters, digits and "_"/);
  });
});
