import type { App, RegisteredFunction } from 'everywire';
import { loadApp } from 'everywire/node';
import { expect, it } from 'vitest';
import { generateArguments } from '../../src/proof/generate-arguments.ts';
import { openWires } from '../../src/proof/parity-wires.ts';
import { compareWires } from '../../src/proof/parity.ts';
import { pick, seeded } from '../../src/proof/random.ts';
import { isRecord } from '../../src/schema/json-schema.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { serveAs, toPairs } from '../wires/url-encoded.ts';
import { report } from './figures.ts';

const CALLS = size(300, 5000);
const QUERIES = size(400, 2000);
const SEED = Number(process.env['PARITY_SEED'] ?? 20260728);

/** The seed also determines the registry. `npm run parity` makes more calls, with other seeds. */
it(proves('body.same-bytes', 'generated functions, generated arguments'), { timeout: 300_000 }, async () => {
  const module = 'test/apps/parity.ts';
  const app = await loadApp(module);
  const wires = await openWires({
    app: app as never,
    command: [process.execPath, 'dist/bin/everywire.js'],
    module,
    flags: [],
    environment: {},
  });
  try {
    const found = await compareWires({
      functions: app.functions as never,
      wires,
      calls: CALLS,
      seed: SEED,
      costlyCalls: size(2, 8), // each is a process
    });
    const { calls, answers, kinds, successes, differences } = found;
    const counts = { calls, wires: wires.length, answers, successes, ...kinds, differences: differences.length };
    report('parity', { ...counts, seed: String(SEED) });
    expect(differences, `seed ${SEED}`).toEqual([]);
    expect(found.unsteady).toEqual([]);
    expect(calls).toBe(CALLS);
    // Otherwise only failures would have been compared.
    expect(successes).toBeGreaterThan(CALLS / 5);
    expect(calls - successes).toBeGreaterThan(CALLS / 5);
  } finally {
    await Promise.all(wires.map((wire) => wire.close()));
  }
});

/** With all numbers and booleans as strings: JSON then says no more than a query can. No list has exactly one item. */
function asStrings(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return JSON.stringify(value);
  if (Array.isArray(value)) return (isOneString(value) ? [value[0], value[0]] : value).map(asStrings);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asStrings(inner)]));
}

const isOneString = (list: readonly unknown[]) => list.length === 1 && typeof list[0] !== 'object';

/** A parameter that can be in a path, if the function has one. */
function scalarOf({ inputSchema: { properties = {}, required = [] } }: RegisteredFunction): string | undefined {
  const isScalar = (name: string) =>
    ['string', 'integer', 'number', 'boolean'].includes(String(properties[name]?.type));
  return required.find((name) => isScalar(name) && /^\w+$/.test(name));
}

const pathOf = (fn: RegisteredFunction) => {
  const name = scalarOf(fn);
  return name === undefined ? {} : { path: `/own/${fn.name}/{${name}}` };
};

type Reply = readonly [status: number, code: string | null, body: string];

async function read(response: Response): Promise<Reply> {
  return [response.status, response.headers.get('everywire-error-code'), await response.text()];
}

const send = (type: string, body: string) => ({ method: 'POST', headers: { 'content-type': type }, body });
const FORM = 'application/x-www-form-urlencoded';

it(proves('body.same-bytes', 'as JSON, in a query, a form and a path'), { timeout: 60_000 }, async () => {
  const apps = [await loadApp('test/apps/parity.ts'), await loadApp('test/apps/queries.ts')] as readonly App[];
  const random = seeded(SEED);
  const served = apps.map((app) => ({
    app,
    get: serveAs(app, (fn) => ({ method: 'GET', ...pathOf(fn) })),
    post: serveAs(app, (fn) => ({ method: 'POST', ...pathOf(fn) })),
  }));
  const figures = { calls: 0, successes: 0, 'answers in a path': 0, 'only in a query': 0 };
  const differences: string[] = [];

  while (figures.calls < QUERIES) {
    const { app, get, post } = pick(random, served);
    const fn = pick(random, app.functions);
    const name = scalarOf(fn);
    const generated = asStrings(generateArguments(random, fn.inputSchema as never).value);
    // What is in a path comes first.
    const isFirst = name !== undefined && isRecord(generated) && Object.hasOwn(generated, name);
    const input = (isFirst ? { [name]: generated[name], ...generated } : generated) as Record<string, unknown>;
    const pairs = toPairs(input);
    // A string with a list in it is an item of a list in a query, and the list in JSON.
    const isUsable = pairs?.flat().every((text) => text.isWellFormed() && !text.startsWith('['));
    // Without coercion, only a query and a form are repaired.
    if (!pairs || !isUsable || fn.definition.coerce === false || fn.name === 'Dotted' || 'profile' in input) continue;
    figures.calls++;
    const path = `http://localhost/functions/${fn.name}`;
    const query = new URLSearchParams(pairs).toString();
    const expected = await read(await post.handle(new Request(path, send('application/json', JSON.stringify(input)))));
    if (expected[0] === 200) figures.successes++;
    const others: Record<string, Request> = {
      query: new Request(`${path}?${query}`),
      form: new Request(path, send(FORM, query)),
    };
    const value = name === undefined ? undefined : input[name];
    if (typeof value === 'string' && !/^\.{0,2}$/.test(value)) {
      figures['answers in a path'] += 3;
      const own = `http://localhost/own/${fn.name}/${encodeURIComponent(value)}`;
      const { [name!]: _, ...rest } = input;
      const left = new URLSearchParams(toPairs(rest)).toString();
      others['path and query'] = new Request(`${own}?${left}`);
      others['path and form'] = new Request(own, send(FORM, left));
      others['path and JSON'] = new Request(own, send('application/json', JSON.stringify(rest)));
    }
    for (const [where, request] of Object.entries(others)) {
      const answer = await read(await (request.method === 'GET' ? get : post).handle(request));
      // A name given twice where no list is expected, or once where one is: JSON has no such thing.
      const isTwice = expected[0] === 400 && answer[0] === 400 && /given \d+ times/.test(answer[2]);
      if (isTwice || /expected array(?: or null)?, got \\"/.test(expected[2])) figures['only in a query']++;
      else if (JSON.stringify(answer) !== JSON.stringify(expected)) {
        differences.push(
          `${fn.name} in ${where}: ${JSON.stringify(input)}\n  ${answer.join(' ')}\n  ${expected.join(' ')}`,
        );
      }
    }
  }
  report('query-parity', { ...figures, differences: differences.length, seed: String(SEED) });
  expect(differences.slice(0, 5), `seed ${SEED}`).toEqual([]);
  expect(figures.successes).toBeGreaterThan(QUERIES / 5);
  expect(figures.calls - figures.successes).toBeGreaterThan(QUERIES / 5);
  expect(figures['answers in a path']).toBeGreaterThan(QUERIES / 5);
  expect(figures['only in a query']).toBeLessThan(QUERIES / 10);
});
