import { getEventListeners } from 'node:events';
import { Writable } from 'node:stream';
import { describe, expect, it, vi } from 'vitest';
import { createApp, defineFunction, Failure } from '../../src/index.ts';
import type { App } from '../../src/app/app.ts';
import { createAppStore } from '../../src/app/app-store.ts';
import { checkEnvironment } from '../../src/app/check-embed-options.ts';
import { followTasks } from '../../src/app/follow-tasks.ts';
import { problemsInTaskKey } from '../../src/app/tasks.ts';
import { GrowingBytes } from '../../src/core/growing-bytes.ts';
import { isToolResult } from '../../src/responses/read-tool-result.ts';
import { compileCheck } from '../../src/schema/check.ts';
import { numberFromText } from '../../src/schema/from-text.ts';
import type { JsonSchema } from '../../src/schema/json-schema.ts';
import { sampleOf } from '../../src/schema/sample.ts';
import { toJson } from '../../src/schema/to-json.ts';
import { addEvent } from '../../src/tasks/task-records.ts';
import { LineReader } from '../../src/wires/mcp/line-reader.ts';
import { Outbox } from '../../src/wires/mcp/outbox.ts';
import { PendingIds } from '../../src/wires/mcp/sdk/pending-ids.ts';
import { proves } from '../promises.ts';

// Values exactly at a limit, and one beyond it: where a comparison that is off by one shows.

const MONTH_ENDS = '01-31 02-28 03-31 04-30 05-31 06-30 07-31 08-31 09-30 10-31 11-30 12-31'.split(' ');

describe('a schema', () => {
  const kind = (value: unknown) => ({ type: 'object', properties: { kind: { const: value } }, required: ['kind'] });
  const object = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, i]));

  it.each<[JsonSchema, accepted: unknown[], refused: unknown[]]>([
    [{ uniqueItems: true }, [[{ a: 1 }, { a: 2 }, 1, '1', null, {}]], ['1', null, { a: 1 }].map((one) => [one, one])],
    [
      { format: 'ipv6' },
      ['ABCD:ABCD:ABCD:ABCD:ABCD:ABCD:192.168.158.190'],
      ['0ABCD:ABCD:ABCD:ABCD:ABCD:ABCD:192.168.158.190'],
    ],
    [
      { format: 'date' },
      ['2024-02-29', '2000-02-29', ...MONTH_ENDS.map((end) => `2026-${end}`)],
      ['1900-02-29', '2026-13-01', '2026-02-29', '2026-04-31', '2026-06-31', '2026-09-31', '2026-11-31', '2026-12-32'],
    ],
    [{ format: 'ipv6' }, ['::ffff:1.2.3.4', '1:2:3:4:5:6:1.2.3.4'], ['1.2.3.4::', '1:2:3:4:5:6:7:1.2.3.4']],
    [
      { patternProperties: { '^a': { type: 'integer' } } },
      [{ a: 1, b: 'x' }, { b: 'x' }],
      [{ a: 'x' }, { b: 1, ab: 'x' }],
    ],
    [{ oneOf: [{ a: 1 }, { a: 2 }].map(kind) }, [{ kind: { a: 1 } }, { kind: { a: 2 } }], [{ kind: { a: 3 } }, {}]],
    [{ oneOf: [null, 'x'].map(kind) }, [{ kind: null }, { kind: 'x' }], [{ kind: 'null' }, {}]],
    [{ minProperties: 2, maxProperties: 3 }, [object(2), object(3)], [object(1), object(4)]],
    [{ minLength: 2, maxLength: 3 }, ['ab', 'abc', '💡💡'], ['a', 'abcd', '💡']],
  ])('%j', (schema, accepted, refused) => {
    const problems = compileCheck(schema);
    for (const value of accepted) expect([value, problems(value)]).toEqual([value, undefined]);
    for (const value of refused) expect([value, problems(value)]).not.toEqual([value, undefined]);
  });

  it.each<[JsonSchema, unknown]>([
    [{ type: 'integer', exclusiveMinimum: 10, exclusiveMaximum: 12 }, 11],
    [{ type: 'string', pattern: '^a{2,}$', minLength: 5 }, 'aaaaa'],
    [{ type: 'string', pattern: '^a{2,3}$', minLength: 3 }, 'aaa'],
    [{ properties: { a: { const: 1 } }, required: ['a'] }, { a: 1 }],
    [{ not: { type: ['string', 'integer', 'object', 'boolean', 'null'] } }, ['text']],
    [{ not: { type: ['string', 'number', 'array', 'boolean', 'null'] } }, {}],
  ])('%j has an example', (schema, example) => expect(sampleOf(schema, schema)).toEqual(example));
});

