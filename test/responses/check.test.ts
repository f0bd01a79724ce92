import { Ajv2020 } from 'ajv/dist/2020.js';
import { ResponseFormatError, assertResponse, checkResponse, envelopeSchema, profileNames } from 'everywire/responses';
import { rules } from 'everywire/responses';
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

/** A rule, where it is broken, and bodies that break it there. Covers every rule. */
const says = (words: string) => [{ type: 'text', text: words }];
const broken: readonly (readonly [rule: string, pointer: string, ...bodies: unknown[]])[] = [
  ['plain.object', '', [], 'text', null],
  ['envelope.object', '', 1, undefined],
  ['status.object', '', true],
  ['problem.object', '', []],
  ['mcp.object', '', 'x'],
  ['envelope.success', '/success', { ...good, success: 'yes' }, { timestamp: T, content: text }],
  ['envelope.timestamp', '/timestamp', { ...good, timestamp: 5 }, { ...good, timestamp: 'noon' }],
  ['envelope.content', '/content', { success: true, timestamp: T }, { ...good, content: 'x' }],
  ['envelope.content-not-empty', '/content', { ...good, content: [] }],
  ['envelope.item-type', '/content/1/type', { ...good, content: [...text, { text: 'x' }] }],
  ['envelope.item-type', '/content/0', { ...good, content: ['x'] }],
  ['envelope.text-item', '/content/0/text', { ...good, content: [{ type: 'text' }] }],
  ['envelope.image-item', '/content/0/altText', { ...good, content: [{ type: 'image', url: 'u' }] }],
  [
    'envelope.resource-item',
    '/content/0/identifier',
    { ...good, content: [{ type: 'resource', resourceType: 'a', name: 'n' }] },
  ],
  ['envelope.error-required', '/error', { ...bad, error: undefined }],
  ['envelope.error-required', '/error/code', { ...bad, error: { message: 'x' } }],
  ['envelope.error-forbidden', '/error', { ...good, error: { code: 'E', message: 'x' } }, { ...good, error: null }],
  ['envelope.data-forbidden', '/data', { ...bad, data: 1 }],
  ['envelope.error-said', '/content', { ...bad, error: { code: 'E', message: 'other' } }],
  ['envelope.readable', '/content/0/text', { ...good, data: { a: 1 }, content: says('{"a":1}') }],
  ['envelope.data-schema', '/data/id', { ...good, data: { id: 5, status: 'x' } }],
  ['envelope.data-schema', '/data', good],
  ['mcp.content', '/content', { isError: false }],
  ['mcp.item-type', '/content/0/type', item({ type: 'video' })],
  ['mcp.text-item', '/content/0/text', item({ type: 'text' })],
  ['mcp.image-item', '/content/0/data', item({ type: 'image', data: '***', mimeType: 'image/png' })],
  ['mcp.audio-item', '/content/0/mimeType', item({ type: 'audio', data: '' })],
  ['mcp.link-item', '/content/0/name', item({ type: 'resource_link', uri: 'a:b' })],
  ['mcp.resource-item', '/content/0/resource/uri', item({ type: 'resource', resource: {} })],
  ['mcp.is-error', '/isError', { content: text }],
  ['mcp.structured-object', '/structuredContent', { content: says('[1]'), structuredContent: [1], isError: false }],
  [
    'mcp.output-schema',
    '/structuredContent/result',
    { content: says('{"result":1}'), structuredContent: { result: 1 }, isError: false },
  ],
  ['mcp.same-text', '/content', { content: text, structuredContent: { a: 1 }, isError: false }],
  [
    'mcp.no-structured-error',
    '/structuredContent',
    { content: says('{"a":1}'), structuredContent: { a: 1 }, isError: true },
  ],
  ['mcp.error-said', '/content', { content: [], isError: true }],
  ['plain.error-text', '/error', { error: { code: 1 } }],
  ['plain.keys', '/extra', { result: 1, extra: 2 }],
  ['plain.keys', '/code', { error: 'x', code: 'E' }],
  ['plain.keys', '', { result1: 1 }],
  ['plain.result-schema', '/result/id', { result: { id: 1 } }],
  ['status.status', '/status', { status: 'success', data: 1 }, {}],
  ['status.error-required', '/error', { status: 'ERROR' }],
  ['status.error-required', '/error/message', { status: 'ERROR', error: { code: 'E' } }],
  ['status.error-forbidden', '/error', { status: 'SUCCESS', error: {} }],
  ['status.data-forbidden', '/data', { status: 'ERROR', error: { code: 'E', message: 'x' }, data: 1 }],
  ['status.data-schema', '/data/status', { status: 'SUCCESS', data: { id: 'x' } }],
  ['problem.fields', '/status', { title: 'T', status: '404', detail: 'd', code: 'E' }],
  ['problem.status', '/status', { title: 'T', status: 200, detail: 'd', code: 'E' }],
  ['problem.code', '/code', { title: 'T', status: 404, detail: 'd' }],
  ['problem.success', '/error', { error: 'x' }],
  ['problem.success', '/other', { other: 1 }],
  ['problem.result-schema', '/result/id', { result: { id: 1 } }],
];

describe('rules', () => {
  it(proves('response.check', 'each has bodies that break it here, and no other is here'), () => {
    expect(new Set(broken.map(([rule]) => rule))).toEqual(new Set(rules.map(({ id }) => id)));
  });

  it.each(broken)(proves('response.check', '%s at %j'), (id, pointer, ...bodies) => {
    const { profile, sentence } = rules.find((rule) => rule.id === id)!;
    for (const body of bodies) {
      const found = checkResponse(body, { profile, ...(String(id).endsWith('schema') && { function: instance }) });
      const violation = found.find(({ rule }) => rule === id);
      expect(violation).toMatchObject({ rule: id, pointer });
      expect(violation?.message).toContain(sentence);
    }
  });

  it(proves('response.rules', 'are data: an id, a sentence, a reason and an origin each'), () => {
    for (const rule of rules) {
      expect(rule.id.startsWith(`${rule.profile}.`)).toBe(true);
      for (const words of [rule.sentence, rule.reason, rule.origin]) expect(words.length).toBeGreaterThan(8);
    }
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  });
});

describe('checks', () => {
  it.each([
    [399, ['problem.status']],
    [400, []],
    [599, []],
    [600, ['problem.status']],
  ])('a problem with status %i', (status, expected) => {
    const found = checkResponse({ title: 'T', status, detail: 'd', code: 'E' }, { profile: 'problem' });
    expect(found.map(({ rule }) => rule)).toEqual(expected);
  });

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

it(proves('response.check', "ajv gives the verdicts of the rules with the standard's schema"), () => {
  const fits = new Ajv2020({ strict: false, validateFormats: false }).compile(envelopeSchema);
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
      const verdict = fits(value);
      accepted += Number(verdict);
      expect(checkResponse(value).filter(({ rule }) => bySchema.has(rule)).length === 0).toBe(verdict);
    }),
    { numRuns: size(600, 3000) },
  );
  expect(accepted).toBeGreaterThan(size(15, 100));
});
