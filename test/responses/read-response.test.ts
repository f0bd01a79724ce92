import { createErrorResponse, createSuccessResponse, createToolError, createToolResult } from 'everywire/responses';
import { failure, isOutcome, profiles, readResponse, success, toStatus } from 'everywire/responses';
import type { Outcome } from 'everywire/responses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { throwing } from '../kit/parts.ts';

const text = (...texts: string[]) => texts.map((said) => ({ type: 'text', text: said }));
const picture = { type: 'image', data: 'AQID', mimeType: 'image/png' };
const failed = (code: string, message: string, rest: object = {}) => ({
  ok: false,
  error: { code, message, retry: false, ...rest },
});
const rpcError = (code: number, message: string, data?: unknown) => ({
  jsonrpc: '2.0',
  id: 1,
  error: { code, message, ...(data !== undefined && { data }) },
});
const weather = { temperature: 5, conditions: 'Cloudy' };

/** Responses of servers of all kinds, and how they are read. */
const responses: Readonly<Record<string, readonly (readonly [response: unknown, outcome: object])[]>> = {
  'our own profiles': [
    [{ result: 30 }, success(30)],
    [{ result0: 3, result1: 2 }, success([3, 2])],
    [{}, success(undefined)],
    [{ error: 'Cannot divide by zero' }, failed('UNKNOWN_ERROR', 'Cannot divide by zero')],
    [createSuccessResponse(weather), success(weather)],
    [createErrorResponse('gone', 'GONE', { id: 1 }), failed('GONE', 'gone', { details: { id: 1 } })],
    [toStatus(success([1])), success([1])],
    [toStatus(failure('RATE_LIMITED', 'slow', { retryAfter: 3 })), failure('RATE_LIMITED', 'slow', { retryAfter: 3 })],
    [profiles.problem.render(failure('GONE', 'no more')), failure('GONE', 'no more')],
    [createToolResult(weather, { text: 'Cloudy' }), success(weather)],
    [createToolError('gone', 'GONE', { id: 1 }), failed('GONE', 'gone', { details: { id: 1 } })],
    [success(1), success(1)],
    [failure('GONE', 'no more'), failure('GONE', 'no more')],
  ],
  'MCP of every revision': [
    [{ toolResult: { n: 1 } }, success({ n: 1 })], // 2024-10-07
    [{ content: text('Cloudy, 5°C') }, success('Cloudy, 5°C')], // 2024-11-05: text, and isError only on failures
    [{ content: text('Not found'), isError: true }, failed('UNKNOWN_ERROR', 'Not found')],
    [{ content: text('Error: Not found'), isError: true }, failed('UNKNOWN_ERROR', 'Not found')],
    [{ content: text('{"temperature":5}') }, success({ temperature: 5 })],
    [{ content: text('5') }, success('5')],
    [{ content: text('one', 'two') }, success('one\ntwo')],
    [{ content: [picture] }, success([picture])],
    [{ content: [] }, success(undefined)],
    [{ content: text('other'), structuredContent: weather, isError: false }, success(weather)], // 2025-06-18
    [{ content: [], structuredContent: { result: 5 } }, success(5)], // as FastMCP wraps what is no object
    [{ content: text('no'), structuredContent: weather, isError: true }, failed('UNKNOWN_ERROR', 'no')],
    [{ content: [], isError: true }, failed('UNKNOWN_ERROR', 'Unknown error')],
    [{ content: [], structuredContent: { error: 'no' }, isError: true }, failed('UNKNOWN_ERROR', 'no')],
    [
      { content: [], structuredContent: { status: 'ERROR', error: { code: 'LOST', message: 'no' } }, isError: true },
      failed('LOST', 'no'),
    ],
    [{ content: text('[1]'), structuredContent: [1], resultType: 'complete' }, success([1])], // 2026-07-28
    [
      { resultType: 'input_required', inputRequests: { q: {} }, requestState: 's' },
      failed('INPUT_REQUIRED', 'The tool requires more input', {
        details: { inputRequests: { q: {} }, requestState: 's' },
      }),
    ],
    [{ content: text('{"error":"not one"}'), isError: false }, success({ error: 'not one' })],
  ],
  'JSON-RPC around them': [
    [{ jsonrpc: '2.0', id: 1, result: { content: text('hi') } }, success('hi')],
    [rpcError(-32602, 'Unknown tool'), failed('INVALID_ARGUMENTS', 'Unknown tool')],
    [rpcError(-32602, 'No Add', { code: 'FUNCTION_NOT_FOUND' }), failed('FUNCTION_NOT_FOUND', 'No Add')],
    [rpcError(7, 'x', [1]), failed('UNKNOWN_ERROR', 'x', { details: [1] })],
  ],
  'half a standard': [
    [{ success: true }, success(undefined)],
    [{ success: true, temperature: 5 }, success({ temperature: 5 })],
    [{ status: 'SUCCESS', orders: 3 }, success({ orders: 3 })],
    [{ isError: false, n: 1 }, success({ isError: false, n: 1 })],
    [{ resultType: 'page', items: [1] }, success({ resultType: 'page', items: [1] })],
    [{ content: [], structuredContent: { success: true, a: 1 } }, success({ success: true, a: 1 })],
    [{ success: false, error: { code: 'rate-limited', message: 'm' } }, failed('RATE_LIMITED', 'm', { retry: true })],
    [{ success: false, message: 'no' }, failed('UNKNOWN_ERROR', 'no')],
    [{ success: false, content: text('Error: no') }, failed('UNKNOWN_ERROR', 'no')],
    [{ success: false, error: 'no' }, failed('UNKNOWN_ERROR', 'no')],
    [{ success: false }, failed('UNKNOWN_ERROR', 'Unknown error')],
    [{ status: 'ERROR' }, failed('UNKNOWN_ERROR', 'Unknown error')],
  ],
  'no standard at all': [
    ['Temperature in Oslo: 5°C', success('Temperature in Oslo: 5°C')],
    ['Error: Location not found', failed('UNKNOWN_ERROR', 'Location not found')],
    ['{"temperature":5}', success({ temperature: 5 })],
    ['{broken', success('{broken')],
    [{ temperature: 5 }, success({ temperature: 5 })],
    [{ title: 'Dune', status: 1965 }, success({ title: 'Dune', status: 1965 })],
    [{ status: 'cloudy' }, success({ status: 'cloudy' })],
    [{ content: 'an article' }, success({ content: 'an article' })],
    [{ title: 'x', content: [{ type: 'p' }] }, success({ title: 'x', content: [{ type: 'p' }] })],
    [{ error: { message: 'Quota', type: 'insufficient_quota', code: null } }, failed('insufficient_quota', 'Quota')],
    [{ ok: false, error: 'no' }, failed('UNKNOWN_ERROR', 'no')],
    [{ statusCode: 404, error: 'Not Found', message: 'No route' }, failed('NOT_FOUND', 'No route')],
    [{ statusCode: 200, message: 'fine' }, success({ statusCode: 200, message: 'fine' })],
    [{ status: 'ERROR', message: 'm' }, failed('UNKNOWN_ERROR', 'm')],
    [{ error: { code: 404, status: 'NOT_FOUND', message: 'no' } }, failed('NOT_FOUND', 'no')],
    [undefined, success(undefined)],
    [null, success(null)],
    [[1, 2], success([1, 2])],
    [5, success(5)],
    ['', success('')],
  ],
};