describe('values', () => {
  it('a number in a string loses no digit', () => {
    const texts = ['999999999999999', '9007199254740991', '9007199254740993', '-0'];
    expect(texts.map(numberFromText)).toEqual([999_999_999_999_999, 9_007_199_254_740_991, undefined, 0]);
  });

  it('a circle is not JSON, and says so', () => {
    const circle: Record<string, unknown> = {};
    circle['again'] = circle;
    expect(toJson(circle, 3)).toEqual({
      problem: { pointer: '/again/again/again', message: 'nested too deeply, or circular' },
    });
    expect(toJson({ a: { b: {} } }, 3)).toEqual({ value: { a: { b: {} } } });
  });

  it('bytes that arrive in chunks stay in order', () => {
    const bytes = new GrowingBytes();
    const chunks = [Buffer.from('one'), Buffer.alloc(2000, 'x'), Buffer.from('three')];
    for (const chunk of chunks) bytes.add(chunk);
    expect(Buffer.from(bytes.bytes)).toEqual(Buffer.concat(chunks));
  });

  it.each([
    [{ success: true, content: [], isError: false }, false],
    [{ content: 'text', isError: true }, false],
    [{ content: [], isError: false }, true],
    [{ isError: true }, true],
  ])('%j is a tool result: %s', (body, expected) => expect(isToolResult(body)).toBe(expected));

  it('where a schema has secrets, a message does not repeat a string in place of an object', () => {
    const password = { type: 'string', format: 'password' };
    const schema = {
      properties: { login: { type: ['object', 'null'], properties: { password } }, age: { type: 'integer' } },
    };
    const shown = JSON.stringify(compileCheck(schema)({ login: 's3cret', age: 'old' }));
    expect(shown).toContain('got \\"old\\"');
    expect(shown).not.toContain('s3cret');
  });
});

it.each<[line: (long: string) => object, id: unknown]>([
  [(long) => ({ jsonrpc: '2.0', id: 7, method: 'ping', params: { long } }), 7],
  [(long) => ({ method: 'ping', params: { id: 1, long }, jsonrpc: '2.0', id: 'a' }), 'a'],
  [(long) => ({ id: 8, params: { long }, method: 'ping' }), 8],
  [(long) => ({ jsonrpc: '2.0', id: 7, result: { method: 'ping', long } }), null],
  [(long) => [{ id: 7, method: 'ping', params: { long } }], null],
])('a line that is too long is answered with the id of its request: %s', (lineOf, id) => {
  for (const chunk of [1, 700, 10_000]) {
    const ids: unknown[] = [];
    const onError = (response: { id: unknown }) => void ids.push(response.id);
    const reader = new LineReader({ maxLength: 2000, maxDepth: 64, onLine: (text) => void ids.push(text), onError });
    const bytes = Buffer.from(`${JSON.stringify(lineOf('x'.repeat(5000)))}\n"next"\n`);
    for (let at = 0; at < bytes.length; at += chunk) reader.read(bytes.subarray(at, at + chunk));
    expect(ids).toEqual([id, '"next"']);
  }
});

it('a unique notification that was cut into pieces is written again', async () => {
  const written: string[] = [];
  const output = new Writable({
    highWaterMark: 1,
    decodeStrings: false,
    write: (text: string, _, done) => (written.push(text), void setImmediate(done)),
  });
  const outbox = new Outbox(output, () => {});
  for (let round = 0; round < 2; round++) {
    outbox.write('x');
    outbox.write('y'.repeat(65_530));
    outbox.writeUnique('changed');
    await outbox.hasRoom();
    await vi.waitFor(() => expect(written.join('').match(/changed/g)).toHaveLength(round + 1));
  }
});

