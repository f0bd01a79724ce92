import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  ResponseFormatError,
  assertResponse,
  checkResponse,
  envelopeSchema,
  profileNames,
  rules,
} from 'everywire/responses';
import type { ProfileName } from 'everywire/responses';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import app from '../apps/profiles.ts';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { throwing } from '../kit/parts.ts';
import { size } from '../kit/sizes.ts';

expectErrors(/lost for words/, /functions\.BadContent/);

const T = '2026-01-01T00:00:00Z';
const text = [{ type: 'text', text: 'x' }];
const good = { success: true, timestamp: T, content: text };
const bad = { success: false, timestamp: T, content: text, error: { code: 'E', message: 'x' } };
const instance = app.find('GetInstance')!;
const item = (block: object) => ({ content: [block], isError: false });

/** Bodies that break one rule each, and where. Covers every rule. */
const broken: Readonly<Record<string, readonly (readonly [body: unknown, pointer: string])[]>> = {
  'plain.object': [
    [[], ''],
    ['text', ''],
    [null, ''],
  ],
  'envelope.object': [
    [1, ''],
    [undefined, ''],
  ],
  'status.object': [[true, '']],
  'problem.object': [[[], '']],
  'mcp.object': [['x', '']],
  'envelope.success': [
    [{ ...good, success: 'yes' }, '/success'],
    [{ timestamp: T, content: text }, '/success'],
  ],
  'envelope.timestamp': [
    [{ ...good, timestamp: 5 }, '/timestamp'],
    [{ ...good, timestamp: 'noon' }, '/timestamp'],
  ],
  'envelope.content': [
    [{ success: true, timestamp: T }, '/content'],
    [{ ...good, content: 'x' }, '/content'],
  ],
  'envelope.content-not-empty': [[{ ...good, content: [] }, '/content']],
  'envelope.item-type': [
    [{ ...good, content: [...text, { text: 'x' }] }, '/content/1/type'],
    [{ ...good, content: ['x'] }, '/content/0'],
  ],
  'envelope.text-item': [[{ ...good, content: [{ type: 'text' }] }, '/content/0/text']],
  'envelope.image-item': [[{ ...good, content: [{ type: 'image', url: 'u' }] }, '/content/0/altText']],
  'envelope.resource-item': [
    [{ ...good, content: [{ type: 'resource', resourceType: 'file', name: 'n' }] }, '/content/0/identifier'],
  ],
  'envelope.error-required': [
    [{ ...bad, error: undefined }, '/error'],
    [{ ...bad, error: { message: 'x' } }, '/error/code'],
  ],
  'envelope.error-forbidden': [
    [{ ...good, error: { code: 'E', message: 'x' } }, '/error'],
    [{ ...good, error: null }, '/error'],
  ],
  'envelope.data-forbidden': [[{ ...bad, data: 1 }, '/data']],
  'envelope.error-said': [[{ ...bad, error: { code: 'E', message: 'other' } }, '/content']],
  'envelope.readable': [[{ ...good, data: { a: 1 }, content: [{ type: 'text', text: '{"a":1}' }] }, '/content/0/text']],
  'envelope.data-schema': [
    [{ ...good, data: { id: 5, status: 'x' } }, '/data/id'],
    [good, '/data'],
  ],
  'mcp.content': [[{ isError: false }, '/content']],
  'mcp.item-type': [[item({ type: 'video' }), '/content/0/type']],
  'mcp.text-item': [[item({ type: 'text' }), '/content/0/text']],
  'mcp.image-item': [[item({ type: 'image', data: '***', mimeType: 'image/png' }), '/content/0/data']],
  'mcp.audio-item': [[item({ type: 'audio', data: '' }), '/content/0/mimeType']],
  'mcp.link-item': [[item({ type: 'resource_link', uri: 'a:b' }), '/content/0/name']],
  'mcp.resource-item': [[item({ type: 'resource', resource: {} }), '/content/0/resource/uri']],
  'mcp.is-error': [[{ content: text }, '/isError']],
  'mcp.structured-object': [
    [{ content: [{ type: 'text', text: '[1]' }], structuredContent: [1], isError: false }, '/structuredContent'],
  ],
  'mcp.output-schema': [
    [
      { content: [{ type: 'text', text: '{"result":1}' }], structuredContent: { result: 1 }, isError: false },
      '/structuredContent/result',
    ],
  ],
  'mcp.same-text': [[{ content: text, structuredContent: { a: 1 }, isError: false }, '/content']],
  'mcp.no-structured-error': [
    [
      { content: [{ type: 'text', text: '{"a":1}' }], structuredContent: { a: 1 }, isError: true },
      '/structuredContent',
    ],
  ],
  'mcp.error-said': [[{ content: [], isError: true }, '/content']],
  'plain.error-text': [[{ error: { code: 1 } }, '/error']],
  'plain.keys': [
    [{ result: 1, extra: 2 }, '/extra'],
    [{ error: 'x', code: 'E' }, '/code'],
    [{ result1: 1 }, ''],
  ],
  'plain.result-schema': [[{ result: { id: 1 } }, '/result/id']],
  'status.status': [
    [{ status: 'success', data: 1 }, '/status'],
    [{}, '/status'],
  ],
  'status.error-required': [
    [{ status: 'ERROR' }, '/error'],
    [{ status: 'ERROR', error: { code: 'E' } }, '/error/message'],
  ],
  'status.error-forbidden': [[{ status: 'SUCCESS', error: {} }, '/error']],
  'status.data-forbidden': [[{ status: 'ERROR', error: { code: 'E', message: 'x' }, data: 1 }, '/data']],
  'status.data-schema': [[{ status: 'SUCCESS', data: { id: 'x' } }, '/data/status']],
  'problem.fields': [[{ title: 'T', status: '404', detail: 'd', code: 'E' }, '/status']],
  'problem.status': [[{ title: 'T', status: 200, detail: 'd', code: 'E' }, '/status']],
  'problem.code': [[{ title: 'T', status: 404, detail: 'd' }, '/code']],
  'problem.success': [
    [{ error: 'x' }, '/error'],
    [{ other: 1 }, '/other'],
  ],
  'problem.result-schema': [[{ result: { id: 1 } }, '/result/id']],
};

