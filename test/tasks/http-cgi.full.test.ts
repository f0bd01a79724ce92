import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../kit/broker.ts';
import { builtModule } from '../kit/built.ts';
import { hasRedis } from '../kit/redis.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { startWebServer, webServers, whyNoServers } from '../wires/web-server.ts';
import { startEverywire, stop, type Running } from './commands.ts';

const MODULE = 'test/apps/http-tasks.ts';
const why = whyNoServers();
if (why !== undefined) console.error(`NOT TESTED: tasks behind web servers (${why})`);
const isSkipped = !hasRedis || (why !== undefined && process.env['CI'] !== 'true');

describe.skipIf(isSkipped).each(webServers)('behind %s', (server) => {
  let store: string;
  let worker: Running;
  beforeAll(async () => {
    ({ url: store } = await shared('redis'));
    worker = startEverywire(['worker', MODULE, '--store', store]);
    await worker.says(/works on tasks/);
  });
  afterAll(() => stop(worker));

  it(proves('cgi.task', 'the answer 202 passes with both addresses, and these work'), async () => {
    const options = join(temporaryFolder('cgi-tasks'), 'options.sh');
    const run = `exec ${process.execPath} "$(dirname "$0")/app.mjs" cgi`;
    writeFileSync(options, `#!/bin/sh\nexport EVERYWIRE_STORE=${store}\n${run}\n`);
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