it('an id of a request that failed may be used again', async () => {
  const ids = new PendingIds({ send: async () => {}, closeSSEStream() {} } as never);
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  await expect(ids.during(body, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(ids.has(1)).toBe(false);
});

const number = { type: 'integer', description: 'A number' } as const;

function appWith(definition: object, options: object = {}): App {
  const fn = defineFunction({ name: 'F', description: 'F', output: number, run: () => 1, ...definition } as never);
  return createApp({ name: 'Edges', version: '1.0.0', functions: [fn], ...options } as never) as unknown as App;
}

describe('a task', () => {
  const caller = { wire: 'test' } as const;
  const start = async (app: App, ttl?: number) => {
    const deferral = { caller: 'prefers', askable: [], ...(ttl !== undefined && { ttl }) } as never;
    const { outcome } = await app.respond({ name: 'F', input: {}, caller, deferral });
    return outcome.ok ? outcome.task! : expect.unreachable();
  };

  it.each<[taskTtl: number | undefined, asked: number | undefined, ttl: number | null]>([
    [undefined, undefined, 86_400_000],
    [0, undefined, null],
    [0, 5000, 5000],
    [9000, 5000, 5000],
    [5000, 9000, 5000],
    [5000, 0, 5000],
    [5000, -1, 5000],
  ])('with a taskTtl of %s, of which the caller asks %s, is kept for %s', async (taskTtl, asked, ttl) => {
    const app = appWith({ task: 'allowed', ...(taskTtl !== undefined && { taskTtl }) });
    expect((await start(app, asked)).ttlMs).toBe(ttl);
    await app.close();
  });

  it('is not listened to any more when its follower leaves', async () => {
    let finish: (value: number) => void = () => {};
    const app = appWith({ task: 'allowed', run: () => new Promise<number>((resolve) => (finish = resolve)) });
    const { taskId } = await start(app);
    const listening = vi.spyOn(app.tasks, 'listen');
    const forgotten: string[] = [];
    listening.mockImplementation(async (id) => () => void forgotten.push(id));
    for await (const _ of followTasks(app, { caller }, [taskId], new AbortController().signal)) break;
    expect(forgotten).toEqual([taskId]);
    finish(1);
    await app.close();
  });
});

it('the history of a task keeps its first event and the newest', () => {
  let history: ReturnType<typeof addEvent> = [];
  for (let i = 0; i < 100; i++) history = addEvent(history, `event ${i}`, i);
  const whats = history.map(({ what }) => what);
  expect([whats.length, whats[0], whats[1], whats.at(-1)]).toEqual([40, 'event 0', 'event 61', 'event 99']);
});

it(proves('leaks.none', 'a signal of many calls keeps no listener of a call that has ended'), async () => {
  const { signal } = new AbortController();
  const runs: Record<string, () => unknown> = {
    succeeds: async () => 1,
    fails: () => Promise.reject(new Failure('LOST', 'Lost')),
    'takes too long': () => new Promise(() => {}),
    yields: async function* () {
      yield 1;
      return 1;
    },
  };
  for (const [name, run] of Object.entries(runs)) {
    const app = appWith({ run, timeout: 20, ...(name === 'yields' && { yields: number }) });
    await app.call('F', {}, { signal });
    if (name === 'yields') for await (const _ of app.stream('F', {}, { signal }));
    expect([name, getEventListeners(signal, 'abort')]).toEqual([name, []]);
  }
});

describe('options', () => {
  it.each([
    [{ store: 'redis://a' }, 'redis://a', 'redis://a'],
    [{ redis: 'redis://b' }, 'redis://b', 'redis://b'],
    [{ store: 'redis://a', redis: 'redis://b' }, 'redis://a', 'redis://a'],
    [{ store: 'postgres://c/app' }, 'postgres://c/app', undefined],
    [{ store: 'postgres://c/app', redis: 'redis://b' }, 'postgres://c/app', 'redis://b'],
  ])('%j: the store, and what is shared in Redis', (options, url, redis) => {
    const store = createAppStore(options as never);
    expect([store.url, store.redis]).toEqual([url, redis]);
    store.use('redis://typed');
    expect([store.url, store.redis]).toEqual(['redis://typed', 'redis://typed']);
  });

  it.each([null, 'text', 1])('%j is not an environment', (environment) =>
    expect(() => checkEnvironment(environment as never, 'app.start')).toThrow(
      'app.start: the environment must be an object with env and files',
    ),
  );

  it('a task key has 32 characters', ({ onTestFinished }) => {
    onTestFinished(() => void vi.unstubAllEnvs());
    const problems = (key: string) => {
      vi.stubEnv('EVERYWIRE_TASK_KEY', key);
      return problemsInTaskKey().length;
    };
    expect(['k'.repeat(32), 'k'.repeat(31), `${'k'.repeat(32)},short`].map(problems)).toEqual([0, 1, 1]);
  });
});
