import { checkResponse, profiles } from 'everywire/responses';
import { createApp, defineFunction } from 'everywire';
import fc from 'fast-check';
import { z } from 'zod';
import { describe, expect, it } from 'vitest';
import { createGuard } from '../../src/responses/guard.ts';
import { proves } from '../promises.ts';
import { size } from '../kit/sizes.ts';

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
  const repaired: readonly (readonly [title: string, before: object, after: object])[] = [
    ['a timestamp', { success: true, content: text('x') }, { ...GOOD, content: text('x') }],
    ['content', { success: true, data: { a: 1 } }, { ...GOOD, content: text('a: 1'), data: { a: 1 } }],
    [
      'content from a message',
      { success: true, message: 'Started' },
      { ...GOOD, content: text('Started'), message: 'Started' },
    ],
    ['an empty content', { ...GOOD, content: [] }, { ...GOOD, content: text('Done.') }],
    ['a type', { success: true, content: [{ text: 'x' }] }, { ...GOOD, content: text('x') }],
    [
      'a type for a picture',
      { success: true, content: [{ url: 'u', altText: 'a' }] },
      { ...GOOD, content: [{ type: 'image', url: 'u', altText: 'a' }] },
    ],
    ['success, from data', { data: 1 }, { ...GOOD, content: text('1'), data: 1 }],
    ['success, from an error', { error: E }, { ...BAD, error: E }],
    ['an error, from a string', { success: false, error: 'm' }, { ...BAD, error: { ...E, code: 'UNKNOWN_ERROR' } }],
    [
      'an error, from the content',
      { success: false, content: text('Error: m') },
      { ...BAD, error: { ...E, code: 'UNKNOWN_ERROR' } },
    ],
    [
      'nothing but a null error away',
      { success: true, content: text('x'), error: null },
      { ...GOOD, content: text('x') },
    ],
    [
      'data beside an error, to its details',
      { success: false, data: { id: 1 }, error: E },
      { ...BAD, error: { ...E, details: { id: 1 } } },
    ],
  ];
  for (const [title, before, after] of repaired) {
    it(proves('response.guard', `repairs ${title}`), () => {
      const verdict = repair(JSON.stringify(before), about);
      expect(verdict.did).toBe('repaired');
      expect(JSON.parse(verdict.body ?? '')).toEqual(after);
    });
  }

  it(proves('response.guard', 'replaces what cannot be repaired'), () => {
    const replaced = { did: 'replaced', failure: { error: { code: 'INVALID_RESPONSE_FORMAT' } } };
    const both = '{"success":true,"error":{"code":"E","message":"m"},"content":[]}';
    for (const body of ['[]', 'not JSON', both, '{"n":1}']) expect(repair(body, about)).toMatchObject(replaced);
  });

  it(proves('response.guard', "repairs a tool's result and a status"), () => {
    const result = repair('{"content":[{"text":"hi"}],"structuredContent":{"a":1}}', { profile: profiles.mcp });
    expect(JSON.parse(result.body ?? '')).toEqual({
      content: [...text('{"a":1}'), ...text('hi')],
      structuredContent: { a: 1 },
      isError: false,
    });
    const status = repair('{"error":{"code":"E","message":"m"}}', { profile: profiles.status });
    expect(JSON.parse(status.body ?? '')).toEqual({ status: 'ERROR', error: { code: 'E', message: 'm' } });
    expect(repair('{"data":1}', { profile: profiles.status }).body).toBe('{"status":"SUCCESS","data":1}');
  });

  it(proves('response.guard', 'sends only what keeps the rules, whatever the body'), () => {
    const flagged = fc.record(
      {
        ...Object.fromEntries(['success', 'isError'].map((name) => [name, fc.boolean()])),
        ...Object.fromEntries(
          ['content', 'data', 'error', 'status', 'structuredContent'].map((name) => [name, fc.jsonValue()]),
        ),
      },
      { requiredKeys: [] },
    );
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
  expect(JSON.parse(repair('{"error":"it broke"}', mcp).body ?? '')).toEqual({
    content: text('Error: it broke'),
    isError: true,
  });
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
    functions: [
      defineFunction({ name: 'F', description: 'Returns more than it said', output: small, run: () => ({ n: 6 }) }),
    ],
  });
  const response = await app.fetch(new Request('http://localhost/functions/F', { method: 'POST' }));
  expect([response.status, response.headers.get('everywire-error-code')]).toEqual([500, 'INVALID_RESPONSE_FORMAT']);
  expect(await response.text()).toContain('Invalid response format: /result/n');
  expect(records).toEqual([['plain.result-schema', 'INVALID_RESPONSE_FORMAT']]);
});
