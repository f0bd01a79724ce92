import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app from '../apps/http-tasks.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { ASYNC, eventsIn, serveTasks, type Client } from './http-client.ts';

const folder = temporaryFolder('http-tasks');
const LONG = { seconds: 60 };
const WAITS = { prefer: 'respond-async, wait=20' };
let client: Client;

beforeAll(async () => void (client = await serveTasks(app as never)));
afterAll(() => client.stop());

const headersOf = ({ headers }: Response, ...names: string[]) => names.map((name) => headers.get(name));
/** Its status, and the code of its failure. */
const codeOf = ({ status, headers }: Response) => [status, headers.get('everywire-error-code')];
function upload(text: string, headers = {}): Promise<Response> {
  const body = new FormData();
  body.append('file', new File([text], 'a.txt'));
  return fetch(`${client.url}/functions/Upload`, { method: 'POST', headers: { ...ASYNC, ...headers }, body });
}
/** Functions write into files when they have seen something. */
async function lines(file: string, wanted: string): Promise<string[]> {
  for (;;) {
    const found = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
    if (found.includes(wanted)) return found;
    await pause(10);
  }
}

describe('a call that becomes a task', () => {
  it(proves('http.task', 'is answered with 202, and says where the task is'), async () => {
    const response = await client.post('/functions/Wait', { seconds: 0 }, { Prefer: 'foo, Respond-Async; x="y"' });
    const task = (await response.json()) as Record<string, unknown>;
    expect(response.status).toBe(202);
    const url = `${client.url}/tasks/${String(task['taskId'])}`;
    expect(
      headersOf(response, 'location', 'operation-location', 'preference-applied', 'retry-after', 'cache-control'),
    ).toEqual([url, url, 'respond-async', '1', 'no-store']);
    expect(task).toEqual({
      taskId: expect.stringMatching(/^[0-9a-f]{36}$/) as string,
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      lastUpdatedAt: expect.any(String) as string,
      ttlMs: 86_400_000,
      pollIntervalMs: 1000,
    });
    expect(await client.settled(task['taskId'] as string)).toMatchObject({
      status: 'completed',
      result: { result: { waited: 0, inTask: true } },
    });
  });

  it(proves('http.task', 'is one without any preference, if its function always becomes one'), async () => {
    const response = await client.post('/functions/Always', { word: 'a' });
    expect(response.status).toBe(202);
    expect(response.headers.has('preference-applied')).toBe(false);
    expect(response.headers.get('location')).toMatch(/\/tasks\/[0-9a-f]{36}$/);
  });

  it(proves('http.task', 'never is, if its function does not allow it'), async () => {
    const headers = { ...ASYNC, 'idempotency-key': 'é'.repeat(300) };
    const response = await client.post('/functions/Plain', { x: 1 }, headers);
    expect([response.status, await response.text()]).toEqual([200, '{"result":1}']);
    expect(response.headers.has('preference-applied')).toBe(false);
  });

  it(proves('http.task-wait', 'is answered with its result, if that comes in time'), async () => {
    for (const [fn, input] of Object.entries({ Always: { word: 'a' }, Echo: { value: 'a' } })) {
      const response = await client.post(`/functions/${fn}`, input, WAITS);
      expect([response.status, await response.text()]).toEqual([200, '{"result":"a"}']);
      expect(headersOf(response, 'location', 'preference-applied')).toEqual([null, null]);
    }
    const failed = await client.post('/functions/Echo', { value: 1, fails: 'declared' }, WAITS);
    expect([failed.status, ...headersOf(failed, 'everywire-error-code', 'retry-after')]).toEqual([418, 'TOO_ODD', '7']);
    const late = await client.post('/functions/Wait', LONG, { prefer: 'respond-async, wait=1' });
    expect([late.status, late.headers.get('preference-applied')]).toEqual([202, 'respond-async']);
    await client.post(new URL(late.headers.get('location')!).pathname + '/cancel');
  });

  it(proves('http.task', 'may be a GET, which is not stored; HEAD is the same without a body'), async () => {
    const started = await client.get('/count/3', ASYNC);
    expect([started.status, ...headersOf(started, 'cache-control', 'etag')]).toEqual([202, 'no-store', null]);
    const head = await fetch(`${client.url}/count/3`, { method: 'HEAD', headers: ASYNC });
    expect([head.status, await head.text()]).toEqual([202, '']);
    expect(head.headers.get('location')).toContain('/tasks/');
  });

  it(proves('http.task', 'is never a stream: the preference wins over Accept'), async () => {
    const headers = { accept: 'text/event-stream' };
    const streamed = await client.post('/functions/Count', { to: 2 }, headers);
    expect(streamed.headers.get('content-type')).toBe('text/event-stream');
    expect(await streamed.text()).toContain('event: chunk');
    const task = await client.post('/functions/Count', { to: 2 }, { ...headers, ...ASYNC });
    expect([task.status, task.headers.get('content-type')]).toEqual([202, 'application/json']);
  });
});

