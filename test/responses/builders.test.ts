import { assertResponse, checkResponse, createErrorResponse, createSuccessResponse } from 'everywire/responses';
import { createToolError, createToolResult, envelopeContent, Failure, failure, fromStatus } from 'everywire/responses';
import { fromThrowable, isOutcome, map, mcpContent, readResponse, success } from 'everywire/responses';
import { toEnvelopeContent, toMcpContent, toStatus, unwrap } from 'everywire/responses';
import type { EnvelopeContent, McpContent, Outcome } from 'everywire/responses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const clock = () => new Date(0);
const timestamp = '1970-01-01T00:00:00.000Z';

describe('builders', () => {
  it(proves('response.builders', 'a success in the standard'), () => {
    const expected = { success: true, timestamp, content: [{ type: 'text', text: 'id: i-1' }], data: { id: 'i-1' } };
    expect(createSuccessResponse({ id: 'i-1' }, { clock })).toEqual(expected);
    const picture = envelopeContent.image({ url: 'https://example.com/cpu.png', altText: 'CPU, rising' });
    expect(createSuccessResponse(1, { clock, text: 'One', content: [picture] })).toMatchObject({
      content: [{ type: 'text', text: 'One' }, picture],
    });
    expect(createSuccessResponse({ at: new Date(0) })).toMatchObject({ data: { at: timestamp } });
  });

  it(proves('response.builders', 'an error in the standard'), () => {
    expect(createErrorResponse('Not there', 'INSTANCE_NOT_FOUND', { id: 'i-9' }, { clock })).toEqual({
      success: false,
      timestamp,
      content: [{ type: 'text', text: 'Error: Not there' }],
      error: { code: 'INSTANCE_NOT_FOUND', message: 'Not there', details: { id: 'i-9' } },
    });
    expect(createErrorResponse('Oh').error).toEqual({ code: 'UNKNOWN_ERROR', message: 'Oh' });
    // The standard's own function is called with null for no details.
    expect(createErrorResponse('Oh', 'OH', null).error).toEqual({ code: 'OH', message: 'Oh' });
  });

  it(proves('response.builders', "MCP's tool results"), () => {
    expect(createToolResult({ sum: 3 }, { text: 'Three' })).toEqual({
      content: [
        { type: 'text', text: '{"sum":3}' },
        { type: 'text', text: 'Three' },
      ],
      structuredContent: { sum: 3 },
      isError: false,
    });
    expect(createToolResult([1]).structuredContent).toEqual({ result: [1] });
    expect(createToolResult(undefined).structuredContent).toEqual({});
    const error = createToolError('Not there', 'NOT_THERE', { id: 1 });
    expect(error).toEqual({
      content: [{ type: 'text', text: '{"error":"Not there"}' }],
      isError: true,
      _meta: { 'everywire/error': { code: 'NOT_THERE', details: { id: 1 }, retry: false } },
    });
    expect(readResponse(error)).toMatchObject({
      error: { code: 'NOT_THERE', details: { id: 1 }, message: 'Not there' },
    });
  });

  it(proves('response.builders', 'follow the rules with any data, or throw if JSON cannot represent it'), () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (data, text) => {
        assertResponse(createSuccessResponse(data));
        assertResponse(createErrorResponse(text, 'SOME', data));
        assertResponse(createToolResult(data), { profile: 'mcp' });
        assertResponse(createToolError(text, 'SOME', data), { profile: 'mcp' });
      }),
    );
    expect(() => createSuccessResponse({ a: [NaN] })).toThrow(
      'This data cannot be sent: /a/0: NaN cannot be represented in JSON',
    );
    expect(() => createErrorResponse('x', 'no spaces')).toThrow(TypeError);
  });
});

const blocks: readonly McpContent[] = [
  mcpContent.text('hello', { annotations: { audience: ['user'], priority: 0.5 } }),
  mcpContent.image(new Uint8Array([1, 2, 3]), 'image/png'),
  mcpContent.audio('AQID', 'audio/wav', { _meta: { take: 2 } }),
  mcpContent.resourceLink({ uri: 'https://example.com/a', name: 'a', description: 'A page', mimeType: 'text/html' }),
  mcpContent.resource({ uri: 'file:///notes/today.txt', text: 'Buy milk', mimeType: 'text/plain' }),
];
const items: readonly EnvelopeContent[] = [
  envelopeContent.text('hello'),
  envelopeContent.image({ url: 'https://example.com/a.png', altText: 'A', width: 8, height: 4, caption: 'One' }),
  envelopeContent.image({ url: 'data:image/png;base64,AQID', altText: 'B' }),
  envelopeContent.resource({
    resourceType: 'url',
    identifier: 'http://localhost:8080',
    name: 'UI',
    metadata: { auth: true },
  }),
  envelopeContent.resource({ resourceType: 'my instance', identifier: 'i 1', name: 'web', description: 'A machine' }),
];
const envelopeOf = (content: readonly EnvelopeContent[]) => ({ success: true, timestamp, content });
const resultOf = (content: readonly McpContent[]) => ({ content, isError: false });

