import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import app from '../apps/mcp-tasks.ts';
import { proves } from '../promises.ts';
import { TASKS, call, httpClient, start, stdioClient, taskOf, type Client } from './task-client.ts';

const UNDECLARED = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };
/** Takes tasks, and cannot be asked. */
const UNASKABLE = { 'io.modelcontextprotocol/clientCapabilities': { extensions: { [TASKS]: {} } } };
const MISSING = { requiredCapabilities: { extensions: { [TASKS]: {} } } };
const answer = (content: object) => ({ action: 'accept', content });

describe.each([
  ['HTTP', () => Promise.resolve(httpClient(app))],
  ['stdio', () => stdioClient('test/apps/mcp-tasks.ts', 'modern')],
])('tasks of revision 2026-07-28 over %s', (wire, open) => {
  let client: Client;
  /** Only HTTP has them. */
  const status = (code: number) => (wire === 'HTTP' ? code : undefined);

  beforeAll(async () => void (client = await open()));
  afterAll(() => client.close());

  it(proves('mcp.tasks', 'are declared as an extension, and not as a capability of their own'), async () => {
    const { capabilities } = (await client.request('server/discover')).result;
    expect(capabilities.extensions).toEqual({ [TASKS]: {} });
    expect(capabilities).not.toHaveProperty('tasks');
    const { tools } = (await client.request('tools/list')).result;
    expect(JSON.stringify(tools)).not.toContain('taskSupport');
  });

  it(proves('mcp.tasks', 'end with the result that the call would have had'), async () => {
    for (const [name, given] of [
      ['Slow', { ms: 20, text: 'äöü "quoted"' }],
      ['Slow', { text: 'x'.repeat(100_000) }],
      ['Picture', {}],
      ['Report', {}],
    ] as const) {
      const wanted = (await client.request('tools/call', call(name, given, { _meta: UNDECLARED }))).result;
      const created = await start(client, name, given);
      expect(Object.keys(created).toSorted()).toEqual(
        ['_meta', 'createdAt', 'lastUpdatedAt', 'pollIntervalMs', 'resultType', 'status', 'taskId', 'ttlMs'].toSorted(),
      );
      const task = await taskOf(client, created.taskId, 'completed', 'failed');
      expect(task).toMatchObject({ resultType: 'complete', status: 'completed', createdAt: created.createdAt });
      expect(task.result).toEqual(wanted);
      expect(task.result._meta).toHaveProperty(['io.modelcontextprotocol/serverInfo']);
    }
  });

  it(proves('mcp.tasks', 'report progress as the status message'), async () => {
    const { taskId } = await start(client, 'Slow', { ms: 5000, text: 'a' });
    await expect
      .poll(async () => (await client.request('tasks/get', { taskId })).result.statusMessage, { timeout: 5000 })
      .toBe('Half done');
    expect((await client.request('tasks/get', { taskId })).result).not.toHaveProperty('progress');
    await client.request('tasks/cancel', { taskId });
  });

  it(proves('mcp.tasks', 'are not made of calls that cannot become one, nor by a parameter'), async () => {
    const { result } = await client.request('tools/call', call('Add', { x: 1, y: 2 }));
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { result: 3 } });
    const asked = call('Slow', { text: 'a' }, { _meta: UNDECLARED, task: { ttl: 60_000 } });
    expect((await client.request('tools/call', asked)).result.structuredContent).toEqual({ result: 'a' });
    const invalid = await client.request('tools/call', call('Slow', { text: 1, other: true }));
    expect(invalid.result).toMatchObject({ resultType: 'complete', isError: true });
  });

  it(proves('mcp.tasks', 'that fail in the function have a result; those without an answer an error'), async () => {
    const failing = await taskOf(client, (await start(client, 'Fail')).taskId, 'completed', 'failed');
    expect(failing).toMatchObject({ status: 'completed', result: { isError: true } });
    expect(JSON.stringify(failing.result)).toContain('There is no such user');
    const large = await taskOf(client, (await start(client, 'Large')).taskId, 'completed', 'failed');
    expect(large).toMatchObject({ status: 'failed', error: { code: -32603, data: { code: 'RESULT_TOO_LARGE' } } });
    expect(large).not.toHaveProperty('result');
  });

  it(proves('mcp.tasks', 'need a client that declares them'), async () => {
    const { taskId } = await start(client, 'Slow', { text: 'a' });
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const refused = await client.request(method, { taskId, inputResponses: {}, _meta: UNDECLARED });
      expect(refused, method).toMatchObject({ error: { code: -32021, data: MISSING } });
      expect(refused.status).toBe(status(400));
    }
    const refused = await client.request('tools/call', call('Fail', {}, { _meta: UNDECLARED }));
    expect(refused).toMatchObject({ error: { code: -32021, data: { ...MISSING, code: 'TASK_REQUIRED' } } });
    expect(refused.status).toBe(status(400));
    const listening = await client.listen({ taskIds: [taskId] }, UNDECLARED);
    const [answered] = await listening.ended;
    expect(answered).toMatchObject({ error: { code: -32021, data: MISSING } });
    expect(answered.status).toBe(status(400));
  });

  it(proves('mcp.tasks', 'that do not exist are invalid params, and removed methods do not exist'), async () => {
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
      const unknown = await client.request(method, { taskId: 'no-such-task', inputResponses: {} });
      expect(unknown, method).toMatchObject({ error: { code: -32602, message: 'Task not found: no-such-task' } });
      expect(unknown.status).toBe(status(200));
      for (const taskId of [undefined, 7, { a: 1 }])
        expect((await client.request(method, { taskId, inputResponses: {} })).error.code).toBe(-32602);
    }
    for (const method of ['tasks/result', 'tasks/list']) {
      const removed = await client.request(method, { taskId: 'a' });
      expect(removed, method).toMatchObject({ error: { code: -32601 } });
      expect(removed.status).toBe(status(404));
    }
  });

  it(proves('mcp.tasks', 'can be cancelled, also twice, and also when they have ended'), async () => {
    const { taskId } = await start(client, 'Wait');
    for (let i = 0; i < 2; i++) {
      const { result } = await client.request('tasks/cancel', { taskId });
      expect(Object.keys(result).toSorted()).toEqual(['_meta', 'resultType']);
      expect(result.resultType).toBe('complete');
    }
    const cancelled = await taskOf(client, taskId, 'cancelled');
    expect(cancelled).not.toHaveProperty('result');
    expect(cancelled).not.toHaveProperty('error');
    const ended = (await start(client, 'Slow', { text: 'a' })).taskId;
    await taskOf(client, ended, 'completed');
    expect((await client.request('tasks/cancel', { taskId: ended })).result.resultType).toBe('complete');
    expect((await client.request('tasks/get', { taskId: ended })).result.status).toBe('completed');
  });

  it(proves('mcp.tasks', 'ask while they run, and take answers one by one'), async () => {
    const { taskId } = await start(client, 'Pair');
    const { inputRequests } = await taskOf(client, taskId, 'input_required');
    expect(Object.keys(inputRequests)).toEqual(['who', 'color']);
    expect(inputRequests.who).toMatchObject({ method: 'elicitation/create', params: { message: 'Who?' } });
    const first = { who: answer({ name: 'Ann' }), unknown: answer({ name: 'Bob' }) };
    const { result } = await client.request('tasks/update', { taskId, inputResponses: first });
    expect(Object.keys(result).toSorted()).toEqual(['_meta', 'resultType']);
    const left = (await client.request('tasks/get', { taskId })).result;
    expect(left.status).toBe('input_required');
    expect(Object.keys(left.inputRequests)).toEqual(['color']);
    // What was answered stays as it is, and what looks like no answer is none.
    const again = { who: answer({ name: 'Bob' }), color: { method: 'elicitation/create' } };
    await client.request('tasks/update', { taskId, inputResponses: again });
    await client.request('tasks/update', { taskId, inputResponses: { color: answer({ color: 'red' }) } });
    const ended = await taskOf(client, taskId, 'completed');
    expect(ended.result.structuredContent).toEqual({ result: 'Ann likes red' });
    const late = await client.request('tasks/update', { taskId, inputResponses: { who: answer({ name: 'Eve' }) } });
    expect(late.result.resultType).toBe('complete');
  });

  it(proves('mcp.tasks', 'ask again under another key, if an answer does not fit'), async () => {
    const { taskId } = await start(client, 'Confirm');
    await taskOf(client, taskId, 'input_required');
    await client.request('tasks/update', { taskId, inputResponses: { consent: answer({ ok: 'maybe' }) } });
    const { inputRequests } = await taskOf(client, taskId, 'input_required');
    expect(Object.keys(inputRequests)).toEqual(['consent-2']);
    await client.request('tasks/update', { taskId, inputResponses: { 'consent-2': answer({ ok: true }) } });
    expect((await taskOf(client, taskId, 'completed')).result.structuredContent).toEqual({ result: 'done' });
  });

  it(proves('mcp.tasks', 'of a client that cannot be asked fail with what they would have asked'), async () => {
    const { taskId } = await start(client, 'Confirm', {}, { _meta: UNASKABLE });
    const { result } = await taskOf(client, taskId, 'completed');
    expect(result).toMatchObject({ isError: true, _meta: { 'everywire/error': { code: 'INPUT_REQUIRED' } } });
  });

  it(proves('mcp.tasks', 'can ask first, in rounds of the call, and then begin'), async () => {
    const first = (await client.request('tools/call', call('Greet'))).result;
    expect(first.resultType).toBe('input_required');
    const more = { requestState: first.requestState, inputResponses: { who: answer({ name: 'Alice' }) } };
    const { taskId } = await start(client, 'Greet', {}, more);
    expect((await taskOf(client, taskId, 'completed')).result.structuredContent).toEqual({ result: 'Hello, Alice!' });
  });

  it(proves('mcp.tasks', 'with the same idempotency key are one'), async () => {
    const keyed = (key: unknown) => ({ _meta: { ...UNASKABLE, 'everywire/idempotencyKey': key } });
    const key = `key ${Math.random()}`;
    const { taskId } = await start(client, 'Slow', { text: 'a' }, keyed(key));
    expect((await start(client, 'Slow', { text: 'a' }, keyed(key))).taskId).toBe(taskId);
    expect((await start(client, 'Slow', { text: 'a' }, keyed(`${key}.`))).taskId).not.toBe(taskId);
    const other = await client.request('tools/call', call('Slow', { text: 'b' }, keyed(key)));
    expect(other.result._meta['everywire/error']).toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    for (const invalid of [7, '', 'x'.repeat(256)])
      expect((await client.request('tools/call', call('Slow', { text: 'b' }, keyed(invalid)))).error.code).toBe(-32600);
  });

  it(proves('mcp.tasks-listen', 'are told to clients that listen, from their state now to their end'), async () => {
    const { taskId } = await start(client, 'Confirm');
    await taskOf(client, taskId, 'input_required');
    const other = (await start(client, 'Slow', { text: 'a' })).taskId;
    await taskOf(client, other, 'completed');
    const listening = await client.listen({ taskIds: [taskId, 'no-such-task', other, taskId] });
    const acknowledged = await listening.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(acknowledged.params.notifications).toEqual({ taskIds: [taskId, other] });
    const subscription = acknowledged.params._meta['io.modelcontextprotocol/subscriptionId'];
    const asking = await listening.until(({ params }) => params?.status === 'input_required');
    const { resultType, _meta, ...state } = (await client.request('tasks/get', { taskId })).result;
    expect(asking.params).toEqual({ ...state, _meta: { 'io.modelcontextprotocol/subscriptionId': subscription } });
    await client.request('tasks/update', { taskId, inputResponses: { consent: answer({ ok: true }) } });
    const heard = await listening.ended;
    expect(heard[0]).toBe(acknowledged);
    // A listener without anything left to hear gets its response.
    expect(heard.at(-1)).toMatchObject({ id: subscription, result: { resultType } });
    expect(heard.at(-1).result._meta['io.modelcontextprotocol/serverInfo']).toEqual(
      _meta['io.modelcontextprotocol/serverInfo'],
    );
    const statuses = heard.filter(({ params }) => params?.taskId === taskId).map(({ params }) => params.status);
    expect(statuses[0]).toBe('input_required');
    expect(statuses.at(-1)).toBe('completed');
    const last = heard.findLast(({ params }) => params?.taskId === taskId).params;
    expect(last.result.structuredContent).toEqual({ result: 'done' });
    expect(heard.filter(({ params }) => params?.taskId === other)).toHaveLength(1);
  });

  it(proves('mcp.tasks-listen', 'are told together with all else that a client asks for'), async () => {
    const { taskId } = await start(client, 'Wait');
    const notifications = { taskIds: [taskId], toolsListChanged: true, resourceSubscriptions: ['notes://1'] };
    const listening = await client.listen(notifications);
    const { params } = await listening.until(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(params.notifications).toEqual(notifications);
    await listening.until(({ method }) => method === 'notifications/tasks');
    await client.request('tools/call', call('Touch'));
    await listening.until(({ method }) => method === 'notifications/tools/list_changed');
    await listening.until(({ method }) => method === 'notifications/resources/updated');
    await client.request('tasks/cancel', { taskId });
    await listening.until(({ params: task }) => task?.status === 'cancelled');
    // It still hears of the rest.
    const before = listening.heard.length;
    await client.request('tools/call', call('Touch'));
    await expect.poll(() => listening.heard.length).toBe(before + 2);
    expect(listening.heard.every(({ id }) => id === undefined)).toBe(true);
    await listening.end();
  });

  it(proves('mcp.tasks-listen', 'are not told any more to a client that has stopped listening'), async () => {
    const { taskId } = await start(client, 'Wait', { progress: true });
    const listening = await client.listen({ taskIds: [taskId] });
    await listening.until(({ method }) => method === 'notifications/tasks');
    await listening.end();
    const before = listening.heard.length;
    await client.request('tasks/cancel', { taskId });
    await taskOf(client, taskId, 'cancelled');
    expect(listening.heard.length).toBeLessThan(before + 3);
    expect(listening.heard.every(({ params }) => params?.status !== 'cancelled')).toBe(true);
  });
});

describe('over HTTP', () => {
  it(proves('mcp.tasks', 'headers that do not match the body are refused'), async () => {
    const client = httpClient(app);
    const { taskId } = await start(client, 'Slow', { text: 'a' });
    const wrong: Record<string, string>[] = [{ 'mcp-method': 'tools/call' }, { 'mcp-name': 'another-task' }];
    for (const headers of wrong)
      for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
        const refused = await httpClient(app, headers).request(method, { taskId, inputResponses: {} });
        expect(refused).toMatchObject({ status: 400, error: { code: -32020 } });
      }
  });
});
