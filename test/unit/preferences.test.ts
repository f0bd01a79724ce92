import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readPreferences } from '../../src/wires/http/tasks/preferences.ts';
import { proves } from '../promises.ts';

const read = (prefer: string | string[] | undefined) => readPreferences({ prefer });

describe('the Prefer header (RFC 7240)', () => {
  it.each([
    [undefined, false, 0],
    ['', false, 0],
    ['respond-async', true, 0],
    ['Respond-Async', true, 0],
    ['respond-async=""', true, 0],
    ['respond-async, wait=10', true, 10_000],
    ['wait=10,respond-async', true, 10_000],
    ['respond-async; foo=bar, wait = 10 ; x', true, 10_000],
    ['WAIT="7"', false, 7000],
    ['wait=1, wait=2', false, 1000],
    ['return=minimal, ,, respond-async', true, 0],
    ['foo="a, respond-async, wait=5"', false, 0],
    ['foo="a\\", wait=5", respond-async', true, 0],
    [['respond-async', 'wait=3'], true, 3000],
    ['wait', false, 0],
    ['wait=', false, 0],
    ['wait=-1', false, 0],
    ['wait=1.5', false, 0],
    ['wait=1e3', false, 0],
    ['wait=soon', false, 0],
    ['respond-async=no', false, 0],
    ['respond-asynchronously', false, 0],
    ['"respond-async"', false, 0],
    ['foo="', false, 0],
  ])(proves('http.task', '%j'), (prefer, respondAsync, wait) => {
    expect(read(prefer)).toEqual({ respondAsync, wait });
  });

  it('takes a number of any length', () => expect(read(`wait=${'9'.repeat(1000)}`).wait).toBe(Infinity));

  it('never throws, and wait is never negative', () => {
    const part = fc.constantFrom('respond-async', 'wait', '=', ';', ',', '"', '\\', ' ', '1', 'é', '\t');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
        const { wait } = read(parts.join(''));
        expect(wait).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 300 },
    );
  });
});