describe('content', () => {
  it(proves('response.builders', 'is created in both formats'), () => {
    expect(checkResponse(resultOf(blocks), { profile: 'mcp' })).toEqual([]);
    expect(checkResponse(envelopeOf(items))).toEqual([]);
    expect(blocks[1]).toEqual({ type: 'image', data: 'AQID', mimeType: 'image/png' });
  });

  it(proves('response.builders', 'is converted between the two formats'), () => {
    expect(checkResponse(envelopeOf(blocks.map(toEnvelopeContent)))).toEqual([]);
    expect(checkResponse(resultOf(items.map(toMcpContent)), { profile: 'mcp' })).toEqual([]);
    const expected = { type: 'image', data: 'AQID', mimeType: 'image/png', _meta: { altText: 'B' } };
    expect(toMcpContent(items[2]!)).toEqual(expected);
    expect(toEnvelopeContent(toMcpContent(items[2]!))).toEqual(items[2]);
    expect(toMcpContent(items[4]!)).toMatchObject({ uri: 'my-instance:i%201', name: 'web' });
    expect(toEnvelopeContent(blocks[4]!)).toMatchObject({ identifier: 'file:///notes/today.txt', name: 'today.txt' });
  });

  it(proves('response.builders', 'that would break its rules throws, and says why'), () => {
    expect(() => envelopeContent.image({ url: 'https://example.com' } as never)).toThrow(
      'This image cannot be sent: /altText: required, expected string',
    );
    expect(() => envelopeContent.resource({ resourceType: '', identifier: 'a', name: 'a' })).toThrow('/resourceType');
    expect(() => mcpContent.image('not base64!', 'image/png')).toThrow('/data');
    expect(() => mcpContent.resourceLink({ uri: 'no scheme', name: 'x' })).toThrow('/uri');
    expect(() => mcpContent.resource({ uri: 'file:///a' } as never)).toThrow('This resource cannot be sent');
  });
});

const half = (n: number) => {
  if (n % 2) throw new Failure('ODD', `${n} is odd`, { details: { n } });
  return n / 2;
};

describe('an outcome', () => {
  it(proves('outcome.typed', 'is made, changed and taken apart'), () => {
    expect(success(1)).toEqual({ ok: true, data: 1 });
    const expected = { ok: false, error: { code: 'NOT_FOUND', message: 'gone', retry: false } };
    expect(failure('NOT_FOUND', 'gone')).toEqual(expected);
    expect(failure('RATE_LIMITED', 'slow down', { retryAfter: 3 }).error).toMatchObject({ retry: true, retryAfter: 3 });
    expect(map(success(2), (n) => n * 2)).toEqual(success(4));
    const odd = failure('ODD', '3 is odd') as Outcome<number>;
    expect(map(odd, (n) => n * 2)).toBe(odd);
    expect(unwrap(success('x'))).toBe('x');
  });

  it(proves('outcome.typed', 'unwraps to a Failure that keeps everything'), () => {
    const outcome = failure('ODD', '3 is odd', { details: { n: 3 }, retryAfter: 1 });
    expect(() => unwrap(outcome)).toThrow(Failure);
    expect(fromThrowable(() => unwrap(outcome))()).toEqual(outcome);
  });

  it(proves('outcome.typed', 'comes of any function that may throw, at once or later'), async () => {
    expect(fromThrowable(half)(4)).toEqual(success(2));
    expect(fromThrowable(half)(3)).toEqual(failure('ODD', '3 is odd', { details: { n: 3 } }));
    expect(await fromThrowable(async (n: number) => half(n))(3)).toMatchObject({ ok: false, error: { code: 'ODD' } });
    expect(fromThrowable(() => new Failure('ODD', 'returned'))()).toMatchObject({ ok: false, error: { code: 'ODD' } });
    expect(fromThrowable(() => JSON.parse('{') as unknown)()).toMatchObject({ error: { code: 'INTERNAL_ERROR' } });
    const trap = throwing(new Error('no'));
    const hostile = new Proxy({}, { get: trap, getPrototypeOf: trap, has: trap });
    expect(fromThrowable(throwing(hostile))()).toMatchObject({ ok: false, error: { message: 'Unknown error' } });
  });

  it(proves('outcome.typed', 'is the same after JSON, whatever its data and details'), () => {
    const outcomes = fc.oneof(
      fc.jsonValue().map((data) => success(data)),
      fc.tuple(fc.string(), fc.anything()).map(([message, details]) => failure('SOME_CODE', message, { details })),
    );
    fc.assert(
      fc.property(outcomes, (outcome) => {
        const after: unknown = JSON.parse(JSON.stringify(outcome));
        expect(JSON.stringify(after)).toBe(JSON.stringify(outcome));
        expect(isOutcome(after)).toBe(true);
        expect(fromStatus(toStatus(outcome))).toEqual(outcome);
      }),
    );
  });

  it(proves('outcome.typed', 'is told from what only looks like one'), () => {
    for (const other of [null, 1, [], {}, { ok: 1 }, { ok: true, extra: 1 }, { ok: false }, { ok: false, error: 'x' }])
      expect(isOutcome(other)).toBe(false);
    expect(isOutcome({ ok: true })).toBe(true);
  });

  it('refuses a code that could not travel in a header', () => {
    expect(() => failure('NOT FOUND', 'x')).toThrow(/letters, digits and "_"/);
  });
});
