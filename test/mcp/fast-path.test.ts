import { PassThrough } from 'node:stream';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createApp, type AppOptions } from '../../src/index.ts';
import type { HttpReply, HttpRequest } from '../../src/wires/http/message.ts';
import { createCatalog } from '../../src/wires/mcp/catalog.ts';
import { createDenialEncoder } from '../../src/wires/mcp/denial.ts';
import { createMcpHttp } from '../../src/wires/mcp/http.ts';
import { isId } from '../../src/wires/mcp/jsonrpc.ts';
import { LineTransport } from '../../src/wires/mcp/line-transport.ts';
import { LEGACY } from '../../src/wires/mcp/revisions.ts';
import { createSdkHttp } from '../../src/wires/mcp/sdk/http.ts';
import { openSdkStdio } from '../../src/wires/mcp/sdk/stdio.ts';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';
import { options } from '../apps/messages.ts';
import { proves } from '../promises.ts';
import { fn, integer, object } from '../kit/functions.ts';
import { size } from '../kit/sizes.ts';
import { INITIALIZE, tool } from './mcp-post.ts';
import { KNOWN_TASK, generate, pick, seeded } from './generated-requests.ts';
import { httpClient, start, taskOf } from './task-client.ts';

const SDK_OPTIONS = { isStateless: false, secret: undefined };
const app = createApp({
  ...(options as unknown as AppOptions),
  functions: [
    ...options.functions,
    fn('MayBeTask', { input: object({ x: integer }), output: integer, task: 'allowed' }, ({ x }) => x),
    fn('IsTask', { output: integer, task: 'always' }, () => 1),
  ] as unknown as AppOptions['functions'],
});

/** The id of a task that has ended. */
let task = '';
beforeAll(async () => {
  const client = httpClient(app);
  task = (await start(client, 'MayBeTask', { x: 1 })).taskId;
  await taskOf(client, task, 'completed');
});

/** Puts the id into a generated request. */
const withTask = <T>(generated: T): T => JSON.parse(JSON.stringify(generated).replaceAll(KNOWN_TASK, task)) as T;

const forwarded = vi.hoisted(() => ({ count: 0, opened: 0 }));
vi.mock('../../src/wires/mcp/sdk/stdio.ts', async (original) => {
  const real = await original<typeof import('../../src/wires/mcp/sdk/stdio.ts')>();
  return {
    openSdkStdio(...given: Parameters<typeof real.openSdkStdio>) {
      forwarded.opened++;
      return real.openSdkStdio(...given);
    },
  };
});
vi.mock('../../src/wires/mcp/sdk/http.ts', async (original) => {
  const real = await original<typeof import('../../src/wires/mcp/sdk/http.ts')>();
  return {
    createSdkHttp(...given: Parameters<typeof real.createSdkHttp>) {
      const sdk = real.createSdkHttp(...given);
      return {
        ...sdk,
        handle: (...received: Parameters<typeof sdk.handle>) => {
          forwarded.count++;
          return sdk.handle(...received);
        },
      };
    },
  };
});

const SENDER = { caller: { wire: 'mcp-http' } };
const SEED = Number(process.env['FAST_PATH_SEED'] ?? 20260728);
const REQUESTS = size(500, 4000);
const SESSIONS = size(30, 200);

it('knows the revisions that the SDK knows', () => {
  expect(LEGACY).toEqual(SUPPORTED_PROTOCOL_VERSIONS);
});

