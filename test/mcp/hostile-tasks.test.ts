import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from 'everywire';
import { serve } from 'everywire/node';
import { describe, expect, it } from 'vitest';
import app, { createGuarded, options } from '../apps/mcp-tasks.ts';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';
import { legacy, messagesIn, modern, only, tool } from './mcp-post.ts';
import { CAPABLE, call, httpClient, start, stdioClient, taskOf, type Client } from './task-client.ts';

const MODULE = 'test/apps/mcp-tasks.ts';

describe.each([
  ['HTTP', () => Promise.resolve(httpClient(app))],
  ['stdio', () => stdioClient(MODULE, 'modern') as Promise<Client>],
])('over %s', (wire, open) => {
  it(proves('mcp.tasks-hostile', 'the number of tasks that a client listens to is limited'), async () => {
    const client = await open();
    const { taskId } = await start(client, 'Wait');
    const many = Array.from({ length: 10_000 }, (_, i) => `task-${i}`);
    const [refused] = await (await client.listen({ taskIds: many })).ended;
    expect(refused.error).toMatchObject({ code: -32603, data: { code: 'UNAVAILABLE' } });
    // The same id counts once.
    const listening = await client.listen({ taskIds: Array.from({ length: 5000 }, () => taskId) });
    expect((await listening.until(({ params }) => params)).params.notifications).toEqual({ taskIds: [taskId] });
    await listening.end();
    for (const taskIds of [7, taskId, [7], [null], { a: taskId }]) {
      const [invalid] = await (await client.listen({ taskIds })).ended;
      expect(invalid.error, JSON.stringify(taskIds)).toMatchObject({ code: -32602 });
    }
    const nothing = await (await client.listen({ taskIds: ['unknown'] })).ended;
    expect(nothing.map(({ params, result }) => params?.notifications ?? result.resultType)).toEqual([
      { taskIds: [] },
      'complete',
    ]);
    await client.request('tasks/cancel', { taskId });
    await client.close();
  });

  it(proves('mcp.tasks-hostile', 'long ids and huge answers are refused or ignored, and cost little'), async () => {
    const client = await open();
    const long = 'x'.repeat(1_000_000);
    // A header cannot be that long.
    const id = wire === 'HTTP' ? long.slice(0, 5000) : long;
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const { error } = await client.request(method, { taskId: id, inputResponses: {} });
      expect(error.code).toBe(-32602);
      expect(error.message.length).toBeLessThan(200);
    }
    expect((await (await client.listen({ taskIds: [long] })).ended)[0].params.notifications).toEqual({ taskIds: [] });
    const { taskId } = await start(client, 'Confirm');
    await taskOf(client, taskId, 'input_required');
    const unknown = Object.fromEntries(Array.from({ length: 4000 }, (_, i) => [`key${i}`, { action: 'decline' }]));
    const prototype = JSON.parse('{"__proto__":{"action":"accept"},"constructor":{"action":"accept"}}') as object;
    for (const inputResponses of [
      unknown,
      prototype,
      { consent: 7 },
      { other: { action: 'accept', content: { long } } },
    ])
      expect((await client.request('tasks/update', { taskId, inputResponses })).result?.resultType).toBe('complete');
    expect(Object.keys((await client.request('tasks/get', { taskId })).result.inputRequests)).toEqual(['consent']);
    const huge = { consent: { action: 'accept', content: { ok: true, long: long.slice(0, 900_000) } } };
    await client.request('tasks/update', { taskId, inputResponses: huge });
    await taskOf(client, taskId, 'completed', 'input_required');
    await client.request('tasks/cancel', { taskId });
    await client.close();
  });
});

it(proves('mcp.tasks-hostile', 'a listener that does not read costs no memory, and misses nothing'), async () => {
  let reads = 0;
  const counting = createApp({
    ...options,
    middleware: [
      (called, next) => {
        if (called.context.operationId === 'tasks/get') reads++;
        return next();
      },
    ],
  });
  const host = await serve(counting, { port: 0 });
  const client = httpClient(host.url);
  const ids: string[] = [];
  for (let i = 0; i < 200; i++) ids.push((await start(client, 'Slow', { text: 'x'.repeat(100_000) })).taskId);
  await taskOf(client, ids.at(-1)!, 'completed');
  const params = { notifications: { taskIds: ids }, _meta: CAPABLE };
  reads = 0;
  const response = await modern(host.url, { method: 'subscriptions/listen', params });
  await sleep(1500);
  // 20 MB wait for it. Each task was read when the stream was opened, and some for what fits into sockets.
  expect(reads).toBeGreaterThan(200);
  expect(reads).toBeLessThan(350);
  const heard = await response.text();
  expect(heard.match(/notifications\/tasks/g)).toHaveLength(200);
  expect(heard).toContain('"id":1,"result"');
  await host.drain();
});

