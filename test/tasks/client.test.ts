import { createClient, type Client, type Task } from 'everywire/client';
import { loadApp } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { Client as McpClient } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { proves } from '../promises.ts';
import { sharedServer } from '../kit/broker.ts';

const APP = 'test/apps/tasks.ts';
const WRITTEN = { written: '2026-01-02T03:04:05.000Z' };

let url: string;
beforeAll(async () => void (url = await sharedServer(APP)));

/** The same over every connection. */
const connections: readonly (readonly [name: string, connect: () => Promise<Client>])[] = [
  ['HTTP', async () => createClient(url)],
  ['OpenAPI', async () => createClient(`${url}/openapi.json`)],
  ['MCP', async () => createClient(`${url}/mcp`)],
  ['MCP on stdio', connectStdio],
  ['this process', async () => createClient(await loadApp(APP)) as Client],
];

async function connectStdio(): Promise<Client> {
  const client = new McpClient({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } });
  const args = ['dist/bin/everywire.js', 'mcp', APP];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }));
  return createClient(client);
}

describe.each(connections)('tasks over %s', (_name, connect) => {
  let client: Client;
  beforeAll(async () => void (client = await connect()));
  afterAll(() => client.close());

  it(proves('client.waits', 'a call waits for the task that it became'), async () => {
    expect(await client.call('Report', { rows: 2, every: 100 })).toEqual({ ok: true, data: { rows: 2, ...WRITTEN } });
    expect(await client.call('Report', { rows: -1 })).toMatchObject({
      ok: false,
      error: { code: 'INVALID_ARGUMENTS' },
    });
  });

  it(proves('client.tasks', 'a task is followed to its end'), async () => {
    const task = await client.start('Report', { rows: 3, every: 700 });
    expect(task.id).toMatch(/^[\da-f]{36}$/);
    const seen: Task[] = [];
    for await (const now of task.events()) seen.push(now);
    expect(seen[0]!.status).toBe('working');
    expect(seen.map(({ statusMessage }) => statusMessage)).toContainEqual(expect.stringMatching(/^row \d$/));
    expect(seen.at(-1)).toMatchObject({ taskId: task.id, status: 'completed' });
    expect(await task.result()).toEqual({ ok: true, data: { rows: 3, ...WRITTEN } });
    expect(await task.result()).toEqual(await task.result());
  });

  it(proves('client.tasks', 'what it asks is answered'), async () => {
    const task = await client.start('Remove', { what: 'x' });
    let asked: Task | undefined;
    for await (const now of task.events()) {
      asked = now;
      if (now.status === 'input_required') break;
    }
    expect(asked!.inputRequests).toMatchObject({ question1: { params: { message: 'Remove x?' } } });
    const answer = { action: 'accept', content: { sure: true } };
    expect(await task.answer({ question1: answer })).toEqual({ ok: true, data: undefined });
    expect(await task.result()).toEqual({ ok: true, data: 'Removed x' });
  });

  it(proves('client.tasks', 'its result is that of the call: a failure, a file or a date'), async () => {
    const resultOf = async (name: string, input = {}) => (await client.start(name, input)).result();
    expect(await resultOf('Divide', { x: 1, y: 0 })).toMatchObject({ ok: false, error: { code: 'DIVISION_BY_ZERO' } });
    const { data: file } = (await resultOf('Print', { text: 'hello' })) as { data: File };
    expect([file.name, file.type, await file.text()]).toEqual(['printed.txt', 'text/plain', 'hello']);
    const date = { ok: true, data: new Date('2026-01-02T03:04:05.000Z') };
    expect([await client.call('When'), await resultOf('When')]).toEqual([date, date]);
  });

  it(proves('client.tasks', 'it is cancelled, and stays so'), async () => {
    const task = await client.start('Report', { rows: 1, every: 10_000 });
    expect(await task.cancel()).toMatchObject({ ok: true, data: { taskId: task.id, status: 'cancelled' } });
    expect(await task.cancel()).toMatchObject({ ok: true, data: { status: 'cancelled' } });
    expect(await task.result()).toMatchObject({ ok: false, error: { code: 'CANCELLED' } });
  });

  it(proves('client.resume', 'a handle is written down, and read again'), async () => {
    const text = JSON.stringify(await client.start('Divide', { x: 1, y: 4 }));
    for (const written of [text, JSON.parse(text) as never]) {
      const resumed = client.resume(written);
      expect(await resumed.result()).toEqual({ ok: true, data: 0.25 });
      expect(JSON.stringify(resumed)).toBe(text);
    }
    for (const wrong of ['', '{', '{}', '[]', 'null', '{"name":"Divide"}', '{"taskId":"x"}'])
      expect(() => client.resume(wrong)).toThrow(TypeError);
  });

  it(proves('client.resume', 'a call that was answered at once keeps its answer'), async () => {
    for (const [name, input, outcome] of [
      ['Now', {}, { ok: true, data: 'hello' }],
      ['Divide', { x: 'one' }, { ok: false, error: { code: 'INVALID_ARGUMENTS' } }],
    ] as const) {
      const task = client.resume(JSON.stringify(await client.start(name, input)));
      expect(task.id).toBeUndefined();
      expect(await task.result()).toMatchObject(outcome);
      expect(await task.cancel()).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
      for await (const _ of task.events()) expect.unreachable();
    }
  });

  it(proves('client.tasks', 'an unknown task is a failure'), async () => {
    const task = client.resume({ name: 'Report', taskId: '../unknown?' });
    const failure = { ok: false, error: { code: 'TASK_NOT_FOUND' } };
    expect(await task.task()).toMatchObject(failure);
    expect(await task.result()).toMatchObject(failure);
    expect(await task.answer({})).toMatchObject(failure);
    expect(await task.cancel()).toMatchObject(failure);
    await expect(task.events()[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
  });

  it(proves('client.tasks', 'calls with one idempotency key are one task'), async () => {
    const options = { idempotencyKey: crypto.randomUUID() };
    const start = (y: number) => client.start('Divide', { x: 1, y }, options);
    const [one, two, other] = [await start(4), await start(4), await start(5)];
    expect(two.id).toBe(one.id);
    expect(await other.result()).toMatchObject({ ok: false, error: { code: 'IDEMPOTENCY_MISMATCH' } });
  });

  it(proves('client.tasks', 'to give up waiting does not cancel a task'), async () => {
    const task = await client.start('Report', { rows: 1, every: 10_000 });
    expect(await task.result({ timeout: 50 })).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    expect(await task.result({ signal: AbortSignal.abort() })).toMatchObject({ error: { code: 'CANCELLED' } });
    expect(await task.task()).toMatchObject({ data: { status: 'working' } });
    await task.cancel();
  });
});

describe('a call that is given up', () => {
  it.each([
    ['leaves its task running', () => ({ signal: AbortSignal.timeout(500) }), 'CANCELLED', 'working'],
    ['cancels it, if that is asked for', () => ({ timeout: 500, cancelOnAbort: true }), 'TIMEOUT', 'cancelled'],
  ])(proves('client.waits', '%s'), async (_what, giveUp, code, status) => {
    const client = createClient(url);
    const options = { idempotencyKey: crypto.randomUUID() };
    const input = { rows: 1, every: 10_000 };
    const outcome = await client.call('Report', input, { ...options, ...giveUp() });
    expect(outcome).toMatchObject({ ok: false, error: { code } });
    const same = await client.start('Report', input, options);
    await expect.poll(() => same.task(), { timeout: 10_000 }).toMatchObject({ data: { status } });
    await same.cancel();
  });

  it(proves('client.waits', 'is told what the task asks, since a call cannot be asked'), async () => {
    const client = createClient(url);
    const outcome = await client.call('Confirm');
    expect(outcome).toMatchObject({ ok: false, error: { code: 'INPUT_REQUIRED' } });
    const { taskId } = (outcome as unknown as { error: { details: { taskId: string } } }).error.details;
    const task = client.resume({ name: 'Confirm', taskId });
    await task.answer({ question1: { action: 'accept', content: { sure: true } } });
    expect(await task.result()).toEqual({ ok: true, data: true });
  });

  it(proves('client.waits', 'shows the progress of the task, if it is a stream'), async () => {
    const client = createClient(url);
    const seen: number[] = [];
    const stream = client.stream('Report', { rows: 2, every: 500 }, { onProgress: ({ done }) => seen.push(done) });
    for await (const _ of stream) expect.unreachable();
    expect(await stream.outcome).toEqual({ ok: true, data: { rows: 2, ...WRITTEN } });
    expect(seen).toEqual([1, 2]);
  });
});

it(proves('client.waits', 'survives a server that is away for a moment'), async () => {
  let failures = 0;
  const client = createClient(url, {
    fetch: async (input, init) => {
      const isPoll = new URL(input as URL).pathname.startsWith('/tasks/');
      if (!isPoll || failures >= 3) return fetch(input, init);
      failures++;
      if (failures === 2) return new Response('{"error":"Away"}', { status: 503, headers: { 'retry-after': '1' } });
      throw new TypeError('fetch failed');
    },
  });
  expect(await client.call('Report', { rows: 1, every: 100 })).toEqual({ ok: true, data: { rows: 1, ...WRITTEN } });
  expect(failures).toBe(3);
});

it(proves('client.waits', 'asks a server that cannot wait no more often than it says'), async () => {
  let asked = 0;
  const client = createClient('http://tasks.example', {
    fetch: async (input) => {
      const { pathname } = new URL(input as URL);
      if (pathname.endsWith('.json')) return new Response('{"paths":{}}');
      if (pathname.endsWith('/result')) return Response.json({ result: 1 });
      if (pathname.startsWith('/functions')) return Response.json(WORKING, { status: 202 });
      return Response.json({ ...WORKING, status: ++asked < 3 ? 'working' : 'completed' });
    },
  });
  vi.useFakeTimers();
  try {
    const outcome = client.call('Slow');
    const counts: number[] = [];
    for (const time of [0, 199, 1, 199, 1]) {
      await vi.advanceTimersByTimeAsync(time);
      counts.push(asked);
    }
    expect(counts).toEqual([1, 1, 2, 2, 3]);
    expect(await outcome).toEqual({ ok: true, data: 1 });
  } finally {
    vi.useRealTimers();
  }
});

const WORKING = { taskId: 'a', status: 'working', pollIntervalMs: 200 };