for (const [kind, rows] of Object.entries(responses)) {
  describe(`reading ${kind}`, () => {
    for (const [response, outcome] of rows) {
      const shown = (JSON.stringify(response) ?? 'undefined').replace(/"timestamp":"[^"]*"/, '"timestamp":…');
      it(proves('response.read', shown), () => {
        expect(readResponse(response)).toEqual(outcome);
        if (typeof response === 'object' && response !== null)
          expect(readResponse(JSON.stringify(response))).toEqual(outcome);
      });
    }
  });
}

/** Replaces a random part of a value. */
function mutate(value: unknown, path: readonly number[], other: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return other;
  const names = Object.keys(value);
  if (names.length === 0) return other;
  const name = names[step % names.length]!;
  const inner = mutate((value as Record<string, unknown>)[name], rest, other);
  if (Array.isArray(value)) return value.map((item: unknown, i) => (String(i) === name ? inner : item));
  return { ...value, [name]: inner };
}

it(proves('response.read', 'of 200 mutated responses, each is read as an outcome and none throws'), () => {
  const originals = Object.values(responses).flatMap((rows) => rows.map(([response]) => response));
  const mutated = fc
    .tuple(
      fc.constantFrom(...originals),
      fc.array(fc.nat(), { maxLength: 4 }),
      fc.anything({ withBigInt: true, withMap: true, withDate: true, withNullPrototype: true }),
    )
    .map(([response, path, other]) => mutate(response, path, other));
  let outcomes = 0;
  fc.assert(
    fc.property(mutated, (response) => {
      const outcome: Outcome = readResponse(response);
      expect(isOutcome(outcome)).toBe(true);
      if (!outcome.ok) {
        expect(typeof outcome.error.message).toBe('string');
        expect(outcome.error.code).toMatch(/^\w{1,100}$/);
        expect(typeof outcome.error.retry).toBe('boolean');
      }
      outcomes++;
    }),
    { numRuns: 200 },
  );
  expect(outcomes).toBeGreaterThanOrEqual(200);
});

it(proves('response.read', 'of a fetch Response says that its body is needed'), () => {
  const expected = { ok: false, error: { message: expect.stringContaining('await response.json()') } };
  expect(readResponse(Response.json({ result: 1 }))).toMatchObject(expected);
});

it(proves('response.read', 'of mutated text, and of objects that throw when looked at'), () => {
  const texts = Object.values(responses).flatMap((rows) => rows.map(([response]) => JSON.stringify(response) ?? ''));
  fc.assert(
    fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat(), fc.string(), (whole, from, length, other) => {
      const at = from % (whole.length + 1);
      expect(isOutcome(readResponse(whole.slice(0, at) + other + whole.slice(at + (length % 10))))).toBe(true);
    }),
    { numRuns: 200 },
  );
  const no = throwing(new Error('no'));
  for (const hostile of [
    new Proxy({}, { get: no }),
    new Proxy({}, { has: no }),
    Object.defineProperty({}, 'content', { get: no, enumerable: true }),
    { content: [new Proxy({}, { get: no })] },
    Object.defineProperty({ jsonrpc: '2.0' }, 'error', { get: no, enumerable: true }),
  ])
    expect(readResponse(hostile)).toMatchObject({ ok: false, error: { code: 'INVALID_RESPONSE_FORMAT' } });
  // So deep that any recursion would overflow the stack.
  expect(isOutcome(readResponse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`))).toBe(true);
});