describe('a task', () => {
  it(proves('http.task-wait', 'is waited for until it ends, and no longer'), async () => {
    const id = await client.start('Wait', { seconds: 0.3 });
    const response = await client.get(`/tasks/${id}`, { prefer: 'wait=30' });
    expect(await response.json()).toMatchObject({ status: 'completed' });
    expect(headersOf(response, 'retry-after', 'cache-control')).toEqual([null, 'no-store']);
    const running = await client.start('Wait', LONG);
    const early = await client.get(`/tasks/${running}`, { prefer: 'wait=1' });
    expect(await early.json()).toMatchObject({ status: 'working' });
    expect(early.headers.get('retry-after')).toBe('1');
    const [waited] = await Promise.all([
      client.get(`/tasks/${running}/result`, { prefer: 'wait=30' }),
      client.post(`/tasks/${running}/cancel`),
    ]);
    expect(waited.status).toBe(499);
  });

  it(proves('http.task-result', 'that is running, waits or was cancelled has no result'), async () => {
    const id = await client.start('Wait', LONG);
    const running = await client.get(`/tasks/${id}/result`);
    expect([running.status, ...headersOf(running, 'location', 'retry-after', 'preference-applied')]).toEqual([
      202,
      `${client.url}/tasks/${id}`,
      '1',
      null,
    ]);
    expect(await running.json()).toMatchObject({ taskId: id, status: 'working' });
    await client.post(`/tasks/${id}/cancel`);
    const cancelled = await client.get(`/tasks/${id}/result`);
    expect(codeOf(cancelled)).toEqual([499, 'CANCELLED']);
    const asking = await client.start('Confirm', {});
    expect(await client.settled(asking)).toMatchObject({ status: 'input_required' });
    const conflict = await client.get(`/tasks/${asking}/result`);
    expect(codeOf(conflict)).toEqual([409, 'CONFLICT']);
  });

  it.each([
    ['{', 400, 'INVALID_JSON'],
    ['[]', 400, 'INVALID_ARGUMENTS'],
    ['{}', 400, 'INVALID_ARGUMENTS'],
    ['', 400, 'INVALID_ARGUMENTS'],
    ['{"inputResponses":[]}', 400, 'INVALID_ARGUMENTS'],
    ['{"inputResponses":{},"taskId":"other"}', 200, null],
  ])(proves('http.task-input', 'is told what is wrong with an answer: %s'), async (body, status, code) => {
    const id = await client.start('Confirm', {});
    await client.settled(id);
    expect(codeOf(await client.post(`/tasks/${id}/input`, body))).toEqual([status, code]);
  });

  it(proves('http.task-cancel', 'that is cancelled aborts its function, and stays cancelled'), async () => {
    const log = join(folder, 'cancel.log');
    const id = await client.start('Wait', { ...LONG, log });
    await lines(log, 'started');
    for (let i = 0; i < 2; i++) {
      const response = await client.post(`/tasks/${id}/cancel`);
      expect([response.status, ((await response.json()) as { status: string }).status]).toEqual([200, 'cancelled']);
    }
    expect(await lines(log, 'aborted')).toEqual(['started', 'aborted']);
    const done = await client.start('Nothing', {});
    await client.settled(done);
    expect(await (await client.post(`/tasks/${done}/cancel`)).json()).toMatchObject({ status: 'completed' });
  });
});

