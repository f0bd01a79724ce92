// MCP Response Format Standards: every requirement, type, wrapper, pitfall, best practice and testing procedure of that
// document, under its name.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Ajv } from 'ajv';
import { createApp } from 'everywire';
import type { AuditRecord } from 'everywire';
import { createClient } from 'everywire/client';
import { checkResponses } from 'everywire/express';
import {
  assertResponse,
  checkResponse,
  createErrorResponse,
  createSuccessResponse,
  envelopeContent,
  envelopeSchema,
  readResponse,
  textOf,
  wrapTool,
} from 'everywire/responses';
import express from 'express';
import { describe, expect, it, vi } from 'vitest';
import { functions, MOMENT } from '../apps/profiles.ts';
import { proves } from '../promises.ts';

const app = createApp({
  name: 'Instances',
  version: '1',
  functions,
  profile: 'envelope',
  clock: () => new Date(MOMENT),
});

/** A tool of an app that answers in envelopes. */
const tool = async (name: string, input: object = {}) => {
  const { body } = await app.respond({ name, input, caller: { wire: 'test' } }, app.profile);
  return JSON.parse(body) as Record<string, any>;
};
const started = () => tool('GetInstance', { id: 'i-1' });
const missing = () => tool('GetInstance', { id: 'i-9' });
const rulesBrokenBy = (body: unknown) => checkResponse(body).map(({ rule }) => rule);
const named = (title: string) => proves('response.seeds', title);

describe('Key Requirements', () => {
  it(named('1. Every response must include a content array'), async () => {
    for (const response of [await started(), await missing(), await tool('Stop')]) {
      expect(response['content'].length).toBeGreaterThan(0);
    }
    expect(rulesBrokenBy({ success: true, timestamp: MOMENT })).toEqual(['envelope.content']);
  });
  it(named('2. Each content item must have a type field'), async () => {
    for (const item of (await started())['content']) expect(item.type).toBe('text');
    expect(rulesBrokenBy({ success: true, timestamp: MOMENT, content: [{ text: 'x' }] })).toEqual([
      'envelope.item-type',
    ]);
  });
  it(named('3. Success responses must set success: true'), async () => {
    expect(await started()).toMatchObject({ success: true, data: { id: 'i-1', status: 'running' } });
    expect(await tool('Stop')).not.toHaveProperty('data');
  });
  it(named('4. Error responses must set success: false and include an error object'), async () => {
    expect(await missing()).toMatchObject({ success: false, error: { code: 'INSTANCE_NOT_FOUND' } });
    expect(rulesBrokenBy({ success: false, timestamp: MOMENT, content: [{ type: 'text', text: 'x' }] })).toEqual([
      'envelope.error-required',
    ]);
  });
  it(named('5. All responses must include a timestamp'), async () => {
    for (const response of [await started(), await missing()]) expect(response['timestamp']).toBe(MOMENT);
    expect(rulesBrokenBy({ success: true, content: [{ type: 'text', text: 'x' }] })).toEqual(['envelope.timestamp']);
  });
});

describe('Response Types', () => {
  const of = (...content: object[]) => ({ success: true, timestamp: MOMENT, content });
  it(named('Text Responses'), () => {
    expect(rulesBrokenBy(of(envelopeContent.text('Instance started')))).toEqual([]);
    expect(rulesBrokenBy(of({ type: 'text' }))).toEqual(['envelope.text-item']);
  });
  it(named('Image Responses'), () => {
    const image = envelopeContent.image({
      url: 'https://example.com/cpu.png',
      altText: 'CPU',
      width: 800,
      height: 400,
      caption: 'A day',
    });
    expect(rulesBrokenBy(of(image))).toEqual([]);
    expect(rulesBrokenBy(of({ type: 'image', url: 'x' }))).toEqual(['envelope.image-item']);
  });
  it(named('Resource Responses'), () => {
    const resource = envelopeContent.resource({
      resourceType: 'url',
      identifier: 'http://localhost:8080',
      name: 'UI',
      metadata: { requiresAuth: true },
    });
    expect(rulesBrokenBy(of(resource))).toEqual([]);
    expect(rulesBrokenBy(of({ type: 'resource', name: 'UI' }))).toEqual([
      'envelope.resource-item',
      'envelope.resource-item',
    ]);
  });
  it(named('Error Responses'), async () => {
    expect(await missing()).toEqual({
      success: false,
      timestamp: MOMENT,
      content: [{ type: 'text', text: "Error: Instance 'i-9' not found" }],
      error: { code: 'INSTANCE_NOT_FOUND', message: "Instance 'i-9' not found", details: { known: ['i-1'] } },
    });
  });
});

