import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp } from 'everywire';
import type { App } from 'everywire';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import tasks from '../apps/http-tasks.ts';
import { proves } from '../promises.ts';
import { hasRedis, startRedis } from '../rate/redis-server.ts';
import type { RedisServer } from '../rate/redis-server.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { builtModule } from '../wires/built.ts';
import { cgi as respond } from '../kit/command.ts';
import { parseCgi, runCgi } from '../wires/cgi.ts';
import { startWebServer, webServers, whyNoServers } from '../wires/web-server.ts';
import { eventsIn, serveTasks } from './http-client.ts';
import type { Client } from './http-client.ts';

const MODULE = 'test/apps/http-tasks.ts';

/** In this process, or in one with these arguments. */
async function ask(given: Record<string, string>, body = '', args?: readonly string[]) {
  const variables = {
    REQUEST_METHOD: 'POST',
    CONTENT_TYPE: 'application/json',
    CONTENT_LENGTH: String(Buffer.byteLength(body)),
    HTTP_HOST: 'cgi.example',
    SCRIPT_NAME: '/cgi-bin/tasks.mjs',
    ...given,
  };
  const { stdout } = await (args ? runCgi(args, variables, Buffer.from(body)) : respond(MODULE, variables, body));
  return parseCgi(stdout);
}

describe.concurrent('without a store', () => {
  it.each([
    ['/Always', '{"word":"a"}', {}],
    ['/Wait', '{}', { HTTP_PREFER: 'respond-async' }],
    ['/tasks/x/cancel', '', {}],
  ])(proves('cgi.task', 'tasks are refused, and it says what is missing: %s'), async (path, body, more) => {
    const { statusLine, body: told } = await ask({ PATH_INFO: path, ...more }, body);
    expect(statusLine).toBe('503 Service Unavailable');
    expect(told).toContain('Tasks need a store that outlives this process: --store redis://localhost:6379');
  });

  it(proves('cgi.task', 'calls are answered as ever'), async () => {
    const { status, body } = await ask({ PATH_INFO: '/Wait' }, '{}');
    expect([status, body]).toEqual([200, '{"result":{"waited":0,"inTask":false}}']);
  });
});

describe.skipIf(!hasRedis)('with Redis', () => {
  let redis: RedisServer;
  let worker: Client;
  const copy = (store: string): App =>
    createApp({
      name: tasks.name,
      version: tasks.version,
      store,
      functions: tasks.functions.map(({ definition }) => definition),
    }) as never;

  beforeAll(async () => {
    redis = await startRedis();
    const app = copy(redis.url);
    await app.tasks.work();
    worker = await serveTasks(app);
  });
  afterAll(async () => {
    await worker.stop();
    await redis.stop();
  });
  const cgi = (variables: Record<string, string>, body?: string) =>
    ask({ EVERYWIRE_STORE: redis.url, ...variables }, body);
  const read = { REQUEST_METHOD: 'GET', CONTENT_TYPE: '' };

  it(proves('cgi.task', 'a task is started on CGI, worked on elsewhere, and read on either'), async () => {
    const { statusLine, headers, body } = await cgi({ PATH_INFO: '/Always' }, '{"word":"a"}');
    const { taskId } = JSON.parse(body) as { taskId: string };
    expect(statusLine).toBe('202 Accepted');
    const url = `http://cgi.example/cgi-bin/tasks.mjs/tasks/${taskId}`;
    expect([headers['location'], headers['operation-location']]).toEqual([url, url]);
    const waited = await cgi({ PATH_INFO: `/tasks/${taskId}`, ...read, HTTP_PREFER: 'wait=20' });
    const task = JSON.parse(waited.body) as object;
    expect(task).toMatchObject({ status: 'completed', result: { result: 'a' } });
    expect(await worker.settled(taskId)).toEqual(task);
    expect((await cgi({ PATH_INFO: `/tasks/${taskId}/result`, ...read })).body).toBe('{"result":"a"}');
    expect((await cgi({ PATH_INFO: `/tasks/${taskId}/events`, ...read })).body).toContain('event: task\nid: end\n');
  });

  it(proves('cgi.task', 'a task is started over HTTP, and answered and cancelled on CGI'), async () => {
    const id = await worker.start('Confirm', {});
    const [key] = Object.keys((await worker.settled(id)).inputRequests as object);
    const events = eventsIn(await worker.get(`/tasks/${id}/events`));
    await events.next();
    const inputResponses = { [key!]: { action: 'accept', content: { name: 'Ada' } } };
    const answered = await cgi({ PATH_INFO: `/tasks/${id}/input` }, JSON.stringify({ inputResponses }));
    expect([answered.status, answered.body]).toEqual([200, '{}']);
    expect(JSON.parse((await cgi({ PATH_INFO: `/tasks/${id}/cancel` })).body)).toMatchObject({ status: 'cancelled' });
    let last;
    for await (const { data } of events) last = data.status as string;
    expect(last).toBe('cancelled');
  });

  it(proves('http.ready-store', 'and without it: the server is not ready, and comes back'), async () => {
    const own = await startRedis();
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
    while ((await ready())[0] !== 200) await new Promise((resolve) => setTimeout(resolve, 50));
    await client.stop();
    await again.stop();
  });

  it(proves('http.ready-store', 'also if it was never there'), async () => {
    const client = await serveTasks(copy('redis://127.0.0.1:1'));
    expect((await client.get('/readyz')).status).toBe(503);
    expect((await client.get('/healthz')).status).toBe(200);
    await client.stop();
  });

  const why = whyNoServers();
  if (why !== undefined) console.error(`NOT TESTED: tasks behind web servers (${why})`);

  describe.skipIf(why !== undefined && process.env['CI'] !== 'true').each(webServers)('behind %s', (server) => {
    it(proves('cgi.task', 'the answer 202 passes with both addresses, and these work'), async () => {
      const options = join(temporaryFolder('cgi-tasks'), 'options.sh');
      const run = `exec ${process.execPath} "$(dirname "$0")/app.mjs" cgi`;
      writeFileSync(options, `#!/bin/sh\nexport EVERYWIRE_STORE=${redis.url}\n${run}\n`);
      const running = await startWebServer(server, { 'tasks.sh': options, 'app.mjs': await builtModule(MODULE) });
      try {
        const response = await fetch(`${running.url}/tasks.sh/Always`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', prefer: 'respond-async' },
          body: '{"word":"a"}',
          redirect: 'manual',
        });
        const { taskId } = (await response.json()) as { taskId: string };
        const url = `${running.url}/tasks.sh/tasks/${taskId}`;
        const names = ['location', 'operation-location', 'preference-applied', 'retry-after', 'cache-control'];
        expect([response.status, ...names.map((name) => response.headers.get(name))]).toEqual([
          202,
          url,
          url,
          'respond-async',
          '1',
          'no-store',
        ]);
        const result = await fetch(`${url}/result`, { headers: { prefer: 'wait=20' } });
        expect([result.status, await result.text()]).toEqual([200, '{"result":"a"}']);
        const events = await fetch(`${url}/events`);
        expect(events.headers.get('content-type')).toBe('text/event-stream');
        expect(await events.text()).toContain('event: task');
      } finally {
        await running.stop();
      }
    });
  });
});
