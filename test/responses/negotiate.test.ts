import fc from 'fast-check';
import Negotiator from 'negotiator';
import { expect, it } from 'vitest';
import { createNegotiation } from '../../src/responses/negotiate.ts';
import { profileNames } from '../../src/responses/profiles/profile.ts';
import { profiles } from '../../src/responses/profiles/profiles.ts';
import { proves } from '../promises.ts';
import { size } from '../kit/sizes.ts';

const range = fc
  .tuple(
    fc.constantFrom(
      ...profileNames.map((name) => `application/json;profile=${name}`),
      'application/json;profile="status"',
      'application/json;profile=other',
      'application/json',
      'application/*',
      '*/*',
      'text/html',
    ),
    fc.constantFrom('', ';q=1', ';q=0.5', ';q=0.001', ';q=0', '; q=0.9'),
  )
  .map((parts) => parts.join(''));

it(proves('profile.negotiation', 'chooses as negotiator does, for any header of ranges'), () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(range, {
        minLength: 1,
        maxLength: 5,
        selector: (text) => text.replaceAll('"', '').split(/; ?q=/)[0],
      }),
      fc.constantFrom(...profileNames),
      (ranges, own) => {
        const accept = ranges.join(', ');
        const offers = [own, ...profileNames.filter((name) => name !== own)].map(
          (name) => `application/json;profile=${name}`,
        );
        const wanted = new Negotiator({ headers: { accept } }).mediaType(offers);
        const chosen = createNegotiation(profiles, profiles[own]).choose(accept);
        expect(chosen && `application/json;profile=${chosen.name}`).toBe(wanted);
      },
    ),
    { numRuns: size(300, 2000) },
  );
});

it(proves('profile.negotiation', 'never throws, and never keeps more headers than it should'), () => {
  const { choose } = createNegotiation(profiles, profiles.plain);
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (accept) => {
      expect([undefined, ...Object.values(profiles)]).toContain(choose(accept));
    }),
    { numRuns: size(300, 2000) },
  );
  const long = `${'application/json;profile="'.repeat(500)}, ${','.repeat(5000)};${'\\"'.repeat(2000)}`;
  expect(choose(long)).toBe(undefined);
  // One pass: a regular expression took a second for each 25 kB.
  expect(choose(`"${'\\\\"'.repeat(1_000_000)}`)).toBe(profiles.plain);
});
