// MCP Response Format Standards: every requirement, type, wrapper, pitfall, best practice and testing procedure of that
// document, under its name.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';
import { createApp, type AuditRecord } from 'everywire';
import { createClient } from 'everywire/client';
import { checkResponses } from 'everywire/express';
import { assertResponse, checkResponse, createErrorResponse, createSuccessResponse } from 'everywire/responses';
import { envelopeContent, envelopeSchema, readResponse, textOf, wrapTool } from 'everywire/responses';
import express from 'express';
import { describe, expect, it } from 'vitest';
import { functions, MOMENT } from '../apps/profiles.ts';
import { throwing } from '../kit/parts.ts';
import { proves } from '../promises.ts';

const options = { name: 'Instances', version: '1', functions, profile: 'envelope' } as const;
const app = createApp({ ...options, clock: () => new Date(MOMENT) });

/** A tool of an app that answers in envelopes. */
const tool = async (name: string, input: object = {}) => {
  const { body } = await app.respond({ name, input, caller: { wire: 'test' } }, app.profile);
  return JSON.parse(body) as Record<string, any>;
};
const started = () => tool('GetInstance', { id: 'i-1' });
const missing = () => tool('GetInstance', { id: 'i-9' });
const gone = { code: 'INSTANCE_NOT_FOUND', message: "Instance 'i-9' not found", details: { known: ['i-1'] } };
const fails = throwing(new Error('lost'));
const rulesBrokenBy = (body: unknown) => checkResponse(body).map(({ rule }) => rule);
const success = (more: object) => ({ success: true, timestamp: MOMENT, ...more });
const named = (title: string) => proves('response.seeds', title);

const TEXT = [{ type: 'text', text: expect.any(String) }];
const said = (text: string) => ({ content: [{ type: 'text', text }] });
const refused = { success: false, timestamp: MOMENT, content: TEXT };

/** What a tool answers. */
it.each<[sentence: string, answer: () => Promise<object>, includes: object]>([
  ['Key Requirements, 1. Every response must include a content array', () => tool('Stop'), { content: TEXT }],
  ['2. Each content item must have a type field', started, { content: TEXT }],
  ['3. Success responses must set success: true', started, { success: true, data: { id: 'i-1', status: 'running' } }],
  ['4. Error responses must set success: false and include an error object', missing, { success: false, error: gone }],
  ['5. All responses must include a timestamp', missing, { timestamp: MOMENT }],
  ['Response Types, Error Responses', missing, said("Error: Instance 'i-9' not found")],
  ['Best Practices, 2. Provide Human-Readable Text', started, said('id:     i-1\nstatus: running')],
  ['Best Practices, 2. in the words of the author', () => tool('ListInstances'), said('2 instances are known')],
  ['Best Practices, 3. Include Detailed Error Information', missing, { error: gone }],
  [
    'Testing Procedures, 1. Unit Tests for Response Format: Success and error responses should have required fields',
    () => tool('GetInstance', { invalidParam: true }),
    { ...refused, error: { code: 'INVALID_ARGUMENTS', message: expect.any(String) } },
  ],
])(named('%s'), async (_sentence, answer, includes) => expect(await answer()).toMatchObject(includes));

const image = { url: 'https://example.com/cpu.png', altText: 'CPU', width: 800, height: 400, caption: 'A day' };
const ui = { resourceType: 'url', identifier: 'http://localhost:8080', name: 'UI', metadata: { requiresAuth: true } };
const cpu = { cpu: { average: 45, peak: 87 } };

