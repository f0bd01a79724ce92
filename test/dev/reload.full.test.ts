import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { Project, appModule, stopProjects } from './project.ts';

afterAll(stopProjects);

/** A call on a kept connection, without any retries. */
async function callKept(url: string, agent: Agent): Promise<string> {
  const sent = request(`${url}/functions/State`, { method: 'POST', agent }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  let body = '';
  for await (const chunk of response) body += String(chunk);
  return body;
}

describe('a file that is saved', () => {
  it(proves('dev.reload', 'twenty times under load: no call fails, and each state is seen at once'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ State: '0' }) });
    const agent = new Agent({ keepAlive: true, maxSockets: 6 });
    let isOver = false;
    let saved = 0;
    let served = 0;
    let calls = 0;
    const load = Array.from({ length: 6 }, async () => {
      while (!isOver) {
        const from = served;
        const { result } = JSON.parse(await callKept(project.url, agent)) as { result: string };
        expect(Number(result)).toBeGreaterThanOrEqual(from);
        expect(Number(result)).toBeLessThanOrEqual(saved);
        calls++;
        await sleep(3);
      }
    });
    for (saved = 1; saved <= 20; saved++) {
      await project.reloaded(() => project.write('app.ts', appModule({ State: String(saved) })));
      served = saved;
    }
    saved = 20;
    isOver = true;
    await Promise.all(load);
    agent.destroy();
    expect(calls).toBeGreaterThan(100);
    expect(await project.result('State')).toBe('20');
  });
});

describe('what changed in the contract', () => {
  it(proves('dev.contract', 'is printed, with what breaks callers'), async () => {
    const project = await Project.started({ 'app.ts': appModule({ First: 'a', Second: 'b' }) });
    expect(await project.reloaded(() => project.write('app.ts', appModule({ First: 'changed', Second: 'b' })))).toMatch(
      /^\d\d:\d\d:\d\d reloaded in \d+ ms: app\.ts; the contract is the same\n$/,
    );
    expect(await project.reloaded(() => project.write('app.ts', appModule({ First: 'a', Third: 'c' })))).toMatch(
      /^\d\d:\d\d:\d\d reloaded in \d+ ms: app\.ts\n {2}\+ Third\n {2}- Second \(breaking\)\n$/,
    );
    const required = appModule({ First: 'a', Third: 'c' }).replace("takes' } } }", "takes' } }, required: ['ms'] }");
    expect(await project.reloaded(() => project.write('app.ts', required))).toContain(
      '  ~ First: parameter ms is now required (breaking)\n',
    );
  });
});
