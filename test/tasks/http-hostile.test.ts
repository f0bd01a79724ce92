import { once } from 'node:events';
import { request, type IncomingMessage, type RequestOptions } from 'node:http';
import { createApp, type App } from 'everywire';
import { apiKeys } from 'everywire/access';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import tasks from '../apps/http-tasks.ts';
import { fn, hashOf, object, string } from '../kit/functions.ts';
import { size } from '../kit/sizes.ts';
import { proves } from '../promises.ts';
import { ASYNC, serveTasks, type Client } from './http-client.ts';

const ada = { authorization: 'Bearer key-of-ada-0123456789' };
const bo = { authorization: 'Bearer key-of-bo-9876543210' };
const low = { authorization: 'Bearer key-of-low-5555555555' };

const scopes = ['work'];
const functions = [
  fn('Work', { task: 'allowed', scopes, taskTtl: 60_000 }, () => {}),
  fn('Brief', { task: 'allowed', scopes, taskTtl: 1000 }, () => {}),
  fn('Look', { scopes: 'public' }, () => {}),
];

const ownedApp = (hide: boolean): App =>
  createApp({
    name: 'Owned',
    version: '1.0.0',
    functions,
    cors: { origins: ['https://page.example'] },
    access: {
      hide,
      url: 'https://api.example/v1/',
      authenticators: [
        apiKeys({
          keys: {
            [hashOf('key-of-ada-0123456789')]: { id: 'ada', scopes: ['work'] },
            [hashOf('key-of-bo-9876543210')]: { id: 'bo', scopes: ['work'] },
            [hashOf('key-of-low-5555555555')]: { id: 'low', scopes: [] },
          },
        }),
      ],
    },
  }) as never;

const PATHS = [
  ['GET', ''],
  ['GET', '/result'],
  ['GET', '/events'],
  ['POST', '/input'],
  ['POST', '/cancel'],
] as const;

const send = (client: Client, method: string, path: string, headers: Record<string, string> = {}) =>
  fetch(client.url + path, {
    method,
    headers: { ...(method === 'POST' && { 'content-type': 'application/json' }), ...headers },
    ...(method === 'POST' && { body: '{"inputResponses":{}}' }),
  });