describe('the events of a task', () => {
  it(proves('http.task-events', 'show its progress, and end with its result'), async () => {
    const id = await client.start('Wait', { seconds: 2, steps: 4 });
    const response = await client.get(`/tasks/${id}/events`, { accept: 'text/event-stream' });
    expect(headersOf(response, 'content-type', 'cache-control')).toEqual(['text/event-stream', 'no-store']);
    const events = [];
    for await (const event of eventsIn(response)) events.push(event);
    const messages = events.map(({ data }) => data.statusMessage as string).filter(Boolean);
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['task']));
    expect(messages.length).toBeGreaterThan(1);
    expect(events.at(-1)).toMatchObject({
      id: 'end',
      data: { status: 'completed', result: { result: { waited: 2 } } },
    });
    expect(events.slice(0, -1).every(({ id: last }) => last === undefined)).toBe(true);
    const again = await client.get(`/tasks/${id}/events`, { 'last-event-id': 'end' });
    expect([again.status, await again.text()]).toEqual([204, '']);
  });

  it(proves('http.task-events', 'of one that has ended are one event; also as lines of JSON'), async () => {
    const id = await client.start('Nothing', {});
    const task = await client.settled(id);
    const lined = await client.get(`/tasks/${id}/events`, { accept: 'application/x-ndjson' });
    expect(JSON.parse(await lined.text())).toEqual({ event: 'task', data: task });
  });

  it(proves('http.task-events', 'end when the client disconnects, and when the server stops'), async () => {
    const other = await serveTasks(app as never);
    const id = await client.start('Wait', LONG);
    const abort = new AbortController();
    const response = await fetch(`${other.url}/tasks/${id}/events`, { signal: abort.signal });
    const first = await eventsIn(response).next();
    expect(first.value).toMatchObject({ event: 'task' });
    abort.abort();
    const following = await other.get(`/tasks/${id}/events`);
    const waiting = other.get(`/tasks/${id}`, { prefer: 'wait=60' });
    const starting = other.post('/functions/Wait', LONG, { prefer: 'respond-async, wait=60' });
    const events = eventsIn(following);
    await events.next();
    await pause(200); // they are under way
    const stopped = other.stop();
    expect((await events.next()).done).toBe(true);
    expect(await (await waiting).json()).toMatchObject({ status: 'working' });
    const started = await starting;
    expect(started.status).toBe(202);
    expect(await stopped).toBe(true);
    await client.post(`/tasks/${id}/cancel`);
    await client.post(new URL(started.headers.get('location')!).pathname + '/cancel');
  });
});

describe('Idempotency-Key', () => {
  it(proves('http.task-key', 'makes two calls one task, also if they come at the same time'), async () => {
    const headers = { 'idempotency-key': 'one' };
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        client.start('Echo', i % 2 ? { value: 1, fails: 'no' } : { fails: 'no', value: 1 }, headers),
      ),
    );
    expect(new Set(ids).size).toBe(1);
    expect(await client.start('Echo', { value: 1, fails: 'no' }, { 'idempotency-key': 'two' })).not.toBe(ids[0]);
    const other = await client.post('/functions/Echo', { value: 2 }, { ...ASYNC, ...headers });
    expect(codeOf(other)).toEqual([422, 'IDEMPOTENCY_MISMATCH']);
    // Keys of different functions do not meet.
    await client.start('Several', { x: 1 }, headers);
  });

  it(proves('http.task-key', 'compares files by their contents'), async () => {
    const send = (text: string) => upload(text, { 'idempotency-key': 'file' });
    const [first, second, third] = [await send('a'), await send('a'), await send('b')];
    expect([first.status, second.status, third.status]).toEqual([202, 202, 422]);
    expect(second.headers.get('location')).toBe(first.headers.get('location'));
  });

  it.each([
    ['', 400],
    ['é', 400],
    ['a\tb', 400],
    ['x'.repeat(256), 400],
    ['x'.repeat(255), 202],
    ['"8e03978e-40d5"', 202],
    [' ~!', 202],
  ])(proves('http.task-key', 'is printable ASCII: %j'), async (key, status) => {
    const response = await client.post('/functions/Nothing', {}, { ...ASYNC, 'idempotency-key': key });
    expect(response.status).toBe(status);
    if (status === 400) expect(response.headers.get('everywire-error-code')).toBe('BAD_REQUEST');
    // It is read only if the call becomes a task.
    expect((await client.post('/functions/Nothing', {}, { 'idempotency-key': key })).status).toBe(200);
  });
});
