import { createApp } from 'everywire';
import { checkResponse, Failure, failure, profiles, readResponse, success, wrapTool } from 'everywire/responses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createGuard } from '../../src/responses/guard.ts';
import { fn as define } from '../kit/functions.ts';
import { throwing } from '../kit/parts.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';

const clock = () => new Date(0);
const timestamp = '1970-01-01T00:00:00.000Z';
const text = (said: string) => [{ type: 'text', text: said }];
const repair = createGuard('repair', clock);
const about = { profile: profiles.envelope };

describe('a guard', () => {
  it(proves('response.guard', 'lets a right body pass as it is'), () => {
    const body = JSON.stringify({ success: true, timestamp, content: text('x') });
    for (const mode of ['enforce', 'repair', 'observe'] as const)
      expect(createGuard(mode)(body, about)).toEqual({ violations: [], did: 'passed' });
  });

  it(proves('response.guard', 'only looks, when it observes'), () => {
    const verdict = createGuard('observe')('{"success":true}', about);
    expect(verdict).toMatchObject({ did: 'passed' });
    expect(verdict.body).toBe(undefined);
    expect(verdict.violations.map(({ rule }) => rule)).toEqual(['envelope.timestamp', 'envelope.content']);
  });

  it(proves('response.guard', 'replaces a wrong body, when it enforces'), () => {
    const verdict = createGuard('enforce', clock)('{"success":true}', about);
    expect(verdict.did).toBe('replaced');
    const body: unknown = JSON.parse(verdict.body ?? '');
    expect(checkResponse(body)).toEqual([]);
    expect(body).toMatchObject({ success: false, error: { code: 'INVALID_RESPONSE_FORMAT' } });
  });

  const GOOD = { success: true, timestamp };
  const BAD = { success: false, timestamp, content: text('Error: m') };
  const E = { code: 'E', message: 'm' };
  const UNKNOWN = { ...E, code: 'UNKNOWN_ERROR' };
  it.each<[title: string, before: object, after: object]>([
    ['a timestamp', { success: true, content: text('x') }, { ...GOOD, content: text('x') }],
    ['content', { success: true, data: { a: 1 } }, { ...GOOD, content: text('a: 1'), data: { a: 1 } }],
    ['a message', { success: true, message: 'Started' }, { ...GOOD, content: text('Started'), message: 'Started' }],
    ['an empty content', { ...GOOD, content: [] }, { ...GOOD, content: text('Done.') }],
    ['a type', { success: true, content: [{ text: 'x' }] }, { ...GOOD, content: text('x') }],
    [
      'a type for a picture',
      { success: true, content: [{ url: 'u', altText: 'a' }] },
      { ...GOOD, content: [{ type: 'image', url: 'u', altText: 'a' }] },
    ],
    ['success, from data', { data: 1 }, { ...GOOD, content: text('1'), data: 1 }],
    ['success, from an error', { error: E }, { ...BAD, error: E }],
    ['an error, from a string', { success: false, error: 'm' }, { ...BAD, error: UNKNOWN }],
    ['an error, from the content', { success: false, content: text('Error: m') }, { ...BAD, error: UNKNOWN }],
    ['a null error away', { success: true, content: text('x'), error: null }, { ...GOOD, content: text('x') }],
    [
      'data beside an error, to its details',
      { success: false, data: { id: 1 }, error: E },
      { ...BAD, error: { ...E, details: { id: 1 } } },
    ],
  ])(proves('response.guard', 'repairs %s'), (_title, before, after) => {
    const verdict = repair(JSON.stringify(before), about);
    expect(verdict.did).toBe('repaired');
    expect(JSON.parse(verdict.body ?? '')).toEqual(after);
  });

  it(proves('response.guard', 'replaces what cannot be repaired'), () => {
    const replaced = { did: 'replaced', failure: { error: { code: 'INVALID_RESPONSE_FORMAT' } } };
    const both = '{"success":true,"error":{"code":"E","message":"m"},"content":[]}';
    for (const body of ['[]', 'not JSON', both, '{"n":1}']) expect(repair(body, about)).toMatchObject(replaced);
  });

  it(proves('response.guard', "repairs a tool's result and a status"), () => {
    const result = repair('{"content":[{"text":"hi"}],"structuredContent":{"a":1}}', { profile: profiles.mcp });
    const expected = { content: [...text('{"a":1}'), ...text('hi')], structuredContent: { a: 1 }, isError: false };
    expect(JSON.parse(result.body ?? '')).toEqual(expected);
    const status = repair('{"error":{"code":"E","message":"m"}}', { profile: profiles.status });
    expect(JSON.parse(status.body ?? '')).toEqual({ status: 'ERROR', error: { code: 'E', message: 'm' } });
    expect(repair('{"data":1}', { profile: profiles.status }).body).toBe('{"status":"SUCCESS","data":1}');
  });

  it(proves('response.guard', 'sends only what keeps the rules, whatever the body'), () => {
    const names = ['content', 'data', 'error', 'status', 'structuredContent'];
    const fields = Object.fromEntries(names.map((name) => [name, fc.jsonValue()]));
    const flags = { success: fc.boolean(), isError: fc.boolean() };
    const flagged = fc.record({ ...flags, ...fields }, { requiredKeys: [] });
    fc.assert(
      fc.property(
        fc.oneof(flagged, fc.jsonValue()),
        fc.constantFrom('enforce', 'repair'),
        fc.constantFrom(...Object.values(profiles)),
        (body, mode, profile) => {
          const sent = JSON.stringify(body);
          const verdict = createGuard(mode)(sent, { profile });
          expect(checkResponse(JSON.parse(verdict.body ?? sent), { profile: profile.name })).toEqual([]);
        },
      ),
      { numRuns: size(150, 1000) },
    );
  });
});

