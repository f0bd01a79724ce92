import { createApp } from 'everywire';
import { serve } from 'everywire/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServerTaskCapabilitiesV1Schema, ToolV1Schema } from '@modelcontextprotocol/ext-tasks/core/v1';
import app, { options } from '../apps/mcp-tasks.ts';
import { proves } from '../promises.ts';
import { INITIALIZE, legacy, messagesIn } from './mcp-post.ts';
import { call, httpClient, legacyHttpClient, start, stdioClient, taskOf, type Client } from './task-client.ts';

const RELATED = 'io.modelcontextprotocol/related-task';
const { params: HANDSHAKE } = INITIALIZE;

/** Starts a task as clients of this revision do. */
async function startLegacy(client: Client, name: string, given: object = {}, task: object = {}): Promise<any> {
  const { result, error } = await client.request('tools/call', call(name, given, { task }));
  if (!result?.task) throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
  return result.task;
}

describe.each([
  ['HTTP without a session', () => legacyHttpClient(app, false)],
  ['HTTP in a session', () => legacyHttpClient(app, true)],
  ['stdio', () => stdioClient('test/apps/mcp-tasks.ts', 'legacy')],
])('tasks of revision 2025-11-25, %s', (wire, open) => {
  let client: Client;
  beforeAll(async () => void (client = await open()));
  afterAll(() => client.close());

  it(proves('mcp.tasks-2025', 'are declared, and tools say whether they support them'), async () => {
    if (wire !== 'stdio') {
      const { capabilities } = (await client.request('initialize', HANDSHAKE)).result ?? {};
      // In a session there was a handshake already.
      if (capabilities) {
        expect(capabilities.tasks).toEqual({ cancel: {}, requests: { tools: { call: {} } } });
        expect(capabilities).not.toHaveProperty('extensions');
        ServerTaskCapabilitiesV1Schema.parse(capabilities.tasks);
      }
    }
    const { tools } = (await client.request('tools/list')).result;
    const support = Object.fromEntries(
      tools.map((tool: any) => [ToolV1Schema.parse(tool).name.replace('functions.', ''), tool.execution?.taskSupport]),
    );
    expect(support).toMatchObject({ Add: undefined, Slow: 'optional', Fail: 'required' });
  });

  it(proves('mcp.tasks-2025', 'end with the result that the call would have had'), async () => {
    for (const [name, given] of [
      ['Slow', { ms: 50, text: 'a' }],
      ['Picture', {}],
      ['Report', {}],
    ] as const) {
      const wanted = (await client.request('tools/call', call(name, given))).result;
      const task = await startLegacy(client, name, given, { ttl: 60_000.5 });
      expect(task).toMatchObject({ status: 'working', ttl: 60_001, pollInterval: 1000 });
      const { result } = await client.request('tasks/result', { taskId: task.taskId }); // waits for the end
      expect(result).toEqual({ ...wanted, _meta: { ...wanted._meta, [RELATED]: { taskId: task.taskId } } });
      const read = (await client.request('tasks/get', { taskId: task.taskId })).result;
      expect(read).toMatchObject({ taskId: task.taskId, status: 'completed', createdAt: task.createdAt });
      expect(read).not.toHaveProperty('result');
    }
  });

  it(proves('mcp.tasks-2025', 'that fail in the function have failed, and still have a result'), async () => {
    const { taskId } = await startLegacy(client, 'Fail');
    const { result } = await client.request('tasks/result', { taskId });
    expect(result).toMatchObject({ isError: true, _meta: { [RELATED]: { taskId } } });
    expect((await client.request('tasks/get', { taskId })).result.status).toBe('failed');
    const large = (await startLegacy(client, 'Large')).taskId;
    expect((await client.request('tasks/result', { taskId: large })).error).toMatchObject({
      code: -32603,
      data: { code: 'RESULT_TOO_LARGE' },
    });
    expect((await client.request('tasks/get', { taskId: large })).result.status).toBe('failed');
    const asking = (await startLegacy(client, 'Confirm')).taskId;
    const asked = (await client.request('tasks/result', { taskId: asking })).result;
    expect(asked).toMatchObject({ isError: true, _meta: { 'everywire/error': { code: 'INPUT_REQUIRED' } } });
  });

  it(proves('mcp.tasks-2025', 'are cancelled before the response, and only once'), async () => {
    const { taskId } = await startLegacy(client, 'Wait');
    const waiting = client.request('tasks/result', { taskId });
    expect((await client.request('tasks/cancel', { taskId })).result).toMatchObject({ taskId, status: 'cancelled' });
    expect((await waiting).error).toMatchObject({ data: { code: 'CANCELLED' } });
    expect((await client.request('tasks/get', { taskId })).result.status).toBe('cancelled');
    expect((await client.request('tasks/cancel', { taskId })).error.code).toBe(-32602);
  });

  it(proves('mcp.tasks-2025', 'are refused where they are not allowed, and demanded elsewhere'), async () => {
    const never = await client.request('tools/call', call('Add', { x: 1, y: 2 }, { task: {} }));
    expect(never.error).toMatchObject({ code: -32601, data: { code: 'TASK_NOT_ALLOWED' } });
    const always = await client.request('tools/call', call('Fail'));
    expect(always.error).toMatchObject({ code: -32601, data: { code: 'TASK_REQUIRED' } });
    for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
      expect((await client.request(method, { taskId: 'no-such-task' })).error.code, method).toBe(-32602);
      expect((await client.request(method, {})).error.code, method).toBe(-32602);
    }
    for (const method of ['tasks/list', 'tasks/update'])
      expect((await client.request(method, { taskId: 'a' })).error.code, method).toBe(-32601);
    const invalid = await client.request('tools/call', call('Slow', { text: 'a' }, { task: { ttl: 'long' } }));
    expect(invalid.error.code).toBe(-32602);
  });
});

it(proves('mcp.tasks-2025', 'a task of one revision is a task of the other'), async () => {
  const old = await legacyHttpClient(app, false);
  const client = httpClient(app);
  const { taskId } = await startLegacy(old, 'Slow', { text: 'a' });
  const ended = await taskOf(client, taskId, 'completed');
  expect(ended.result.structuredContent).toEqual({ result: 'a' });
  const asking = (await start(client, 'Confirm')).taskId;
  await taskOf(client, asking, 'input_required');
  expect((await old.request('tasks/get', { taskId: asking })).result.status).toBe('input_required');
  const waiting = old.request('tasks/result', { taskId: asking });
  const inputResponses = { consent: { action: 'accept', content: { ok: true } } };
  await client.request('tasks/update', { taskId: asking, inputResponses });
  expect((await waiting).result.structuredContent).toEqual({ result: 'done' });
  const failed = (await start(client, 'Fail')).taskId;
  await taskOf(client, failed, 'completed');
  expect((await old.request('tasks/get', { taskId: failed })).result.status).toBe('failed');
});

it(proves('mcp.tasks-hostile', 'nobody waits for a result whose client has left'), async () => {
  const host = await serve(createApp(options), { port: 0 }); // its own: other files call the app, which drain stops
  const client = httpClient(host.url);
  const { taskId } = await start(client, 'Wait');
  const leaving = new AbortController();
  const waiting = legacy(host.url, { method: 'tasks/result', params: { taskId } }, undefined, leaving.signal);
  setTimeout(() => leaving.abort(), 200);
  await expect(waiting).rejects.toThrow('abort');
  await client.request('tasks/cancel', { taskId });
  const response = await legacy(host.url, { method: 'tasks/result', params: { taskId } });
  expect((await messagesIn(response))[0].error.data.code).toBe('CANCELLED');
  await host.drain();
});