describe('a task of somebody else', () => {
  let client: Client;
  let hidden: Client;
  beforeAll(async () => {
    client = await serveTasks(ownedApp(false));
    hidden = await serveTasks(ownedApp(true));
  });
  afterAll(() => Promise.all([client.stop(), hidden.stop()]));

  it(proves('http.task-owner', 'is like one that does not exist'), async () => {
    const id = await client.start('Work', {}, ada);
    const unknown = id.replaceAll(/./g, '0');
    const gone = await client.start('Brief', {}, bo);
    await expect.poll(async () => (await client.get(`/tasks/${gone}`, bo)).status, { timeout: 30_000 }).toBe(404);
    for (const [method, end] of PATHS) {
      for (const [task, headers] of [
        [id, bo],
        [id, {}],
        [unknown, bo],
        [unknown, ada],
        [gone, bo],
      ] as const) {
        const response = await send(client, method, `/tasks/${task}${end}`, headers);
        const told = [response.status, response.headers.get('everywire-error-code'), await response.text()];
        expect(told, end).toEqual([404, 'TASK_NOT_FOUND', `{"error":"Task not found: ${task}"}`]);
      }
    }
    expect((await client.settled(id, ada)).status).toBe('completed');
  });

  it.each(PATHS)(proves('http.task-owner', 'with wrong credentials, is 401: %s %s'), async (method, end) => {
    const id = await client.start('Work', {}, ada);
    const response = await send(client, method, `/tasks/${id}${end}`, { authorization: 'Bearer nobody' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"');
  });

  it(proves('http.task-owner', 'does not share idempotency keys'), async () => {
    const key = { 'idempotency-key': 'same' };
    const first = await client.start('Work', {}, { ...ada, ...key });
    expect(await client.start('Work', {}, { ...bo, ...key })).not.toBe(first);
    expect(await client.start('Work', {}, { ...ada, ...key })).toBe(first);
  });

  it(proves('http.task-paths', 'has no path, for those from whom the functions are hidden'), async () => {
    const id = await hidden.start('Work', {}, ada);
    expect((await hidden.get(`/tasks/${id}`, ada)).status).toBe(200);
    expect((await hidden.get(`/tasks/${id}`, bo)).headers.get('everywire-error-code')).toBe('TASK_NOT_FOUND');
    for (const headers of [low, {}])
      expect((await hidden.get(`/tasks/${id}`, headers)).headers.get('everywire-error-code')).toBe('NOT_FOUND');
    expect((await hidden.get(`/tasks/${id}`, { authorization: 'Bearer nobody' })).status).toBe(401);
    const pathsOf = async (headers: Record<string, string>) =>
      Object.keys(((await (await hidden.get('/openapi.json', headers)).json()) as { paths: object }).paths);
    expect(await pathsOf(ada)).toContain('/tasks/{taskId}');
    expect(await pathsOf(low)).toEqual(['/functions/Look']);
  });

  it(proves('http.task', 'has the public address of the app in Location'), async () => {
    const response = await client.post('/functions/Work', {}, { ...ASYNC, ...ada });
    expect(response.headers.get('location')).toMatch(/^https:\/\/api\.example\/v1\/tasks\/[0-9a-f]{36}$/);
  });

  it(proves('http.cors', 'pages may send and read the headers of tasks'), async () => {
    const origin = 'https://page.example';
    const preflight = await fetch(`${client.url}/functions/Work`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST' },
    });
    const allowed = preflight.headers.get('access-control-allow-headers')!.split(', ');
    expect(allowed).toEqual(expect.arrayContaining(['prefer', 'idempotency-key']));
    const response = await client.post('/functions/Work', {}, { ...ASYNC, ...ada, origin });
    const exposed = response.headers.get('access-control-expose-headers')!.split(', ');
    expect(exposed).toEqual(
      expect.arrayContaining(['location', 'operation-location', 'preference-applied', 'retry-after']),
    );
  });
});

describe('what nobody should send', () => {
  let client: Client;
  beforeAll(async () => void (client = await serveTasks(tasks as never)));
  afterAll(() => client.stop());

  it.each(PATHS)(proves('http.method', 'is refused with the methods that there are: %s %s'), async (method, end) => {
    const wrong = method === 'GET' ? 'POST' : 'GET';
    const allow = method === 'GET' ? 'GET, HEAD, OPTIONS' : 'POST, OPTIONS';
    for (const sent of [wrong, 'DELETE', 'PUT']) {
      const response = await send(client, sent, `/tasks/x${end}`);
      expect([response.status, response.headers.get('allow')]).toEqual([405, allow]);
    }
    const options = await send(client, 'OPTIONS', `/tasks/x${end}`);
    expect([options.status, options.headers.get('allow')]).toEqual([204, allow]);
  });

  it.each([
    ['/tasks', 'NOT_FOUND'],
    ['/tasks/', 'NOT_FOUND'],
    ['/tasks//result', 'NOT_FOUND'],
    ['/tasks/a/b', 'NOT_FOUND'],
    ['/tasks/a/result/b', 'NOT_FOUND'],
    ['/tasks/a%2Fresult', 'TASK_NOT_FOUND'],
    ['/tasks/%00', 'TASK_NOT_FOUND'],
    ['/tasks/%FF', 'TASK_NOT_FOUND'],
    ['/tasks/%', 'TASK_NOT_FOUND'],
    ['/tasks/__proto__', 'TASK_NOT_FOUND'],
    ['/tasks/a/%72esult', 'TASK_NOT_FOUND'],
    [`/tasks/${'a'.repeat(10_000)}`, 'TASK_NOT_FOUND'],
    [`/tasks/${'%C3%A9'.repeat(2000)}/result`, 'TASK_NOT_FOUND'],
  ])('is not found: %.40s', async (path, code) => {
    const response = await client.get(path);
    expect([response.status, response.headers.get('everywire-error-code')]).toEqual([404, code]);
    expect((await response.text()).length).toBeLessThan(path.length + 100);
  });

  /** A request that `fetch` would not send as it is. */
  const sendRaw = async (path: string, options: RequestOptions, body?: string) => {
    const [response] = (await once(request(client.url + path, options).end(body), 'response')) as [IncomingMessage];
    return response.resume();
  };

  it('is a path with dots, which clients resolve', async () => {
    const { headers } = await sendRaw('', { path: '/tasks/..' });
    expect(headers['everywire-error-code']).toBe('NOT_FOUND');
  });

  it(proves('http.limits', 'is a Prefer header of a megabyte'), async () => {
    const headers = { prefer: `x="${','.repeat(1_000_000)}", respond-async` };
    expect((await sendRaw('/functions/Nothing', { method: 'POST', headers }, '{}')).statusCode).toBe(431);
  });

  const HOSTS = ['user@evil.example', 'evil.example/x', 'a b', '[::1', 'a:b', ''];
  it.each(HOSTS)('is a Host that leads elsewhere: %j', async (host) => {
    const init = { method: 'POST', headers: { ...ASYNC, host } };
    const { headers, status } = await tasks.fetch(new Request('http://localhost/functions/Nothing', init));
    expect([status, headers.has('location'), headers.has('operation-location')]).toEqual([202, false, false]);
  });

  it(proves('http.task-wait', 'goes on after many clients that do not wait'), async () => {
    const id = await client.start('Wait', { seconds: 60 });
    for (let i = 0; i < size(2, 20); i++) {
      const abort = new AbortController();
      const requests = Array.from({ length: 50 }, (_, k) =>
        fetch(`${client.url}/tasks/${id}${k % 2 ? '/events' : ''}`, {
          headers: { prefer: 'wait=60' },
          signal: abort.signal,
        }).catch(() => {}),
      );
      await new Promise((resolve) => setTimeout(resolve, 20));
      abort.abort();
      await Promise.all(requests);
    }
    expect((await client.post(`/tasks/${id}/cancel`)).status).toBe(200);
    expect((await client.settled(id)).status).toBe('cancelled');
  });
});

describe('an app without tasks', () => {
  it(proves('http.task-paths', 'has no paths for them, and may use these'), async () => {
    const http = { method: 'GET', path: '/tasks/{id}' } as const;
    const parts = { hints: { readOnly: true }, http, input: object({ id: string }), output: string };
    const list = fn('GetTask', parts, ({ id }) => id);
    const task = fn('Task', { task: 'allowed' }, () => {});
    const app = createApp({ name: 'Own', version: '1.0.0', functions: [list] });
    const ask = (path: string) => app.fetch(new Request(`http://localhost${path}`));
    expect(await (await ask('/tasks/7')).text()).toBe('{"result":"7"}');
    expect((await ask('/tasks/7/result')).status).toBe(404);
    expect(() => createApp({ name: 'Both', version: '1.0.0', functions: [list, task] })).toThrow(
      '/tasks is a path of every app with tasks',
    );
  });
});