describe('rules', () => {
  it(proves('response.check', 'each has bodies that break it here, and no other is here'), () => {
    expect(Object.keys(broken).toSorted()).toEqual(rules.map(({ id }) => id).toSorted());
  });

  for (const { id, profile, sentence } of rules) {
    it(proves('response.check', `${id}: ${sentence}`), () => {
      for (const [body, pointer] of broken[id] ?? []) {
        const about = id.endsWith('schema') ? { function: instance } : {};
        const found = checkResponse(body, { profile, ...about });
        const violation = found.find(({ rule }) => rule === id);
        expect(violation).toMatchObject({ rule: id, pointer });
        expect(violation?.message).toContain(sentence);
      }
    });
  }

  it(proves('response.rules', 'are data: an id, a sentence, a reason and an origin each'), () => {
    for (const rule of rules) {
      expect(rule.id.startsWith(`${rule.profile}.`)).toBe(true);
      for (const words of [rule.sentence, rule.reason, rule.origin]) expect(words.length).toBeGreaterThan(8);
    }
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('checks', () => {
  it(proves('response.check', 'find every violation at once'), () => {
    const body = { success: 'yes', content: [{ text: 'a' }, { type: 'image' }] };
    expect(checkResponse(body).map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      'envelope.success /success',
      'envelope.timestamp /timestamp',
      'envelope.item-type /content/0/type',
      'envelope.image-item /content/1/url',
      'envelope.image-item /content/1/altText',
    ]);
  });

  it(proves('response.check', 'find nothing in what the profiles render'), async () => {
    for (const fn of app.functions) {
      for (const profile of profileNames) {
        for (const input of [{}, { id: 'i-1', at: T, user: 'a', password: 'abc' }]) {
          const call = { name: fn.name, input, caller: { wire: 'test' } };
          const { body } = await app.respond(call, app.profiles[profile]);
          expect(checkResponse(JSON.parse(body), { profile, function: fn })).toEqual([]);
        }
      }
    }
  });

  it(proves('response.check', 'hold a hand-written tool to its output schema'), () => {
    const outputSchema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    const result = (n: unknown) => ({
      content: [{ type: 'text', text: JSON.stringify({ n }) }],
      structuredContent: { n },
      isError: false,
    });
    expect(checkResponse(result(1), { profile: 'mcp', outputSchema })).toEqual([]);
    expect(checkResponse(result('1'), { profile: 'mcp', outputSchema })).toEqual([
      {
        rule: 'mcp.output-schema',
        pointer: '/structuredContent/n',
        message: 'expected integer, got "1" (`structuredContent` matches the output schema of the tool)',
      },
    ]);
  });

  it(proves('response.check', 'take a schema of any library, for every profile, and leave out rules'), () => {
    const outputSchema = z.object({ n: z.int() });
    const wrong = { n: 'one' };
    const bodies = {
      plain: { result: wrong },
      envelope: { success: true, timestamp: T, content: text, data: wrong },
      status: { status: 'SUCCESS', data: wrong },
      problem: { result: wrong },
      mcp: { content: [{ type: 'text', text: '{"n":"one"}' }], structuredContent: wrong, isError: false },
    };
    for (const profile of profileNames) {
      const [violation, ...others] = checkResponse(bodies[profile], { profile, outputSchema });
      expect([violation?.pointer, others]).toEqual([expect.stringMatching(/\/n$/), []]);
      expect(checkResponse(bodies[profile], { profile, outputSchema, ignore: [violation!.rule] })).toEqual([]);
    }
    expect(() => checkResponse({}, { profile: 'xml' as never })).toThrow(
      'Unknown profile "xml"; available: plain, envelope',
    );
  });

  it(proves('response.check', 'assertResponse returns the body, or throws every violation'), () => {
    expect(assertResponse(good)).toBe(good);
    expect(() => assertResponse({ success: true })).toThrow(ResponseFormatError);
    expect(() => assertResponse({ success: true })).toThrow(/\/timestamp: .*; \/content: /);
  });

  it(proves('response.check', 'never throw, whatever the body'), () => {
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withMap: true }),
        fc.constantFrom<ProfileName>(...profileNames),
        (body, profile) => {
          expect(Array.isArray(checkResponse(body, { profile, function: instance }))).toBe(true);
        },
      ),
    );
    const hostile = new Proxy({}, { ownKeys: throwing(new Error('no')) });
    expect(checkResponse(hostile)).toHaveLength(1);
  });
});

