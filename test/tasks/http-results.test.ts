import { createApp, type App } from 'everywire';
import { profileNames } from 'everywire/responses';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import tasks from '../apps/http-tasks.ts';
import { expectErrors } from '../kit/errors.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { ASYNC, serveTasks, type Client } from './http-client.ts';
import { silent } from '../kit/parts.ts';

/** What cannot be the same, or is said of the connection; and that a result must not be stored, since it is a GET. */
const ITS_OWN = new Set(['date', 'connection', 'keep-alive', 'cache-control']);

async function everythingIn(response: Response): Promise<object> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !ITS_OWN.has(name)));
  return { status: response.status, headers, body: Buffer.from(await response.arrayBuffer()).toString('latin1') };
}

async function compare(client: Client, fn: string, input: unknown, headers: Record<string, string>, query = '') {
  const now = await everythingIn(await client.post(`/functions/${fn}${query}`, input, headers));
  const id = await client.start(fn, input, headers.accept ? { accept: '*/*' } : {});
  await client.settled(id);
  const later = await client.get(`/tasks/${id}/result${query}`, headers);
  expect(later.headers.get('cache-control')).toBe('no-store');
  expect(await everythingIn(later)).toEqual(now);
}

const call = fc.oneof(
  fc.record({
    fn: fc.constant('Echo'),
    input: fc.record({
      value: fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
      fails: fc.constantFrom('no', 'no', 'no', 'declared', 'known'),
    }),
  }),
  fc.record({
    fn: fc.constant('Several'),
    input: fc.record({ x: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
  }),
  fc.record({ fn: fc.constant('Nothing'), input: fc.constant({}) }),
  fc.record({ fn: fc.constant('Download'), input: fc.record({ text: fc.string({ unit: 'grapheme' }) }) }),
);
const accept = fc.constantFrom(
  undefined,
  '*/*',
  'application/json',
  'application/problem+json',
  'text/csv',
  ...profileNames.map((name) => `application/json; profile=${name}`),
);

describe('the result of a task', () => {
  let client: Client;
  let guarded: Client;
  beforeAll(async () => {
    client = await serveTasks(tasks as never);
    const app = createApp({
      name: 'Guarded',
      version: '1.0.0',
      functions: tasks.functions.map(({ definition }) => definition),
      profile: 'envelope',
      check: 'enforce',
      clock: () => new Date(0),
      log: silent,
    });
    guarded = await serveTasks(app as never as App);
  });
  afterAll(() => Promise.all([client.stop(), guarded.stop()]));

  it(proves('http.task-result', 'is the synchronous answer, for generated calls in generated profiles'), async () => {
    await fc.assert(
      fc.asyncProperty(call, accept, fc.boolean(), async ({ fn, input }, given, isGuarded) => {
        await compare(isGuarded ? guarded : client, fn, input, given === undefined ? {} : { accept: given });
      }),
      { numRuns: size(60, 1000), endOnFailure: true },
    );
  });

  it(proves('http.task-result', 'is in the profile of the query, too'), async () => {
    for (const name of profileNames)
      await compare(client, 'Echo', { value: [1], fails: 'declared' }, {}, `?profile=${name}`);
    await compare(client, 'Download', { text: 'a' }, {}, '?profile=mcp');
  });

  it(proves('http.task-result', 'of an unexpected error is the same, too'), async () => {
    expectErrors(/"message":"unexpected"/);
    await compare(client, 'Echo', { value: 1, fails: 'thrown' }, {});
  });

  it(proves('http.task-result', 'that nobody accepts is 406'), async () => {
    const id = await client.start('Several', { x: 1 });
    await client.settled(id);
    expect((await client.get(`/tasks/${id}/result`, { accept: 'text/html' })).status).toBe(406);
    const refused = await client.post('/functions/Several', { x: 1 }, { ...ASYNC, accept: 'text/html' });
    expect(refused.status).toBe(406);
  });

  it(proves('http.task-result', 'is in the task itself, in the profile of the app'), async () => {
    const id = await guarded.start('Echo', { value: 1 });
    const now = (await (await guarded.post('/functions/Echo', { value: 1 })).json()) as object;
    expect((await guarded.settled(id)).result).toEqual(now);
  });
});
