import { Ajv2020 } from 'ajv/dist/2020.js';
import type { Outcome } from 'everywire';
import { createProfiles, profileNames, profiles, type Profile } from 'everywire/responses';
import fc from 'fast-check';
import Negotiator from 'negotiator';
import { describe, expect, it } from 'vitest';
import { createNegotiation } from '../../src/responses/negotiate.ts';
import app from '../apps/profiles.ts';
import { expectErrors } from '../kit/errors.ts';
import { throwing } from '../kit/parts.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

expectErrors(/lost for words/, /functions\.BadContent/);

// Through JSON once: it has no -0.
const json = fc.jsonValue({ maxDepth: 4 }).map((value): unknown => JSON.parse(JSON.stringify(value)));
const failure = fc
  .record(
    {
      code: fc.stringMatching(/^[A-Z_]{1,20}$/).filter((code) => code !== 'OK'), // which is reserved
      message: fc.string({ unit: 'grapheme' }),
      details: json,
      retry: fc.boolean(),
      retryAfter: fc.nat(),
    },
    { requiredKeys: ['code', 'message', 'retry'] },
  )
  .map((error): Outcome => ({ ok: false, error }));

/** A function of each kind that may return anything, with possible outcomes. */
const any = { json: {}, parse: undefined };
const kinds = [
  { fn: { returned: { kind: 'none' } }, outcomes: fc.constant<Outcome>({ ok: true, data: undefined }) },
  { fn: { returned: { kind: 'one', schema: any } }, outcomes: json.map((data): Outcome => ({ ok: true, data })) },
  {
    fn: { returned: { kind: 'several', schemas: [any, any, any] } },
    outcomes: fc.array(json, { minLength: 3, maxLength: 3 }).map((data): Outcome => ({ ok: true, data })),
  },
] as const;

/** Where no function is known to ask. */
const unknown = {
  fn: undefined,
  outcomes: fc.option(json, { nil: undefined }).map((data) => ({ ok: true, data }) as const),
};

/** The part of an outcome that a profile preserves. */
function remembered(outcome: Outcome, { loses }: Profile): Outcome {
  if (outcome.ok) return outcome;
  const forgotten = { code: 'UNKNOWN_ERROR', retry: false, details: undefined, retryAfter: undefined };
  const error: Record<string, unknown> = { ...outcome.error };
  for (const name of loses) error[name] = forgotten[name];
  return { ok: false, error: JSON.parse(JSON.stringify(error)) };
}

describe.each(profileNames)('%s', (name) => {
  const profile = profiles[name];

  it(proves('profile.round-trip', 'reads what it rendered, except for what it declares to lose'), () => {
    for (const { fn, outcomes } of [...kinds, unknown]) {
      fc.assert(
        fc.property(fc.oneof(outcomes, failure), (outcome) => {
          const rendered = JSON.stringify(profile.render(outcome, fn as never));
          expect(profile.read(JSON.parse(rendered), fn as never)).toEqual(remembered(outcome, profile));
          if (!fn) return;
          const text = profile.write?.(outcome, fn as never);
          if (text !== undefined) expect(text).toBe(rendered);
          expect(text !== undefined).toBe(name === 'mcp' && outcome.ok);
        }),
      );
    }
  });

  it(proves('profile.schema', 'keeps to its schemas, for every function of an app'), async () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const failures = ajv.compile(profile.failureSchema);
    for (const fn of app.functions) {
      const successes = ajv.compile(profile.successSchema(fn.returned));
      const input = { id: 'i-1', at: '2026-01-01T00:00:00Z', user: 'a', password: 'abc' };
      const { outcome, body } = await app.respond({ name: fn.name, input, caller: { wire: 'test' } }, profile);
      const fits = outcome.ok ? successes : failures;
      expect([fn.name, fits(JSON.parse(body)), fits.errors]).toEqual([fn.name, true, null]);
      // A success does not match the failure schema, nor the other way round; only an empty body may match both.
      const other = outcome.ok ? failures : successes;
      if (fn.returned.kind !== 'none' && (outcome.ok || name !== 'problem'))
        expect(other(JSON.parse(body))).toBe(false);
    }
  });

  it(proves('profile.schema', 'is a schema that refuses a wrong result'), () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false });
    const fits = ajv.compile(profile.successSchema(app.find('GetInstance')!.returned));
    expect(fits(profile.render({ ok: true, data: { id: 5 } }, app.find('GetInstance')))).toBe(false);
  });
});

it(proves('profile.round-trip', 'uses the given clock, and survives a broken one'), () => {
  const at = (clock: () => Date) =>
    (createProfiles(clock).envelope.render({ ok: true, data: 1 }) as { timestamp: string }).timestamp;
  expect(at(() => new Date(0))).toBe('1970-01-01T00:00:00.000Z');
  expect(at(() => new Date(NaN))).toMatch(/^\d{4}-\d\d-\d\dT/);
  expect(at(throwing(new Error('stopped')))).toMatch(/^\d{4}-\d\d-\d\dT/);
});

describe('negotiation', () => {
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
    const selector = (text: string) => text.replaceAll('"', '').split(/; ?q=/)[0];
    fc.assert(
      fc.property(
        fc.uniqueArray(range, { minLength: 1, maxLength: 5, selector }),
        fc.constantFrom(...profileNames),
        (ranges, own) => {
          const accept = ranges.join(', ');
          const names = [own, ...profileNames.filter((name) => name !== own)];
          const offers = names.map((name) => `application/json;profile=${name}`);
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
});