/** A second schema, written from the prose of the standard, for ajv: independent of ours. */
const standard = {
  type: 'object',
  required: ['success', 'timestamp', 'content'],
  properties: {
    success: { type: 'boolean' },
    timestamp: { type: 'string' },
    content: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string', minLength: 1 } },
        allOf: Object.entries({
          text: ['text'],
          image: ['url', 'altText'],
          resource: ['resourceType', 'identifier', 'name'],
        }).map(([type, fields]) => ({
          anyOf: [
            { not: { properties: { type: { const: type } }, required: ['type'] } },
            {
              required: fields,
              properties: Object.fromEntries(
                fields.map((field) => [field, { type: 'string', minLength: type === 'text' ? 0 : 1 }]),
              ),
            },
          ],
        })),
      },
    },
  },
  oneOf: [
    { properties: { success: { const: true } }, not: { required: ['error'] } },
    {
      properties: {
        success: { const: false },
        error: {
          type: 'object',
          required: ['code', 'message'],
          properties: { code: { type: 'string', minLength: 1 }, message: { type: 'string' } },
        },
      },
      required: ['error'],
      not: { required: ['data'] },
    },
  ],
};

it(proves('response.check', "the standard's schema gives the verdicts of the rules and of ajv"), () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  const [ours, theirs] = [ajv.compile(envelopeSchema), ajv.compile(standard)];
  const scalar = fc.constantFrom<unknown>('', 'text', 'x', 1, null, true);
  const block = fc.record(
    {
      type: fc.constantFrom('text', 'image', 'resource', 'other', '', 5),
      text: scalar,
      url: scalar,
      altText: scalar,
      resourceType: scalar,
      identifier: scalar,
      name: scalar,
    },
    { requiredKeys: [] },
  );
  const fields = fc.record({
    success: fc.constantFrom<unknown>(true, false, 'true', null),
    timestamp: fc.constantFrom<unknown>(T, 5),
    content: fc.oneof(fc.array(fc.oneof(block, fc.constant(text[0])), { maxLength: 2 }), scalar),
    data: scalar,
    error: fc.oneof(scalar, fc.record({ code: scalar, message: scalar }, { requiredKeys: [] })),
  });
  const names = ['success', 'timestamp', 'content', 'data', 'error'] as const;
  const body = fc
    .tuple(
      fc.constantFrom(good, bad),
      fields,
      fc.subarray([...names], { maxLength: 2 }),
      fc.constantFrom(undefined, ...names),
    )
    .map(([base, other, changed, dropped]) => {
      const changes = Object.fromEntries(changed.map((name) => [name, other[name]]));
      return Object.fromEntries(Object.entries({ ...base, ...changes }).filter(([name]) => name !== dropped));
    });
  const bySchema = new Set(
    rules.filter(({ profile, holds }) => profile === 'envelope' && typeof holds !== 'function').map(({ id }) => id),
  );
  let accepted = 0;
  fc.assert(
    fc.property(body, (value) => {
      const verdict = theirs(value);
      accepted += Number(verdict);
      expect(ours(value)).toBe(verdict);
      expect(checkResponse(value).filter(({ rule }) => bySchema.has(rule)).length === 0).toBe(verdict);
    }),
    { numRuns: size(600, 3000) },
  );
  expect(accepted).toBeGreaterThan(size(15, 100));
});
