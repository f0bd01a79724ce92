import { Failure, checkResponse, readResponse, success, failure, wrapTool } from 'everywire/responses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { throwing } from '../kit/parts.ts';
import { size } from '../kit/sizes.ts';

const clock = () => new Date(0);
const quiet = { clock, onError: () => {} };
const text = (said: string) => [{ type: 'text', text: said }];
const failed = (code: string, message?: string) => ({
  ok: false,
  error: { code, ...(message !== undefined && { message }) },
});

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
  ['SUCCESS', () => ({ status: 'SUCCESS', data: 3 }), success(3)],
  ['ERROR', () => ({ status: 'ERROR', error: { code: 'E', message: 'm' } }), failed('E')],
  [
    'a whole envelope',
    () => ({ success: true, timestamp: '2026-01-01T00:00:00Z', content: text('One'), data: { n: 1 } }),
    success({ n: 1 }),
  ],
  ['half an envelope', () => ({ success: true, data: { n: 1 } }), success({ n: 1 })],
  ['half an error', () => ({ success: false, message: 'no' }), { ok: false, error: { message: 'no' } }],
  ['an error that is a string', () => ({ success: false, error: 'no' }), { ok: false, error: { message: 'no' } }],
  ['an error without anything', () => ({ success: false }), failed('UNKNOWN_ERROR')],
  ['a success with an error', () => ({ success: true, error: { code: 'E', message: 'both' } }), failed('E', 'both')],
  [
    'a tool result',
    () => ({ content: text('{"n":1}'), structuredContent: { n: 1 }, isError: false }),
    success({ n: 1 }),
  ],
  ['a tool result of text', () => ({ content: text('hi') }), success('hi')],
  ['structure without its text', () => ({ content: [], structuredContent: { n: 1 } }), success({ n: 1 })],
  ['a failed tool result', () => ({ content: text('no'), isError: true }), { ok: false, error: { message: 'no' } }],
  ['data that has content', () => ({ title: 'x', content: ['a'] }), success({ title: 'x', content: ['a'] })],
  ['data with a status', () => ({ status: 'ok', n: 1 }), success({ status: 'ok', n: 1 })],
  ['what JSON cannot carry', () => ({ n: NaN }), failed('INVALID_OUTPUT')],
  ['an Error', () => new Error('returned'), failed('INTERNAL_ERROR', 'returned')],
  ['undefined in a list', () => [undefined], failed('INVALID_OUTPUT')],
  ['a circle', () => circle, failed('INVALID_OUTPUT')],
  ['an error and nothing else', () => ({ error: 'Not found' }), { ok: false, error: { message: 'Not found' } }],
  ['ok: false with a code of its own', () => failed('not-found', 'm'), failed('NOT_FOUND')],
  ['isError without content', () => ({ isError: true, message: 'boom' }), { ok: false, error: { message: 'boom' } }],
  ['isError with structure', () => ({ isError: true, structuredContent: { id: 1 } }), { ok: false }],
  ['data beside the flag', () => ({ success: true, id: 5 }), success({ id: 5 })],
  ['a list called content', () => ({ content: [{ id: 1 }] }), success({ content: [{ id: 1 }] })],
  ['no error, said in other ways', () => ({ success: true, error: '', data: 1 }), success(1)],
  [
    'a time of another form',
    () => ({ success: true, timestamp: '2026-01-01 00:00:00', content: text('x'), data: 1 }),
    success(1),
  ],
  ['bare JSON for text', () => ({ success: true, content: text('{"a":1}'), data: { a: 1 } }), success({ a: 1 })],
  [
    'an error in other words',
    () => ({ success: false, content: text('Sorry'), error: { code: 'E', message: 'no' } }),
    failed('E', 'no'),
  ],
  [
    'a picture that is none',
    () => ({ success: true, content: [{ type: 'image', url: 'data:image/png;base64,@@', altText: 'x' }] }),
    {},
  ],
  [
    'a link with a number for words',
    () => ({ content: [{ type: 'resource_link', uri: 'a:b', name: 'n', description: 5 }] }),
    {},
  ],
  ['an item of a type of its own', () => ({ success: true, content: [{ type: 'chart' }] }), {}],
  ['an unknown block', () => ({ content: [{ type: 'odd' }] }), failed('INVALID_RESPONSE_FORMAT')],
  [
    'a bad item',
    () => ({ success: true, content: [{ type: 'image' }] }),
    { error: { code: 'INVALID_RESPONSE_FORMAT' } },
  ],
  ['a hostile object', () => new Proxy({}, { ownKeys: throwing('no') }), failed('INVALID_OUTPUT')],
];

describe.each(['envelope', 'mcp'] as const)('a wrapped tool, as %s', (profile) => {
  for (const [title, fn, outcome] of returned) {
    it(proves('response.wrap', `that gives ${title}`), async () => {
      const response = await wrapTool(fn, { ...quiet, profile })();
      expect(checkResponse(response, { profile })).toEqual([]);
      expect(JSON.parse(JSON.stringify(response))).toEqual(response);
      const read = readResponse(response);
      // structuredContent must be an object, so no data becomes {}, which is read as no data.
      expect(read).toMatchObject(outcome);
    });
  }

  it(proves('response.wrap', 'that gives anything at all'), async () => {
    const anything = fc.anything({ withBigInt: true, withMap: true, withDate: true, withNullPrototype: true });
    const flagged = fc.record(
      {
        success: fc.boolean(),
        content: anything,
        data: anything,
        error: anything,
        isError: anything,
        status: anything,
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, flagged), fc.boolean(), async (value, throws) => {
        const fn = () => {
          if (throws) throw value;
          return value;
        };
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
