import fs from 'node:fs';
import { readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { auditConsole, createApp } from 'everywire';
import type { AuditOptions, AuditRecord, FunctionDefinition, JsonSchema } from 'everywire';
import { auditFile } from 'everywire/node';
import { openTelemetry } from 'everywire/opentelemetry';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keys, options } from '../apps/access.ts';
import { functions } from '../apps/profiles.ts';
import { asJson } from '../kit/as-json.ts';
import { expectErrors } from '../kit/errors.ts';
import { fn, integer, object } from '../kit/functions.ts';
import { throwing } from '../kit/parts.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { createTelemetry, passContexts } from './telemetry.ts';

expectErrors(/the disk is full/, /"message":"no"/, /Cannot assign to read only property .code./);

const appWith = (audit: AuditOptions, ...own: FunctionDefinition[]) =>
  createApp({ name: 'Audited', version: '1', functions: own.length > 0 ? own : functions, audit });

const records: AuditRecord[] = [];
const app = appWith({ to: (record) => void records.push(record) });
afterEach(() => {
  records.length = 0;
  vi.restoreAllMocks();
});

const post = (path: string, body: string, headers?: Record<string, string>) =>
  app.fetch(new Request(`http://localhost${path}`, asJson(body, headers)));

it(proves('audit.record', 'names the wire, and the documentation names every wire'), async () => {
  const root = join(import.meta.dirname, '../..');
  const files = (await readdir(join(root, 'src'), { recursive: true })).filter((file) =>
    /^(?!testing).*\.ts$/.test(file),
  );
  const sources = await Promise.all(files.map((file) => readFile(join(root, 'src', file), 'utf8')));
  const named = sources.flatMap((text) =>
    [...text.matchAll(/(?:\bwire: |\{ \.\.\.options, name: )'([a-z-]+)'/g)].map(([, wire]) => wire!),
  );
  expect(new Set(named)).toEqual(new Set(['http', 'cgi', 'cli', 'mcp-http', 'mcp-stdio', 'process']));
  const row = /^\| `wire` \|.*$/m.exec(await readFile(join(root, 'docs/audit.md'), 'utf8'))?.[0];
  for (const wire of named) expect(row).toContain(`\`${wire}\``);
});

describe('an audit record', () => {
  it(proves('audit.record', 'describes a call completely'), async () => {
    const response = await post('/functions/GetInstance', '{"id":"i-1","other":1}', { 'x-request-id': 'abc-1' });
    const body = await response.text();
    expect(records).toEqual([
      {
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
        operationId: 'functions.GetInstance',
        wire: 'http',
        requestId: 'abc-1',
        code: 'OK',
        duration: expect.any(Number),
        bytes: Buffer.byteLength(body),
        repairs: [{ pointer: '/other', did: 'unknown field dropped' }],
        violations: [],
      },
    ]);
    expect(response.headers.get('x-request-id')).toBe('abc-1');
  });

  it(proves('audit.record', 'is written for every outcome, also without JSON or a function'), async () => {
    await post('/functions/GetInstance', '{"id":"i-9"}');
    await post('/functions/GetInstance', '{}');
    await post('/functions/GetInstance', '{');
    await post('/functions/Nowhere', '{}');
    await post('/functions/GetInstance', '"x"', { 'content-type': 'text/plain' });
    await app.call('Stop');
    expect(records.map(({ operationId, wire, code }) => [operationId, wire, code])).toEqual([
      ['functions.GetInstance', 'http', 'INSTANCE_NOT_FOUND'],
      ['functions.GetInstance', 'http', 'INVALID_ARGUMENTS'],
      ['functions.GetInstance', 'http', 'INVALID_JSON'],
      ['Nowhere', 'http', 'FUNCTION_NOT_FOUND'],
      ['functions.GetInstance', 'http', 'UNSUPPORTED_MEDIA_TYPE'],
      ['functions.Stop', 'process', 'OK'],
    ]);
    expect(new Set(records.map(({ requestId }) => requestId)).size).toBe(6);
    expect(records.at(-1)?.bytes).toBe(0);
  });

  it(proves('audit.record', 'has a generated id if the caller sends none, or an unsafe one'), async () => {
    const response = await post('/functions/Stop', '{}', { 'x-request-id': 'no <script>' });
    expect(records[0]?.requestId).toMatch(/^[\da-f-]{36}$/);
    expect(response.headers.get('x-request-id')).toBe(records[0]?.requestId);
  });

  it(proves('audit.survives', 'reaches the other sinks if one throws'), async () => {
    const seen: string[] = [];
    const fails = throwing(new Error('the disk is full'));
    const stubborn = appWith({
      to: [
        fails,
        async () => fails(),
        { begin: fails },
        { begin: () => ({ run: fails, end: fails }) },
        { begin: () => ({ run: (work) => work(), end: () => void seen.push('observed') }) },
        (record) => void seen.push(record.code),
      ],
    });
    expect(await stubborn.call('Split')).toEqual({ ok: true, data: ['a', 2] });
    expect(seen).toEqual(['observed', 'OK']);
  });

  it(proves('audit.secrets', 'contains arguments only if enabled, and never a secret'), async () => {
    const logged: AuditRecord[] = [];
    const { call } = appWith({ to: (record) => void logged.push(record), arguments: true });
    const secret = 'hunter2-hunter2';
    const input = { user: 'Ada Lovelace', password: secret, tokens: [{ value: secret, label: secret }], attempts: 2 };
    await call('Login', input);
    await call('Login', { user: 'Ada Lovelace', pasword: secret } as never); // misspelled, so it is rejected
    await call('Login', { user: 'Ada Lovelace', password: { nested: secret } } as never);
    await call('Login', secret as never);
    expect(logged.map((record) => record.arguments)).toEqual([
      {
        user: 'Ada Lovelace',
        password: '[redacted]',
        tokens: [{ value: '[redacted]', label: '[redacted]' }],
        attempts: 2,
      },
      { user: 'Ada Lovelace', pasword: '[redacted]' },
      { user: 'Ada Lovelace', password: '[redacted]' },
      '[redacted]',
    ]);
    expect(JSON.stringify(logged)).not.toContain(secret);
    await app.call('Login', input);
    expect(JSON.stringify(records)).not.toContain('Ada Lovelace');
  });

  it(proves('audit.record', 'has the arguments as sent, whatever the function does to them'), async () => {
    const logged: AuditRecord[] = [];
    const spend = fn('Spend', { input: object({ n: integer }) }, (given) => void Object.assign(given, { n: 0 }));
    await appWith({ to: (record) => void logged.push(record), arguments: true }, spend).call('Spend', { n: 5 });
    expect(logged[0]?.arguments).toEqual({ n: 5 });
  });

  it(proves('audit.survives', 'each series of failures of an asynchronous sink is logged'), async () => {
    let isFull = true;
    const { call } = appWith({ to: async () => (isFull ? Promise.reject(new Error('the disk is full')) : undefined) });
    const write = vi.spyOn(console, 'error').mockImplementation(() => {});
    for (const full of [true, true, false, true, true]) {
      isFull = full;
      await call('Stop');
      await Promise.resolve();
    }
    expect(write.mock.calls).toHaveLength(2);
  });

  it(proves('audit.record', 'is written with arguments, whatever a caller sends'), async () => {
    const logged: AuditRecord[] = [];
    const open = fn('Open', { input: object({ o: { type: 'object', description: 'Anything' } }, []) }, () => {});
    const audited = appWith({ to: (record) => void logged.push(record), arguments: true }, open);
    const deep = `${'{"o":'.repeat(50_000)}1${'}'.repeat(50_000)}`;
    expect((await audited.fetch(new Request('http://localhost/functions/Open', asJson(deep)))).status).toBe(400);
    const circle: Record<string, unknown> = {};
    circle['o'] = circle;
    await audited.call('Open', circle as never);
    const no = throwing(new Error('no'));
    await audited.call('Open', new Proxy({}, { ownKeys: no }) as never);
    await audited.call('Open', { o: { token: 'hunter2', n: 5n } } as never);
    expect(logged).toHaveLength(4);
    expect(logged[3]?.arguments).toEqual({ o: { token: '[redacted]', n: '[redacted]' } });
  });

  it(proves('audit.record', 'goes to each sink, and the function runs once'), async () => {
    let runs = 0;
    const counted = fn('Count', {}, () => void runs++);
    const late = {
      begin: () => ({ run: <T>(work: () => T): T => (setTimeout(work, 0), undefined as T), end: () => {} }),
    };
    const tampering = (record: AuditRecord) => Object.assign(record, { code: 'CHANGED' });
    const seen: string[] = [];
    const audited = appWith({ to: [late, tampering, (record) => void seen.push(record.code)] }, counted);
    await audited.call('Count');
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect([runs, seen]).toEqual([1, ['OK']]);
  });

  it(proves('audit.secrets', 'wherever the schema marks them, and even if the values are invalid'), async () => {
    const secret = { type: 'string', writeOnly: true } as const;
    const logged: AuditRecord[] = [];
    const either = [
      { ...secret, minLength: 9 },
      { ...secret, pattern: '^x' },
    ];
    const input = {
      type: 'object',
      properties: {
        pw: { type: 'string', format: 'password', description: 'Secret' },
        either: { anyOf: either, description: 'Secret' },
        list: { type: 'array', prefixItems: [{ type: 'string' }, secret], description: 'One of them is secret' },
      },
      allOf: [{ properties: { pw: { minLength: 20 } } }],
      dependentSchemas: { pw: { properties: { hint: { ...secret, description: 'Secret' } } } },
    } as const;
    const audited = appWith(
      { to: (record) => void logged.push(record), arguments: true },
      fn('Strict', { input }, () => {}),
    );
    const fields = [{ pw: 'hunter2' }, { either: 'hunter2' }, { list: ['a', 5] }, { hint: 'hunter2', pw: 'x' }];
    const calls = [...fields, 'hunter2', '["hunter2"]'].map((given) => audited.call('Strict', given as never));
    const outcomes = await Promise.all(calls);
    expect(outcomes.every(({ ok }) => !ok)).toBe(true);
    expect(JSON.stringify([outcomes, logged])).not.toContain('hunter2');
  });

  const PIN = { type: 'string', format: 'password' };
  const LOGIN = { type: 'object', properties: { user: { type: 'string' }, pin: PIN }, required: ['user', 'pin'] };
  const WRAPPED: Record<string, (secret: JsonSchema) => JsonSchema> = {
    alone: (secret) => secret,
    nullable: (secret) => ({ anyOf: [secret, { type: 'null' }] }),
    'by reference': () => ({ $ref: '#/$defs/S' }),
    'nullable by reference': () => ({ anyOf: [{ $ref: '#/$defs/S' }, { type: 'null' }] }),
    'in allOf': (secret) => ({ allOf: [secret] }),
    'beside others': (secret) => ({ oneOf: [secret, { type: 'array', items: secret }, { const: false }] }),
    nested: (secret) => ({ anyOf: [{ allOf: [{ anyOf: [secret, { type: 'null' }] }] }, { type: 'null' }] }),
  };
  it.each(Object.entries(WRAPPED))(proves('audit.secrets', 'nothing of a secret is shown: %s'), async (_, wrap) => {
    const logged: AuditRecord[] = [];
    for (const secret of [PIN, LOGIN]) {
      const input = { type: 'object', properties: { s: wrap(secret) }, $defs: { S: secret } };
      const to = (record: AuditRecord) => void logged.push(record);
      const { call } = appWith(
        { to, arguments: true },
        fn('Strict', { input }, () => {}),
      );
      const whole = { user: 'ada', pin: '734512' };
      const given = [734512, '734512', ['734512'], [734512], whole, { ...whole, pin: 734512 }, { pin: '734512' }];
      const texts = [JSON.stringify(whole), '{"pin":"734512"', '["734512"'];
      for (const s of [...given, ...texts]) {
        const { ok, error } = (await call('Strict', { s } as never)) as { ok: boolean; error?: unknown };
        const shown = JSON.stringify([ok, error, logged.splice(0)]);
        // A string where only objects with secrets are declared, or something else where only a secret string is.
        expect([s, shown.includes('734512')]).toEqual([s, false]);
      }
    }
  });

  it('createApp rejects an invalid sink', () => {
    expect(() => appWith({ to: [{} as never] })).toThrow(
      'audit.to must be a sink, such as auditConsole() or a function, or a list of them',
    );
  });
});

describe('sinks', () => {
  it(proves('audit.sinks', 'the console: one line of JSON on stderr'), async () => {
    const write = vi.spyOn(console, 'error').mockImplementation(() => {});
    await appWith({ to: auditConsole() }).call('Stop');
    const [[line]] = write.mock.calls as [[string]];
    expect(JSON.parse(line)).toMatchObject({ operationId: 'functions.Stop', code: 'OK' });
  });

  it(proves('audit.sinks', 'a file: whole lines, readable by its owner only, and rotated at any time'), async () => {
    const path = join(temporaryFolder('audit'), 'audit.jsonl');
    const file = auditFile(path);
    const { call } = appWith({ to: file });
    await call('Stop');
    await call('Split');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    await rename(path, `${path}.1`);
    await call('Stop');
    await rm(path);
    await call('GetInstance', { id: 'i-9' });
    file.close();
    await call('Mumble'); // opens it again
    const lines = async (name: string) =>
      (await readFile(name, 'utf8'))
        .split('\n')
        .filter(Boolean)
        .map((line) => (JSON.parse(line) as AuditRecord).operationId);
    expect(await lines(`${path}.1`)).toEqual(['functions.Stop', 'functions.Split']);
    expect(await lines(path)).toEqual(['functions.GetInstance', 'functions.Mumble']);
    file.close();
  });

  it(proves('audit.survives', 'a file that cannot be written is reported once, and calls continue'), async () => {
    expect(() => auditFile('/nowhere/at/all.jsonl')).toThrow('ENOENT');
    const folder = temporaryFolder('audit');
    const file = auditFile(join(folder, 'audit.jsonl'));
    await rm(folder, { recursive: true });
    const write = vi.spyOn(console, 'error').mockImplementation(() => {});
    const { call } = appWith({ to: file });
    expect([await call('Stop'), await call('Stop')].map(({ ok }) => ok)).toEqual([true, true]);
    expect(write.mock.calls).toHaveLength(1);
  });

  it(proves('audit.survives', 'after a full disk, records begin a line, and the lost ones are counted'), async () => {
    const path = join(temporaryFolder('audit'), 'audit.jsonl');
    const file = auditFile(path);
    const { writeSync } = fs;
    const patch = (replaced: typeof writeSync) => ((fs.writeSync = replaced), syncBuiltinESMExports());
    const write = vi.spyOn(console, 'error').mockImplementation(() => {});
    patch(((fd: number) => (writeSync(fd, '{"half":'), expect.unreachable('ENOSPC'))) as never);
    for (const code of ['a', 'b']) file({ code } as never);
    patch(writeSync);
    file({ code: 'c' } as never);
    file.close();
    expect((await readFile(path, 'utf8')).split('\n').slice(1)).toEqual(['{"code":"c"}', '']);
    expect(write.mock.calls.join()).toContain('2 audit records could not be written');
  });
});

describe('OpenTelemetry', () => {
  const { spans, metrics, reader, meterProvider, tracerProvider } = createTelemetry();
  let stop: () => void;
  beforeAll(() => void (stop = passContexts()));

  /** Does part of its work in a span of its own. */
  const inner = fn('Outer', {}, async () => {
    await Promise.resolve();
    tracerProvider.getTracer('database').startSpan('query').end();
  });
  const traced = appWith({ to: openTelemetry({ tracerProvider, meterProvider }) }, ...functions, inner);
  const send = (name: string, body: string, headers?: Record<string, string>) =>
    traced.fetch(new Request(`http://localhost/functions/${name}`, asJson(body, headers)));

  beforeEach(() => spans.reset());
  afterAll(async () => {
    await meterProvider.shutdown();
    stop();
  });

  it(proves('audit.sinks', 'OpenTelemetry: a span by the conventions for MCP'), async () => {
    const response = await send('GetInstance', '{"id":"i-1"}', { 'x-request-id': 'r-1' });
    const [span] = spans.getFinishedSpans();
    expect(span?.name).toBe('tools/call functions.GetInstance');
    expect(span?.kind).toBe(1); // SERVER
    expect(span?.attributes).toEqual({
      'mcp.method.name': 'tools/call',
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'functions.GetInstance',
      'network.transport': 'tcp',
      'network.protocol.name': 'http',
      'everywire.wire': 'http',
      'everywire.code': 'OK',
      'everywire.request.id': 'r-1',
      'everywire.body.size': (await response.text()).length,
      'everywire.repairs': 0,
      'everywire.violations': 0,
    });
    expect(span?.status.code).toBe(0);
  });

  it(proves('audit.sinks', 'OpenTelemetry: every wire has a transport'), async () => {
    for (const wire of ['http', 'mcp-http', 'mcp-stdio', 'cli', 'cgi']) {
      await traced.respond({ name: 'GetInstance', input: { id: 'i-1' }, caller: { wire } });
    }
    const transports = spans.getFinishedSpans().map(({ attributes }) => attributes['network.transport']);
    expect(transports).toEqual(['tcp', 'tcp', 'pipe', 'pipe', 'pipe']);
  });

  it(proves('audit.sinks', 'OpenTelemetry: failures have an error.type, unknown names do not'), async () => {
    await send('GetInstance', '{"id":"i-9"}');
    await send('GetInstance', '{');
    await send('Nowhere', '{}');
    await traced.call('GetInstance', { id: 'i-1' }, { signal: AbortSignal.abort() });
    const NAMES = ['error.type', 'rpc.response.status_code', 'gen_ai.tool.name'];
    const found = spans
      .getFinishedSpans()
      .map(({ name, attributes, status }) => [name, ...NAMES.map((one) => attributes[one]), status.message]);
    expect(found).toEqual([
      ['tools/call functions.GetInstance', 'tool_error', undefined, 'functions.GetInstance', 'INSTANCE_NOT_FOUND'],
      ['tools/call functions.GetInstance', '-32700', '-32700', 'functions.GetInstance', 'INVALID_JSON'],
      ['tools/call', '-32602', '-32602', undefined, 'FUNCTION_NOT_FOUND'],
      ['tools/call functions.GetInstance', 'cancelled', undefined, 'functions.GetInstance', 'CANCELLED'],
    ]);
  });

  it(proves('audit.sinks', "OpenTelemetry: spans are children of the caller's"), async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    await send('Outer', '{}', { traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    const [query, call] = spans.getFinishedSpans();
    expect([query?.name, call?.name]).toEqual(['query', 'tools/call functions.Outer']);
    expect(call?.parentSpanContext?.spanId).toBe('00f067aa0ba902b7');
    expect(query?.parentSpanContext?.spanId).toBe(call?.spanContext().spanId);
    expect(query?.spanContext().traceId).toBe(traceId);
  });

  it(proves('audit.sinks', 'OpenTelemetry: the duration is measured in seconds'), async () => {
    await reader.forceFlush();
    metrics.reset();
    await traced.call('Split');
    await traced.call('Wait');
    await reader.forceFlush();
    const [found] = metrics.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    expect(found?.descriptor).toMatchObject({ name: 'mcp.server.operation.duration', unit: 's' });
    expect(
      found?.dataPoints.map(({ attributes, value }) => [
        attributes['gen_ai.tool.name'],
        attributes['error.type'],
        (value as { count: number }).count,
        (value as { buckets: { boundaries: number[] } }).buckets.boundaries.slice(0, 2),
      ]),
    ).toEqual([
      ['functions.Split', undefined, 1, [0.01, 0.02]],
      ['functions.Wait', 'tool_error', 1, [0.01, 0.02]],
    ]);
  });

  it(proves('access.audit', 'records and spans name the principal, and nothing secret'), async () => {
    const to = [(record: AuditRecord) => void records.push(record), openTelemetry({ tracerProvider, meterProvider })];
    const guarded = createApp({ ...options, audit: { to, arguments: true } });
    const read = (headers: Record<string, string>) =>
      guarded.fetch(new Request('http://localhost/functions/Read', asJson({ id: '1' }, headers)));
    await read({ 'x-api-key': keys.reader });
    await read({ 'x-api-key': keys.nobody });
    await read({});
    await read({ 'x-api-key': 'canary-key' });
    await guarded.call(
      'Read',
      { id: '1' },
      { principal: { id: 'job', scopes: ['*'], claims: { secret: 'canary-claim' } } },
    );
    expect(records.map(({ code, principal }) => [code, principal])).toEqual([
      ['OK', { id: 'reader', kind: 'key' }],
      ['FORBIDDEN', { id: 'nobody', kind: 'key' }],
      ['UNAUTHENTICATED', { id: 'anonymous', kind: 'anonymous' }],
      ['UNAUTHENTICATED', undefined],
      ['OK', { id: 'job', kind: 'local' }],
    ]);
    const told = spans.getFinishedSpans().map(({ attributes }) => attributes);
    expect(told.map((span) => [span['enduser.id'], span['everywire.principal.kind']])).toEqual([
      ['reader', 'key'],
      ['nobody', 'key'],
      ['anonymous', 'anonymous'],
      [undefined, undefined],
      ['job', 'local'],
    ]);
    const seen = JSON.stringify([records, told]);
    for (const secret of ['canary', keys.reader, keys.nobody]) expect(seen).not.toContain(secret);
  });

  it(proves('audit.survives', 'OpenTelemetry without an SDK does nothing'), async () => {
    const bare = createApp({ name: 'Bare', version: '1', functions, audit: { to: openTelemetry() } });
    expect(await bare.call('Split')).toEqual({ ok: true, data: ['a', 2] });
  });
});
