import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { codes } from 'everywire';
import { failing } from './callbacks/app.ts';
import { callablePlaces } from './callbacks/scan.ts';
import { elsewhere, ours, places, type Place, type World } from './callbacks/table.ts';
import { PATH, SECRET, ways, type Way } from './callbacks/ways.ts';
import { modules, type AppName, type Wire } from './every-wire.ts';
import { expectErrors } from './kit/errors.ts';
import { startServing } from './kit/served.ts';
import { proves } from './promises.ts';
import { report } from './reliability/figures.ts';
import { cgiWire } from './wires/cgi.ts';
import { cliWire } from './wires/cli.ts';
import { httpWire, httpWireOf } from './wires/http.ts';
import { mcpWires } from './wires/mcp.ts';

type Errors = World['errors'];

const isFull = process.env['EVERYWIRE_FULL'] === '1';

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
      // Those that differ in little take turns.
      const all = ways.flatMap((way, i) => {
        const modes = (['shown', 'masked'] as const).filter((_, mode) => way.isTypical || isFull || i % 2 === mode);
        return modes.map((errors) => check(place, way, errors));
      });
      const failed = (await Promise.allSettled(all)).flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      if (failed.length > 0) throw failed[0];
      // A rejection counts as unhandled once all that is ready has run.
      await new Promise((resolve) => setTimeout(resolve, 5));
      expect(unhandled).toEqual([]);
    });
});

describe('the same on other wires:', () => {
  const checkCall = async (wire: Wire, app: AppName, { name, code }: (typeof failing)[number]) => {
    const answered = await wire.call(app, name, { arguments: {} });
    const where = `${wire.name} ${app} ${name}: ${answered.body}`;
    if ('exit' in answered) expect(answered.exit, where).toBe(code === 'OK' ? 0 : codes[code].exit);
    else expect(answered.code ?? 'OK', where).toBe(code);
    expect(answered.body, where).not.toContain(PATH);
    if (app === 'callbacksMasked') expect(answered.body, where).not.toContain(SECRET);
  };
  const typical = failing.filter(({ isTypical, name }) => isTypical && /^(?:Run|Refine)\d/.test(name));

  it.each([...mcpWires, cliWire, cgiWire])('$name', async (wire) => {
    await Promise.all(typical.map((one) => checkCall(wire, 'callbacksMasked', one)));
    await wire.close?.();
    if (wire === mcpWires.at(-1)) await httpWire.close?.();
  });

  it('a process that serves, which logs each of them, and nothing unhandled', async () => {
    expectErrors(/"operationId":"functions\.(?:Run|Describe|Refine|Transform|RefineResult)\d+"/);
    // Its own, for what it prints.
    const served = await startServing(modules.callbacksMasked);
    const wire = httpWireOf(async () => served);
    await Promise.all(failing.map((one) => checkCall(wire, 'callbacksMasked', one)));
    await wire.close?.();
    expect(served.stderr()).not.toContain('unhandled');
    const logged = failing.filter(({ code, name }) => code !== 'TIMEOUT' && !name.startsWith('Describe'));
    for (const { name } of logged) expect(served.stderr()).toContain(`"operationId":"functions.${name}"`);
  });
});

it('every place where code of others is called is in the table', () => {
  const known = new Set([...places.map(({ id }) => id), ...Object.keys(elsewhere)]);
  const found = callablePlaces(new Set(Object.values(ours).join(' ').split(' ')));
  expect(found.filter((place) => !known.has(place))).toEqual([]);
  // And the check itself sees something.
  for (const place of ['FunctionDefinition.run', 'Log.info', 'Clock', 'Changes.listen(listener)', 'wrapTool(fn)'])
    expect(found).toContain(place);
});