describe('the fast path responds like the SDK', () => {
  it.each(['legacy', 'modern'] as const)(
    proves('mcp.fast-path', `over HTTP: ${REQUESTS} generated and mutated requests, %s`),
    { timeout: 300_000 },
    async (era) => {
      const random = seeded(SEED);
      const mine = createMcpHttp(app, {});
      const sdk = createSdkHttp(createCatalog(app, { wire: 'mcp-http' }, {}), SDK_OPTIONS, createDenialEncoder(app));
      forwarded.count = 0;
      for (let i = 0; i < REQUESTS; i++) {
        const { headers, message } = withTask(generate(random, era));
        const said = await seen(await mine.handle(request(headers, message)));
        const wanted = await seen(
          await sdk.handle(request(headers, message), JSON.parse(JSON.stringify(message)), SENDER),
        );
        expect(said, `request ${i} of seed ${SEED}: ${JSON.stringify({ headers, message })}`).toEqual(wanted);
      }
      // Otherwise all requests may have gone to the SDK, twice.
      const onFastPath = 2 * REQUESTS - forwarded.count;
      expect(onFastPath).toBeGreaterThan(0.2 * REQUESTS);
      expect(onFastPath).toBeLessThan(0.9 * REQUESTS);
      await Promise.all([mine.close(), sdk.close()]);
    },
  );

  it.each([
    ['no envelope but null', {}, { params: { name: 'functions.Add', arguments: { x: 1, y: 2 }, _meta: null } }],
    ['two media types', { 'content-type': 'application/json;q=0.5, text/event-stream' }, {}],
    [
      'a prototype for an argument',
      {},
      { params: { name: 'functions.Add', arguments: JSON.parse('{"__proto__":1}') } },
    ],
    ['an id that is no integer', {}, { id: 1.5 }],
    ['one key more', {}, { extra: 1 }],
  ])(proves('mcp.fast-path', 'cases that generated requests may miss: %s'), async (_what, moreHeaders, more) => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...moreHeaders,
    };
    const message = { jsonrpc: '2.0', id: 1, ...tool('Add', { x: 1, y: 2 }), ...more };
    const mine = createMcpHttp(app, {});
    const sdk = createSdkHttp(createCatalog(app, { wire: 'mcp-http' }, {}), SDK_OPTIONS, createDenialEncoder(app));
    const wanted = await sdk.handle(request(headers, message), JSON.parse(JSON.stringify(message)), SENDER);
    expect(await seen(await mine.handle(request(headers, message)))).toEqual(await seen(wanted));
    await Promise.all([mine.close(), sdk.close()]);
  });

  it(
    proves('mcp.fast-path', `over stdio: ${SESSIONS} sessions of up to 20 messages, in any mixture`),
    { timeout: 300_000 },
    async () => {
      const random = seeded(SEED);
      for (let i = 0; i < SESSIONS; i++) {
        const messages = withTask(generateSession(random));
        const [said, wanted] = await Promise.all([talk(messages, serveMine), talk(messages, serveSdk)]);
        expect(said, `session ${i} of seed ${SEED}: ${JSON.stringify(messages)}`).toEqual(wanted);
      }
    },
  );
});

function request(headers: Record<string, string>, message: unknown): HttpRequest {
  const body = new TextEncoder().encode(JSON.stringify(message));
  return { method: 'POST', target: '/mcp', headers: { host: 'localhost', ...headers }, body };
}

async function seen({ status, headers, body }: HttpReply): Promise<object> {
  const { 'mcp-session-id': session, ...others } = headers;
  const text = typeof body === 'string' ? body : await new Response(body).text();
  return { status, others, session: session !== undefined, said: comparable(text) };
}

/** Signed state contains the time, and every task is another one. */
function comparable(text: string): unknown {
  const plain = text.replaceAll(/"(requestState|taskId|createdAt|lastUpdatedAt)":"[^"]+"/g, '"$1":"…"');
  try {
    return JSON.parse(plain) as unknown;
  } catch {
    return plain;
  }
}

type Serve = (input: PassThrough, output: PassThrough) => void;

const LAST = { jsonrpc: '2.0', id: 'last', method: 'ping' };

const serveMine: Serve = (input, output) => void serveMcpStdio(app, input, output, {});

/** The SDK without a fast path. */
const serveSdk: Serve = (input, output) => {
  const transport = new LineTransport(input, output, app.limits);
  const catalog = createCatalog(app, { wire: 'mcp-stdio' }, {});
  const opened = openSdkStdio(catalog, [], new Map(), (message) => {
    transport.write(JSON.stringify(message));
    if (!('method' in message) && isId(message.id)) transport.settle(message.id);
  });
  transport.onMessage = (message) => {
    if ('method' in message && isId(message['id'])) transport.addPending(message['id']);
    void opened.then((sdk) => sdk.receive(message));
  };
  transport.start();
};

/** A valid or invalid first message, and then any others. Ids are unique, so that responses can be told apart. */
function generateSession(random: () => number): unknown[] {
  const era = pick(random, ['legacy', 'modern'] as const);
  const capabilities = pick(random, [{}, {}, { roots: {} }]);
  const begin = { ...INITIALIZE, id: 'first', params: { ...INITIALIZE.params, capabilities } };
  const opening =
    era === 'legacy' && random() < 0.8 ? [begin, { jsonrpc: '2.0', method: 'notifications/initialized' }] : [];
  const length = Math.floor(random() * 20);
  const messages = Array.from({ length }, (_, i) => {
    const { message } = generate(random, random() < 0.95 ? era : 'modern');
    return isId((message as { id?: unknown }).id) ? { ...(message as object), id: `m${i}` } : message;
  });
  // The two send an elicitation at different times; test/mcp/features.test.ts tests elicitations.
  return [...opening, ...messages.filter((message) => !JSON.stringify(message).includes('.Ask'))];
}