describe('Wrapper Functions', () => {
  it(named('Success Response Wrapper'), () => {
    expect(createSuccessResponse({ instance: { name: 'web', status: 'running' } })).toMatchObject({
      success: true,
      content: [{ type: 'text', text: 'instance:\n  name:   web\n  status: running' }],
    });
  });
  it(named('Error Response Wrapper'), () => {
    const response = createErrorResponse('Instance not found', 'INSTANCE_NOT_FOUND', { instanceId: 'i-1' });
    expect(assertResponse(response)).toMatchObject({
      success: false,
      content: [{ text: 'Error: Instance not found' }],
    });
    expect(createErrorResponse('?').error.code).toBe('UNKNOWN_ERROR');
  });
  it(named('Tool Response Wrapper'), async () => {
    const onError = () => {};
    // Where the sketch in the document breaks its own format: an error that is a text, and no timestamp.
    const thrown = await wrapTool(
      () => {
        throw new Error('lost');
      },
      { onError },
    )();
    expect(assertResponse(thrown)).toMatchObject({
      success: false,
      error: { code: 'INTERNAL_ERROR', message: 'lost' },
    });
    // Where it falls through: data without `success`.
    expect(assertResponse(await wrapTool(() => ({ id: 1 }))())).toMatchObject({ success: true, data: { id: 1 } });
    expect(assertResponse(await wrapTool(() => null)())).toMatchObject({ success: true, data: null });
    expect(assertResponse(await wrapTool(() => ({ success: true, message: 'Started' }))())).toMatchObject({
      content: [{ type: 'text', text: 'Started' }],
    });
  });
});

describe('Common Pitfalls and Errors', () => {
  it(named('1. Missing Content Array'), async () => {
    const incorrect = { success: true, timestamp: MOMENT, data: { instanceId: 'i-1' } };
    expect(rulesBrokenBy(incorrect)).toEqual(['envelope.content']);
    expect(rulesBrokenBy(await wrapTool(() => incorrect)())).toEqual([]);
  });
  it(named('2. Inconsistent Error Formatting'), async () => {
    const incorrect = { success: false, message: 'Instance not found' };
    expect(rulesBrokenBy(incorrect)).toContain('envelope.error-required');
    expect(await wrapTool(() => incorrect)()).toMatchObject({ error: { message: 'Instance not found' } });
    expect(
      rulesBrokenBy(
        await wrapTool(
          () => {
            throw new Error('Instance not found');
          },
          { onError: () => {} },
        )(),
      ),
    ).toEqual([]);
  });
  it(named('3. Missing Type Field in Content Items'), async () => {
    const incorrect = { success: true, timestamp: MOMENT, content: [{ text: 'Operation completed' }] };
    expect(rulesBrokenBy(incorrect)).toEqual(['envelope.item-type']);
    expect(await wrapTool(() => incorrect)()).toMatchObject({
      content: [{ type: 'text', text: 'Operation completed' }],
    });
  });
  it(named('4. Returning Raw Data Without Formatting'), async () => {
    const data = { cpu: { average: 45, peak: 87 } };
    expect(
      rulesBrokenBy({
        success: true,
        timestamp: MOMENT,
        content: [{ type: 'text', text: JSON.stringify(data) }],
        data,
      }),
    ).toEqual(['envelope.readable']);
    expect(createSuccessResponse(data).content[0]).toEqual({
      type: 'text',
      text: 'cpu:\n  average: 45\n  peak:    87',
    });
  });
  it(named('5. Inconsistent Success/Error Flags'), async () => {
    for (const incorrect of [
      { ok: true, data: {} },
      { status: 'success', result: {} },
    ]) {
      expect(rulesBrokenBy(incorrect)).toContain('envelope.success');
      expect(await wrapTool(() => incorrect)()).toMatchObject({ success: true });
    }
  });
});