it(proves('mcp.tasks-listen', 'streams end with a response when the server stops, and so do waits'), async () => {
  const served = await startServing(MODULE);
  const client = httpClient(served.url);
  const { taskId } = await start(client, 'Wait');
  const alone = await client.listen({ taskIds: [taskId] });
  const mixed = await client.listen({ taskIds: [taskId], toolsListChanged: true });
  for (const listening of [alone, mixed]) await listening.until(({ method }) => method === 'notifications/tasks');
  const waiting = legacy(served.url, { method: 'tasks/result', params: { taskId } }).then(messagesIn);
  await sleep(200);
  const stopped = served.stop();
  for (const listening of [alone, mixed])
    expect((await listening.ended).at(-1)).toMatchObject({ result: { resultType: 'complete' } });
  const [answer] = await waiting;
  expect(answer.error).toMatchObject({ data: { code: expect.stringMatching(/UNAVAILABLE|CANCELLED/) } });
  expect(await stopped).toBe(0);
});

it(proves('mcp.tasks-owner', "somebody else's task looks like one that does not exist"), async () => {
  const guarded = createGuarded();
  const as = (name: string) => httpClient(guarded, { 'x-api-key': `key-of-${name}` });
  const { taskId } = await start(as('ann'), 'Confirm');
  await taskOf(as('ann'), taskId, 'input_required');
  const unknown = `${taskId.slice(0, -4)}0000`;
  for (const client of [as('bob'), as('eve'), httpClient(guarded)]) {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const inputResponses = { consent: { action: 'accept', content: { ok: true } } };
      const foreign = await client.request(method, { taskId, inputResponses });
      const missing = await client.request(method, { taskId: unknown, inputResponses });
      expect(foreign.status).toBe(200);
      const shown = (sent: object) =>
        JSON.stringify(sent)
          .replaceAll(/"id":\d+/g, '')
          .replaceAll(taskId, unknown);
      expect(shown(foreign)).toBe(shown(missing));
      expect(foreign.error).toMatchObject({ code: -32602, data: { code: 'TASK_NOT_FOUND' } });
    }
    const heard = await (await client.listen({ taskIds: [taskId] })).ended;
    expect(heard[0].params.notifications).toEqual({ taskIds: [] });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect((await only(legacy(guarded, { method, params: { taskId } }))).error.code).toBe(-32602);
    }
  }
  expect((await as('ann').request('tasks/get', { taskId })).result.status).toBe('input_required');
  const listening = await as('ann').listen({ taskIds: [taskId] });
  await listening.until(({ method }) => method === 'notifications/tasks');
  await as('ann').request('tasks/cancel', { taskId });
  await listening.ended;
});

it(proves('mcp.tasks-owner', 'a forbidden call never becomes a task; a wrong key is refused everywhere'), async () => {
  const guarded = createGuarded();
  const wrong = httpClient(guarded, { 'x-api-key': 'no-such-key' });
  const params = { taskId: 'a', inputResponses: {} };
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
    expect((await wrong.request(method, params)).status, method).toBe(401);
  expect((await (await wrong.listen({ taskIds: ['a'] })).ended)[0].status).toBe(401);
  expect((await wrong.request('tools/call', call('Slow', { text: 'a' }))).status).toBe(401);
  expect((await httpClient(guarded).request('tools/call', call('Slow', { text: 'a' }))).status).toBe(401);
  const eve = httpClient(guarded, { 'x-api-key': 'key-of-eve' });
  expect((await eve.request('tools/call', call('Slow', { text: 'a' }))).status).toBe(403);
  expect((await eve.request('tools/call', call('Fail', {}, { _meta: {} }))).status).toBe(403);
  const asked = tool('Add', {}, { task: {} });
  const old = await legacy(guarded, asked, undefined, undefined, { 'x-api-key': 'key-of-eve' });
  expect(old.status).toBe(403);
});

it(proves('mcp.tasks-hostile', 'a middleware that breaks a task is logged; all requests are answered'), async () => {
  const logged: string[] = [];
  let isBroken = false;
  const broken = createApp({
    ...options,
    log: { ...options.log, error: (message) => void logged.push(message) },
    middleware: [
      async (called, next) => {
        const outcome = await next();
        return isBroken && called.function.kind === 'task' ? { ok: true, data: {} } : outcome;
      },
    ],
  });
  const client = httpClient(broken);
  const { taskId } = await start(client, 'Wait', { progress: true });
  const listening = await client.listen({ taskIds: [taskId] });
  await listening.until(({ method }) => method === 'notifications/tasks');
  isBroken = true;
  expect((await listening.ended).at(-1).error).toEqual({ code: -32603, message: 'Internal error' });
  const { status, error } = await client.request('tasks/get', { taskId });
  expect({ status, error }).toMatchObject({ status: 500, error: { code: -32603, data: { code: 'INTERNAL_ERROR' } } });
  const old = await messagesIn(await legacy(broken, { method: 'tasks/get', params: { taskId } }));
  expect(old[0].error).toMatchObject({ code: -32603 });
  expect(logged.length).toBeGreaterThan(2);
  isBroken = false;
  await client.request('tasks/cancel', { taskId });
});
