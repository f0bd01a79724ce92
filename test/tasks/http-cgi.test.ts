import { createApp, type App } from 'everywire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import tasks from '../apps/http-tasks.ts';
import { shared } from '../kit/broker.ts';
import { cgi } from '../kit/command.ts';
import { expectErrors } from '../kit/errors.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import { proves } from '../promises.ts';
import { parseCgi } from '../wires/cgi.ts';
import { serveTasks, type Client } from './http-client.ts';

/** As another process would have it. */
const copy = (store?: string): App => {
  const functions = tasks.functions.map(({ definition }) => definition);
  return createApp({ name: tasks.name, version: tasks.version, functions, ...(store && { store }) }) as never;
};

const READ = { REQUEST_METHOD: 'GET', CONTENT_TYPE: '' };

async function ask(store: string | undefined, path: string, body = '', variables: Record<string, string> = {}) {
  const all = {
    REQUEST_METHOD: 'POST',
    CONTENT_TYPE: 'application/json',
    CONTENT_LENGTH: String(body.length),
    HTTP_HOST: 'cgi.example',
    SCRIPT_NAME: '/cgi-bin/tasks.mjs',
    PATH_INFO: path,
    ...variables,
  };
  return parseCgi((await cgi(copy(store), all, body)).stdout);
}

describe('without a store', () => {
  it.each([
    ['/Always', '{"word":"a"}', {}],
    ['/Wait', '{}', { HTTP_PREFER: 'respond-async' }],
    ['/tasks/x/cancel', '', {}],
  ])(proves('cgi.task', 'tasks are refused, and it says what is missing: %s'), async (path, body, more) => {
    const { statusLine, body: told } = await ask(undefined, path, body, more);
    expect(statusLine).toBe('503 Service Unavailable');
    expect(told).toContain('Tasks need a store that outlives this process: --store redis://localhost:6379');
  });
});

describe.skipIf(!hasRedis)('with Redis', () => {
  let store: string;
  let worker: Client;
  beforeAll(async () => {
    ({ url: store } = await shared('redis'));
    const app = copy(store);
    await app.tasks.work();
    worker = await serveTasks(app);
  });
  afterAll(() => worker.stop());

  it(proves('cgi.task', 'a task is started on CGI, worked on elsewhere, and read on either'), async () => {
    const { statusLine, headers, body } = await ask(store, '/Always', '{"word":"a"}');
    const { taskId } = JSON.parse(body) as { taskId: string };
    expect(statusLine).toBe('202 Accepted');
    const url = `http://cgi.example/cgi-bin/tasks.mjs/tasks/${taskId}`;
    expect([headers['location'], headers['operation-location']]).toEqual([url, url]);
    const waited = await ask(store, `/tasks/${taskId}`, '', { ...READ, HTTP_PREFER: 'wait=20' });
    const task = JSON.parse(waited.body) as object;
    expect(task).toMatchObject({ status: 'completed', result: { result: 'a' } });
    expect(await worker.settled(taskId)).toEqual(task);
    expect((await ask(store, `/tasks/${taskId}/result`, '', READ)).body).toBe('{"result":"a"}');
    expect((await ask(store, `/tasks/${taskId}/events`, '', READ)).body).toContain('event: task\nid: end\n');
  });

  it(proves('http.ready-store', 'and without it: the server is not ready, and comes back'), async () => {
    expectErrors(/ECONNREFUSED|Connection is closed/);
    const own = await startRedis(); // it is stopped
    const client = await serveTasks(copy(own.url));
    const ready = async () => {
      const response = await client.get('/readyz');
      return [response.status, await response.text()];
    };
    expect(await ready()).toEqual([200, '{"status":"ready"}']);
    await own.stop();
    expect(await ready()).toEqual([503, '{"status":"store unreachable"}']);
    const refused = await client.post('/functions/Always', { word: 'a' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
    const again = await startRedis(own.port);
    await expect.poll(ready, { timeout: 30_000 }).toEqual([200, '{"status":"ready"}']);
    await client.stop();
    await again.stop();
  });

  it(proves('http.ready-store', 'also if it was never there'), async () => {
    const client = await serveTasks(copy('redis://127.0.0.1:1'));
    expect((await client.get('/readyz')).status).toBe(503);
    expect((await client.get('/healthz')).status).toBe(200);
    await client.stop();
  });
});