/** Bodies that break a sentence, and the rules that find it. */
it.each([
  ['Response Types, Text Responses', success({ content: [envelopeContent.text('Instance started')] }), []],
  ['Text Responses', success({ content: [{ type: 'text' }] }), ['envelope.text-item']],
  ['Image Responses', success({ content: [envelopeContent.image(image)] }), []],
  ['Image Responses', success({ content: [{ type: 'image', url: 'x' }] }), ['envelope.image-item']],
  ['Resource Responses', success({ content: [envelopeContent.resource(ui)] }), []],
  [
    'Resource Responses',
    success({ content: [{ type: 'resource', resourceType: 'url', name: 'UI' }] }),
    ['envelope.resource-item'],
  ],
  [
    'Common Pitfalls, 4. Returning Raw Data Without Formatting',
    success({ content: [{ type: 'text', text: JSON.stringify(cpu) }], data: cpu }),
    ['envelope.readable'],
  ],
  ['Best Practices, 1. Always Use Wrapper Functions', createSuccessResponse({ instance: {} }), []],
  ['Best Practices, 1. Always Use Wrapper Functions', createErrorResponse('x', 'X'), []],
])(named('%s %#'), (_sentence, body, rules) => {
  expect(rulesBrokenBy(body)).toEqual(rules);
});

describe('Wrapper Functions', () => {
  it(named('Success Response Wrapper'), () => {
    const expected = {
      success: true,
      content: [{ type: 'text', text: 'instance:\n  name:   web\n  status: running' }],
    };
    expect(createSuccessResponse({ instance: { name: 'web', status: 'running' } })).toMatchObject(expected);
  });
  it(named('Error Response Wrapper'), () => {
    const response = createErrorResponse('Instance not found', 'INSTANCE_NOT_FOUND', { instanceId: 'i-1' });
    const content = [{ text: 'Error: Instance not found' }];
    expect(assertResponse(response)).toMatchObject({ success: false, content });
    expect(createErrorResponse('?').error.code).toBe('UNKNOWN_ERROR');
  });
  it.each([
    // Where the sketch in the document breaks its own format: an error that is a text, and no timestamp.
    ['that throws', fails, { success: false, error: { code: 'INTERNAL_ERROR', message: 'lost' } }],
    // Where it falls through: data without `success`.
    ['with data', () => ({ id: 1 }), { success: true, data: { id: 1 } }],
    ['with nothing', () => null, { success: true, data: null }],
    ['with a message', () => ({ success: true, message: 'Started' }), { content: [{ type: 'text', text: 'Started' }] }],
  ])(named('Tool Response Wrapper, %s'), async (_what, fn, response) => {
    expect(assertResponse(await wrapTool(fn as () => unknown, { onError: () => {} })())).toMatchObject(response);
  });
});

describe('Common Pitfalls and Errors', () => {
  const pitfalls: readonly (readonly [title: string, body: object, rule: string, wrapped: object])[] = [
    ['1. Missing Content Array', success({ data: { instanceId: 'i-1' } }), 'envelope.content', {}],
    [
      '2. Inconsistent Error Formatting',
      { success: false, message: 'Instance not found' },
      'envelope.error-required',
      { error: { message: 'Instance not found' } },
    ],
    [
      '3. Missing Type Field in Content Items',
      success({ content: [{ text: 'Operation completed' }] }),
      'envelope.item-type',
      { content: [{ type: 'text', text: 'Operation completed' }] },
    ],
    ['5. Inconsistent Success/Error Flags', { ok: true, data: {} }, 'envelope.success', { success: true }],
    ['5. Inconsistent Flags', { status: 'success', result: {} }, 'envelope.success', { success: true }],
  ];
  it.each(pitfalls)(named('%s'), async (_title, incorrect, rule, expected) => {
    expect(rulesBrokenBy(incorrect)).toContain(rule);
    const wrapped = await wrapTool(() => incorrect)();
    expect(rulesBrokenBy(wrapped)).toEqual([]);
    expect(wrapped).toMatchObject(expected);
  });
  it(named('4. Returning Raw Data Without Formatting'), () => {
    const [item] = createSuccessResponse(cpu).content;
    expect(item).toEqual({ type: 'text', text: 'cpu:\n  average: 45\n  peak:    87' });
  });
});