it(proves('response.guard', 'looks inside of JSON-RPC, and leaves its other answers alone'), () => {
  const mcp = { profile: profiles.mcp };
  const rpc = (result: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, result });
  expect(repair(rpc({ tools: [] }), mcp).did).toBe('passed');
  expect(JSON.parse(repair(rpc({ structuredContent: { a: 1 } }), mcp).body ?? '')).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { content: text('{"a":1}'), structuredContent: { a: 1 }, isError: false },
  });
  const replaced: unknown = JSON.parse(createGuard('enforce')(rpc({ structuredContent: 5 }), mcp).body ?? '');
  expect(replaced).toMatchObject({ jsonrpc: '2.0', id: 1, result: { isError: true } });
});

it(proves('response.guard', 'never makes a success of what says it failed, nor of what says nothing'), () => {
  const mcp = { profile: profiles.mcp };
  const expected = { content: text('Error: it broke'), isError: true };
  expect(JSON.parse(repair('{"error":"it broke"}', mcp).body ?? '')).toEqual(expected);
  expect(repair('{"a":1}', mcp).did).toBe('replaced');
  const partly = repair('{"success":false,"error":"oops","content":"hello"}', about);
  expect(JSON.parse(partly.body ?? '')).toMatchObject({
    content: [...text('Error: oops'), ...text('hello')],
    error: { message: 'oops' },
  });
});

it(proves('response.guard', 'stands before the wires of an app, and what it finds is in the record'), async () => {
  // The library's parser is trusted; it does not check annotations that an author adds with meta().
  const small = z.object({ n: z.int().meta({ maximum: 5 }) }).describe('n');
  const records: unknown[] = [];
  const app = createApp({
    name: 'Said',
    version: '1',
    check: 'enforce',
    audit: { to: ({ violations, code }) => records.push([...violations.map(({ rule }) => rule), code]) },
    functions: [define('F', { output: small }, () => ({ n: 6 }))],
  });
  const response = await app.fetch(new Request('http://localhost/functions/F', { method: 'POST' }));
  expect([response.status, response.headers.get('everywire-error-code')]).toEqual([500, 'INVALID_RESPONSE_FORMAT']);
  expect(await response.text()).toContain('Invalid response format: /result/n');
  expect(records).toEqual([['plain.result-schema', 'INVALID_RESPONSE_FORMAT']]);
});

const quiet = { clock, onError: () => {} };
const failed = (code: string, message?: string) => ({
  ok: false,
  error: { code, ...(message !== undefined && { message }) },
});

const error = { code: 'E', message: 'no' };
const circle: unknown[] = [];
circle.push(circle);