describe('Best Practices', () => {
  it(named('1. Always Use Wrapper Functions'), () => {
    expect(rulesBrokenBy(createSuccessResponse({ instance: {} }))).toEqual([]);
    expect(rulesBrokenBy(createErrorResponse('x', 'X'))).toEqual([]);
  });
  it(named('2. Provide Human-Readable Text'), async () => {
    expect((await started())['content'][0].text).toBe('id:     i-1\nstatus: running');
    expect((await tool('ListInstances'))['content'][0].text).toBe('2 instances are known'); // in the author's words
  });
  it(named('3. Include Detailed Error Information'), async () => {
    expect((await missing())['error']).toEqual({
      code: 'INSTANCE_NOT_FOUND',
      message: "Instance 'i-9' not found",
      details: { known: ['i-1'] },
    });
  });
  it(named('4. Handle Exceptions Consistently'), async () => {
    const logged: unknown[] = [];
    const error = new Error('disk full');
    const fails = wrapTool(
      async () => {
        throw error;
      },
      { onError: (thrown) => void logged.push(thrown) },
    );
    expect(await fails()).toMatchObject({ success: false, content: [{ text: 'Error: disk full' }] });
    expect(logged).toEqual([error]);
  });
  it(named('5. Use Appropriate Content Types'), () => {
    const link = envelopeContent.resource({ resourceType: 'url', identifier: 'https://example.com', name: 'UI' });
    const response = createSuccessResponse({ id: 1 }, { text: 'Open it:', content: [link] });
    expect(assertResponse(response).content.map(({ type }) => type)).toEqual(['text', 'resource']);
  });
  it(named('6. Format Text for Readability'), () => {
    const instances = [
      { id: 'i-1', name: 'web', status: 'running' },
      { id: 'i-2', name: 'database', status: 'stopped' },
    ];
    expect(textOf(instances)).toBe(
      [
        '2 items',
        '',
        'id   name      status',
        '---  --------  -------',
        'i-1  web       running',
        'i-2  database  stopped',
      ].join('\n'),
    );
  });
  it(named('7. Validate Response Format Before Returning'), () => {
    expect(() => assertResponse({ content: [] })).toThrow('`success` is true or false');
    expect(() => assertResponse({ success: true, timestamp: MOMENT, content: [{}] })).toThrow('/content/0/type');
  });
});

describe('Testing Procedures', () => {
  it(named('1. Unit Tests for Response Format: Success response should have required fields'), async () => {
    const response = await started();
    expect(response).toHaveProperty('success', true);
    expect(response).toHaveProperty('timestamp');
    expect(Array.isArray(response['content'])).toBe(true);
    for (const item of response['content']) expect(item).toHaveProperty('type');
  });
  it(named('1. Unit Tests for Response Format: Error response should have required fields'), async () => {
    const response = await tool('GetInstance', { invalidParam: true });
    expect(response).toHaveProperty('success', false);
    expect(response).toHaveProperty('timestamp');
    expect(Array.isArray(response['content'])).toBe(true);
    expect(response['error']).toMatchObject({ code: 'INVALID_ARGUMENTS', message: expect.any(String) });
  });
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
    expect(await client.call('GetInstance', { id: 'i-1' })).toEqual({
      ok: true,
      data: { id: 'i-1', status: 'running' },
    });
    expect(await client.call('GetInstance', { id: 'i-9' })).toMatchObject({
      ok: false,
      error: { code: 'INSTANCE_NOT_FOUND' },
    });
    // And one that reads the envelope itself.
    expect(readResponse(await missing())).toMatchObject({ ok: false, error: { code: 'INSTANCE_NOT_FOUND' } });
  });
  it(named('4. Response Format Validation Middleware'), async () => {
    const served = express();
    served.use(checkResponses({ report: () => {} }));
    served.get('/wrong', (_request, response) => void response.json({ data: 1 }));
    served.get('/not-json', (_request, response) => void response.send('words')); // the document's sketch throws here
    const server = createServer(served);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const wrong = await fetch(`${url}/wrong`);
    expect(assertResponse(await wrong.json())).toMatchObject({
      success: false,
      error: { code: 'INVALID_RESPONSE_FORMAT' },
    });
    expect(await (await fetch(`${url}/not-json`)).text()).toBe('words');
    server.closeAllConnections();
    server.close();
  });
  it(named('5. Automated Response Format Auditing'), async () => {
    const records: AuditRecord[] = [];
    const audited = createApp({
      name: 'Audited',
      version: '1',
      functions,
      profile: 'envelope',
      check: 'observe',
      audit: { to: (record) => void records.push(record) },
    });
    await audited.respond({ name: 'GetInstance', input: { id: 'i-1' }, caller: { wire: 'test' } }, audited.profile);
    expect(records).toMatchObject([{ operationId: 'functions.GetInstance', code: 'OK', violations: [] }]);
    // For a tool that is not ours: the issues, with the place of each.
    const warn = vi.fn();
    const violations = checkResponse({ success: false, content: [{}] });
    if (violations.length > 0) warn(violations.map(({ rule, pointer }) => `${rule} ${pointer}`));
    expect(warn).toHaveBeenCalledWith([
      'envelope.timestamp /timestamp',
      'envelope.item-type /content/0/type',
      'envelope.error-required /error',
    ]);
  });
});