describe('Best Practices', () => {
  it(named('4. Handle Exceptions Consistently'), async () => {
    const logged: unknown[] = [];
    const wrapped = wrapTool(async () => fails(), { onError: (thrown) => void logged.push(thrown) });
    expect(await wrapped()).toMatchObject({ success: false, content: [{ text: 'Error: lost' }] });
    expect(logged).toEqual([new Error('lost')]);
  });
  it(named('5. Use Appropriate Content Types'), () => {
    const response = createSuccessResponse({ id: 1 }, { text: 'Open it:', content: [envelopeContent.resource(ui)] });
    expect(assertResponse(response).content.map(({ type }) => type)).toEqual(['text', 'resource']);
  });
  it(named('6. Format Text for Readability'), () => {
    const instances = ['web', 'database'].map((name) => ({ name, status: 'running' }));
    const lines = ['2 items', '', 'name      status', '--------  -------', 'web       running', 'database  running'];
    expect(textOf(instances).split('\n')).toEqual(lines);
  });
  it(named('7. Validate Response Format Before Returning'), () => {
    expect(() => assertResponse({ content: [] })).toThrow('`success` is true or false');
    expect(() => assertResponse(success({ content: [{}] }))).toThrow('/content/0/type');
  });
});

describe('Testing Procedures', () => {
  it(named('2. Schema Validation: Response should match MCP schema'), async () => {
    // The schema is ours, the validator the one that the document uses.
    const { $schema: _, ...schema } = envelopeSchema;
    const validate = new Ajv({ strict: false, validateFormats: false }).compile(schema);
    for (const response of [await started(), await missing(), await tool('Stop'), await tool('ListInstances')])
      expect([validate(response), validate.errors]).toEqual([true, null]);
    expect(validate({ ...(await started()), error: { code: 'E', message: 'm' } })).toBe(false);
  });
  it(named('3. Integration Tests with Client Applications'), async () => {
    // One that takes the envelope, as the app sends it by default.
    const client = createClient('http://localhost', {
      fetch: async (url, init) => app.fetch(new Request(url, init)),
      headers: { accept: 'application/json' },
    });
    const data = { id: 'i-1', status: 'running' };
    expect(await client.call('GetInstance', { id: 'i-1' })).toEqual({ ok: true, data });
    const failed = { ok: false, error: { code: 'INSTANCE_NOT_FOUND' } };
    expect(await client.call('GetInstance', { id: 'i-9' })).toMatchObject(failed);
    // And one that reads the envelope itself.
    expect(readResponse(await missing())).toMatchObject(failed);
  });
  it(named('4. Response Format Validation Middleware'), async () => {
    const served = express();
    served.use(checkResponses({ report: () => {} }));
    served.get('/wrong', (_request, response) => void response.json({ data: 1 }));
    served.get('/not-json', (_request, response) => void response.send('words')); // the document's sketch throws here
    const server = createServer(served);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const wrong = await (await fetch(`${url}/wrong`)).json();
    expect(assertResponse(wrong)).toMatchObject({ success: false, error: { code: 'INVALID_RESPONSE_FORMAT' } });
    expect(await (await fetch(`${url}/not-json`)).text()).toBe('words');
    server.closeAllConnections();
    server.close();
  });
  it(named('5. Automated Response Format Auditing'), async () => {
    const records: AuditRecord[] = [];
    const audit = { to: (record: AuditRecord) => void records.push(record) };
    const audited = createApp({ ...options, check: 'observe', audit });
    await audited.respond({ name: 'GetInstance', input: { id: 'i-1' }, caller: { wire: 'test' } }, audited.profile);
    expect(records).toMatchObject([{ operationId: 'functions.GetInstance', code: 'OK', violations: [] }]);
    // For a tool that is not ours: the issues, with the place of each.
    const violations = checkResponse({ success: false, content: [{}] });
    expect(violations.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      'envelope.timestamp /timestamp',
      'envelope.item-type /content/0/type',
      'envelope.error-required /error',
    ]);
  });
});
