import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { codes } from 'everywire';
import { failing } from './callbacks/app.ts';
import { callablePlaces } from './callbacks/scan.ts';
import { elsewhere, ours, places } from './callbacks/table.ts';
import type { Place, World } from './callbacks/table.ts';
import { PATH, SECRET, ways } from './callbacks/ways.ts';
import type { Way } from './callbacks/ways.ts';
import { proves } from './promises.ts';
import { report } from './reliability/figures.ts';
import { cgiProcessWire, cgiWire } from './wires/cgi.ts';
import { cliProcessWire, cliWire } from './wires/cli.ts';
import { httpWire, servedApp } from './wires/http.ts';
import { mcpWires } from './wires/mcp.ts';

type Errors = World['errors'];

let unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);
let written: string[] = [];

beforeAll(() => void process.on('unhandledRejection', onUnhandled));
afterAll(() => void process.off('unhandledRejection', onUnhandled));
beforeEach(() => {
  written = [];
  unhandled = [];
  vi.spyOn(console, 'error').mockImplementation((...args) => void written.push(args.map(String).join(' ')));
});
afterEach(() => void vi.restoreAllMocks());

async function check(
  { reach, answers, unlogged, unmasked }: Place,
  { title, kind, call, isTypical }: Way,
  errors: Errors,
) {
  const expected = [answers[kind]].flat();
  if (expected.length === 0) return;
  const records: string[] = [];
  const take = (message: string, fields?: object) => void records.push(`${message} ${JSON.stringify(fields)}`);
  const log = { debug: () => {}, info: () => {}, warn: () => {}, error: take };
  const seen = await reach(call, { errors, log, isTypical });
  expect(seen.length).toBeGreaterThan(0);
  checked += seen.length;
  for (const { wire, code, text } of seen) {
    const where = `${title}, errors ${errors}, ${wire}: ${text}`;
    expect(expected, where).toContain(code);
    expect(text, where).not.toContain(PATH);
    expect(text, where).not.toContain('because of');
    if (errors === 'masked' && !unmasked) expect(text, where).not.toContain(SECRET);
  }
  const isFailing = kind === 'throws' || kind === 'rejects';
  if (isFailing && !unlogged) expect([...records, ...written], title).not.toEqual([]);
}

let checked = 0;
afterAll(() =>
  report('callbacks', { places: places.length, 'ways to go wrong': ways.length, 'answers checked': checked }),
);

describe('code of others that goes wrong in every way is answered, masked and logged:', () => {
  for (const place of places)
    it(proves('failure.callbacks', place.id), async () => {
      const all = ways.flatMap((way) => [check(place, way, 'shown'), check(place, way, 'masked')]);
      const failed = (await Promise.allSettled(all)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      if (failed.length > 0) throw failed[0];
      // A rejection counts as unhandled once all that is ready has run.
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(unhandled).toEqual([]);
    });
});

describe('the same on wires:', () => {
  afterAll(async () => {
    for (const wire of mcpWires) await wire.close?.();
    await httpWire.close?.();
  });

  for (const wire of [...mcpWires, cliWire, cgiWire, cliProcessWire, cgiProcessWire])
    it(wire.name, { timeout: 60_000 }, async () => {
      const all = (['callbacks', 'callbacksMasked'] as const).flatMap((app) => failing.map((one) => ({ app, ...one })));
      // A process for each call takes its time, and what happens in it is the same.
      const isSlow = wire === cliProcessWire || wire === cgiProcessWire;
      const some = all.filter(
        ({ app, isTypical, name }) => isTypical && app !== 'callbacks' && /^(?:Run|Refine)\d/.test(name),
      );
      await Promise.all(
        (isSlow ? some : all).map(async ({ app, name, code }) => {
          const answered = await wire.call(app, name, { arguments: {} });
          const where = `${app} ${name}: ${answered.body}`;
          if ('exit' in answered) expect(answered.exit, where).toBe(code === 'OK' ? 0 : codes[code].exit);
          else expect(answered.code ?? 'OK', where).toBe(code);
          expect(answered.body, where).not.toContain(PATH);
          if (app === 'callbacksMasked') expect(answered.body, where).not.toContain(SECRET);
        }),
      );
    });

  it('and the servers have told of each, and of nothing unhandled', async () => {
    for (const app of ['callbacks', 'callbacksMasked'] as const) {
      const { stderr } = await servedApp(app);
      expect(stderr()).not.toContain('unhandled');
      const failures = failing.filter(({ code, name }) => code !== 'TIMEOUT' && !name.startsWith('Describe'));
      for (const { name } of failures) expect(stderr()).toContain(`"operationId":"functions.${name}"`);
    }
  });
});

it('every place where code of others is called is in the table', () => {
  const known = new Set([...places.map(({ id }) => id), ...Object.keys(elsewhere)]);
  const found = callablePlaces(new Set(Object.keys(ours)));
  expect(found.filter((place) => !known.has(place))).toEqual([]);
  // And the check itself sees something.
  for (const place of ['FunctionDefinition.run', 'Log.info', 'Clock', 'Changes.listen(listener)', 'wrapTool(fn)'])
    expect(found).toContain(place);
});