/** All responses up to that to the last message, sorted, since their order may differ. */
async function talk(messages: readonly unknown[], serve: Serve): Promise<unknown> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  const answered = new Promise<void>((resolve) => {
    output.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (text.includes('"last"')) resolve();
    });
  });
  serve(input, output);
  for (const message of [...messages, LAST]) {
    input.write(`${JSON.stringify(message)}\n`);
    // The SDK sets the log level asynchronously, and handles the next messages meanwhile.
    if (JSON.stringify(message).includes('logging/setLevel')) await new Promise((resolve) => setTimeout(resolve, 2));
  }
  await answered;
  await new Promise((resolve) => setTimeout(resolve, 1));
  input.destroy();
  const said = text.trim().split('\n');
  return said.map((line) => JSON.stringify(inOrder(comparable(line)))).toSorted();
}

/** The same value with its keys in alphabetical order. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]));
}

describe('a session on stdio', () => {
  const hello = { ...INITIALIZE, id: 'hello', params: { ...INITIALIZE.params, capabilities: {} } };
  const call = (id: number, name: string, given: object) => ({ jsonrpc: '2.0', id, ...tool(name, given) });

  /** The output until there is enough of it, chunk by chunk as it was written. */
  async function heard(messages: readonly object[], isEnough: (text: string) => boolean, meanwhile = () => {}) {
    const [input, output] = [new PassThrough(), new PassThrough({ highWaterMark: 2 ** 30 })];
    const parts: string[] = [];
    const enough = new Promise<void>((resolve) => {
      output.setEncoding('utf8').on('data', (part: string) => {
        parts.push(part);
        if (isEnough(parts.join(''))) resolve();
      });
    });
    serveMine(input, output);
    input.write([hello, ...messages].map((message) => `${JSON.stringify(message)}\n`).join(''));
    await new Promise((resolve) => setImmediate(resolve)); // the messages have been read, and no more
    meanwhile();
    await enough;
    input.destroy();
    return parts;
  }

  it(proves('mcp.fast-path', 'responds to two calls with one id'), async () => {
    const calls = [call(1, 'Later', { x: 3 }), call(1, 'Later', { x: 4 })];
    const parts = await heard(calls, (text) => text.includes('"result":3') && text.includes('"result":4'));
    expect(parts.join('').match(/"id":1/g)).toHaveLength(2);
  });

  it(proves('mcp.fast-path', 'sends notifications of changes while the SDK is being loaded'), async () => {
    const asked = { jsonrpc: '2.0', id: 1, method: 'prompts/list' };
    const told = 'notifications/tools/list_changed';
    const parts = await heard(
      [asked],
      (text) => text.includes(told) && text.includes('"prompts"'),
      () => app.changes.listChanged('tools'),
    );
    expect(parts.join('')).toContain(told);
  });

  it(proves('mcp.fast-path', 'does not hold back long responses until all of them are there'), async () => {
    const calls = Array.from({ length: 100 }, (_, id) => call(id, 'Split', { text: 'x'.repeat(50_000) }));
    const parts = await heard(calls, (text) => (text.match(/"id":\d+/g) ?? []).length === 100);
    expect(parts.length).toBeGreaterThan(50);
  });

  const cancel = (params: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params });

  it(proves('mcp.cancel', 'a cancellation of nothing does not load the SDK'), async () => {
    const [input, output] = [new PassThrough(), new PassThrough()];
    let text = '';
    output.setEncoding('utf8').on('data', (part: string) => (text += part));
    const { ended } = serveMcpStdio(app, input, output, {});
    const write = (...messages: object[]) =>
      void input.write(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
    const before = forwarded.opened;
    write(hello, call(1, 'Later', { x: 3 }));
    await vi.waitFor(() => expect(text).toContain('"result":3'));
    write(...[{ requestId: 1 }, { requestId: 'other' }, {}, undefined, { requestId: null }].map(cancel));
    write(call(2, 'Later', { x: 3 }));
    await vi.waitFor(() => expect(text).toContain('"id":2'));
    expect(forwarded.opened).toBe(before);
    write({ jsonrpc: '2.0', id: 3, method: 'prompts/list' });
    await vi.waitFor(() => expect(text).toContain('"id":3'), { timeout: 10_000 });
    expect(forwarded.opened).toBe(before + 1); // proves that loads are counted
    input.end();
    expect(await ended).toEqual({ unanswered: 0, written: 'all' });
  });

  it(proves('mcp.cancel', 'an invalid cancellation does not cancel the call'), async () => {
    const invalid = [cancel({ requestId: 1, reason: 7 }), cancel({ requestId: 1.5 })];
    const parts = await heard([call(1, 'Later', { x: 3 }), ...invalid], (text) => text.includes('"result":3'));
    expect(parts.join('').match(/"id":1,/g)).toHaveLength(1);
  });
});
