import { describe, expect, it } from 'vitest';
import { chooseCoding } from '../../src/hosts/accept-encoding.ts';
import { expectLinear } from '../kit/linear.ts';
import { proves } from '../promises.ts';

const cases: readonly (readonly [header: string | undefined, coding: 'br' | 'gzip' | undefined])[] = [
  [undefined, undefined],
  ['', undefined],
  ['gzip', 'gzip'],
  ['GZIP', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br', 'br'],
  ['gzip, deflate', 'gzip'],
  ['deflate', undefined],
  ['zstd', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['*;q=0, gzip', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['gzip;q=1, br;q=0.9', 'gzip'],
  ['gzip;q=0.001', 'gzip'],
  ['gzip;q=0', undefined],
  ['gzip;q=0.000', undefined],
  ['gzip ; q = 0.5 , br ; Q=0.4', 'gzip'],
  ['gzip;q=0.5, identity', undefined],
  ['gzip, identity', 'gzip'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['gzip;q=0.5, identity;q=0.1', 'gzip'],
  ['identity', undefined],
  ['identity;q=0', undefined],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['identity;q=0, *;q=0.5', 'br'],
  ['gzip;q=0, gzip', undefined],
  ['gzip;q=2', undefined],
  ['gzip;q=', undefined],
  ['gzip;q=-1', undefined],
  ['gzip;q=0.1234', undefined],
  ['gzip;level=9', 'gzip'],
  ['gzip;level=9;q=0', undefined],
  [',,;q=1,gzip', 'gzip'],
  ['__proto__, constructor', undefined],
];

describe('Accept-Encoding', () => {
  for (const [header, coding] of cases) {
    it(proves('http.compression', `${header ?? 'missing'} → ${coding ?? 'none'}`), () =>
      expect(chooseCoding(header)).toBe(coding),
    );
  }

  it(proves('input.bounded', 'a header of many codings takes linear time'), () =>
    expectLinear((count) => {
      const header = Array.from({ length: count }, (_, i) => `c${i};q=0.${i % 10}`).join(',');
      return () => chooseCoding(header);
    }, 2000),
  );
});