/** What a tool returned, and the expected outcome: the data, or the code and message. */
const returned: readonly (readonly [title: string, fn: () => unknown, outcome: object])[] = [
  ['data', () => ({ n: 1 }), success({ n: 1 })],
  ['a number', () => 5, success(5)],
  ['a promise', async () => [1], success([1])],
  ['nothing', () => {}, success(undefined)],
  ['a success', () => success({ n: 1 }), success({ n: 1 })],
  ['a failure', () => failure('GONE', 'No more'), failed('GONE', 'No more')],
  ['a Failure', () => new Failure('GONE', 'No more'), failed('GONE', 'No more')],
  ['a thrown Failure', throwing(new Failure('GONE', 'No')), failed('GONE', 'No')],
  ['a thrown error', throwing(new Error('boom')), failed('INTERNAL_ERROR', 'boom')],
  ['a thrown text', throwing('boom'), failed('INTERNAL_ERROR', 'boom')],
  ['a rejection', async () => throwing(null)(), failed('INTERNAL_ERROR')],
  [
    'a whole envelope',
    () => ({ success: true, timestamp: '2026-01-01T00:00:00Z', content: text('One'), data: { n: 1 } }),
    success({ n: 1 }),
  ],
  ['a success with an error', () => ({ success: true, error }), failed('E', 'no')],
  ['a result', () => ({ content: text('{"n":1}'), structuredContent: { n: 1 }, isError: false }), success({ n: 1 })],
  ['a failed tool result', () => ({ content: text('no'), isError: true }), { ok: false, error: { message: 'no' } }],
  ['data that has content', () => ({ title: 'x', content: ['a'] }), success({ title: 'x', content: ['a'] })],
  ['what JSON cannot carry', () => ({ n: NaN }), failed('INVALID_OUTPUT')],
  ['an Error', () => new Error('returned'), failed('INTERNAL_ERROR', 'returned')],
  ['undefined in a list', () => [undefined], failed('INVALID_OUTPUT')],
  ['a circle', () => circle, failed('INVALID_OUTPUT')],
  ['ok: false with a code of its own', () => failed('not-found', 'm'), failed('NOT_FOUND')],
  ['a list called content', () => ({ content: [{ id: 1 }] }), success({ content: [{ id: 1 }] })],
  ['a time of another form', () => ({ success: true, timestamp: 'noon', content: text('x'), data: 1 }), success(1)],
  ['bare JSON for text', () => ({ success: true, content: text('{"a":1}'), data: { a: 1 } }), success({ a: 1 })],
  ['an error in other words', () => ({ success: false, content: text('Sorry'), error }), failed('E', 'no')],
  [
    'a picture that is none',
    () => ({ success: true, content: [{ type: 'image', url: 'data:image/png;base64,@@', altText: 'x' }] }),
    {},
  ],
  ['a wrong link', () => ({ content: [{ type: 'resource_link', uri: 'a:b', name: 'n', description: 5 }] }), {}],
  ['an item of a type of its own', () => ({ success: true, content: [{ type: 'chart' }] }), {}],
  ['an unknown block', () => ({ content: [{ type: 'odd' }] }), failed('INVALID_RESPONSE_FORMAT')],
  ['a bad item', () => ({ success: true, content: [{ type: 'image' }] }), failed('INVALID_RESPONSE_FORMAT')],
  ['a hostile object', () => new Proxy({}, { ownKeys: throwing('no') }), failed('INVALID_OUTPUT')],
];

describe.each(['envelope', 'mcp'] as const)('a wrapped tool, as %s', (profile) => {
  it.each(returned)(proves('response.wrap', 'that gives %s'), async (_title, fn, outcome) => {
    const response = await wrapTool(fn, { ...quiet, profile })();
    expect(checkResponse(response, { profile })).toEqual([]);
    expect(JSON.parse(JSON.stringify(response))).toEqual(response);
    // structuredContent must be an object, so no data becomes {}, which is read as no data.
    expect(readResponse(response)).toMatchObject(outcome);
  });

  it(proves('response.wrap', 'that gives anything at all'), async () => {
    const anything = fc.anything({ withBigInt: true, withMap: true, withDate: true, withNullPrototype: true });
    const names = ['content', 'data', 'error', 'isError', 'status'];
    const fields = Object.fromEntries(names.map((name) => [name, anything]));
    const flagged = fc.record({ success: fc.boolean(), ...fields }, { requiredKeys: [] });
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, flagged), fc.boolean(), async (value, throws) => {
        const fn = throws ? throwing(value) : () => value;
        expect(checkResponse(await wrapTool(fn, { ...quiet, profile })(), { profile })).toEqual([]);
      }),
      { numRuns: size(150, 1000) },
    );
  });
});

it(proves('response.wrap', 'keeps what a tool said already'), async () => {
  const whole = { success: true, timestamp: '2026-01-01T00:00:00Z', content: text('One'), data: { n: 1 }, trace: 'x' };
  expect(await wrapTool(() => whole, quiet)()).toEqual(whole);
  const result = { content: text('{"n":1}'), structuredContent: { n: 1 }, isError: false, _meta: { a: 1 } };
  expect(await wrapTool(() => result, { ...quiet, profile: 'mcp' })()).toEqual(result);
  const picture = { type: 'image', data: 'AQID', mimeType: 'image/png' };
  const shown = await wrapTool(() => ({ content: [...result.content, picture], structuredContent: { n: 1 } }), quiet)();
  expect(shown.content).toEqual([
    { type: 'text', text: 'n: 1' },
    { type: 'image', url: 'data:image/png;base64,AQID', altText: 'Image' },
  ]);
});

it(proves('response.wrap', 'passes arguments on, {} for none, and uses the given text for the data'), async () => {
  const add = wrapTool(({ x = 0, y = 0 }: { x?: number; y?: number }, unit: string) => `${x + y} ${unit}`, {
    clock,
    describe: (data: string) => `It is ${data}`,
  });
  expect(await add({ x: 1, y: 2 }, 'apples')).toEqual({
    success: true,
    timestamp: '1970-01-01T00:00:00.000Z',
    content: text('It is 3 apples'),
    data: '3 apples',
  });
  expect((await add(undefined as never, 'apples')).content).toEqual(text('It is 0 apples'));
});

it(proves('response.wrap', 'reports what was thrown and unexpected, and survives a broken reporter'), async () => {
  const told: unknown[] = [];
  const onError = (thrown: unknown) => {
    told.push(thrown);
    throw new Error('the logger is broken too');
  };
  await wrapTool(throwing(new Failure('GONE', 'expected')), { onError })();
  expect(await wrapTool(throwing('unexpected'), { onError })()).toMatchObject({ success: false });
  expect(told).toEqual(['unexpected']);
});
