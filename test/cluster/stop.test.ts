import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { call, isRunning, processOf, processesAt, startWorkers, until, untilPrinted } from './calling.ts';

const APP = 'test/apps/workers.ts';

describe.concurrent('a server with several processes', () => {
  it(proves('workers.stop', 'finishes the calls in progress on SIGTERM, and exits with 0'), async () => {
    const served = await startWorkers(APP);
    let isStopped = false;
    const answers: number[] = [];
    const load = async () => {
      while (!isStopped) answers.push((await call(served.url, 'Wait', { ms: 5 })).status);
    };
    const loads = Promise.allSettled(Array.from({ length: 8 }, load));
    const waiting = Array.from({ length: 10 }, () => call(served.url, 'Wait', { ms: 1000 }));
    await until('answers', () => answers.length > 100);
    const stopped = served.stop();
    for (const { status } of await Promise.all(waiting)) expect(status).toBe(200);
    expect(await stopped).toBe(0);
    isStopped = true;
    // Calls that come later are refused, before or after they are sent. None is left without a response.
    for (const one of await loads)
      if (one.status === 'rejected') expect(String(one.reason)).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/);
    expect(new Set(answers)).toEqual(new Set(answers.includes(503) ? [200, 503] : [200]));
    expect(served.stderr().match(/SIGTERM: finishing the calls in progress/g)).toHaveLength(1);
  });

  it(proves('workers.stop', 'waits for a client that is still reading'), async () => {
    const served = await startWorkers(APP);
    const sent = request(`${served.url}/functions/Large`, { method: 'POST', agent: false }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const stopped = served.stop();
    await untilPrinted(served, 'SIGTERM: finishing');
    await new Promise((resolve) => setTimeout(resolve, 500));
    let size = 0;
    for await (const chunk of response) size += (chunk as Buffer).length;
    expect(size).toBeGreaterThan(20_000_000);
    expect(await stopped).toBe(0);
  });

  it(proves('workers.stop', 'exits with 1 if a call does not end in time'), async () => {
    const served = await startWorkers(APP);
    const waiting = call(served.url, 'Wait', { ms: 25_000 }).catch((error: Error) => error);
    await call(served.url, 'Wait', { ms: 100 });
    expect(await served.stop()).toBe(1);
    expect(await waiting).toBeInstanceOf(Error);
    expect(served.stderr()).toContain('some calls did not end within 3000 ms');
  });

  it(proves('workers.stop', 'a second signal ends it at once, also a process that never yields'), async () => {
    const served = await startWorkers(APP);
    const pids = await processesAt(served.url);
    const burning = call(served.url, 'Burn', { ms: 60_000 }).catch((error: Error) => error);
    await processOf(served.url, 'Wait', { ms: 300 });
    const exited = once(served.child, 'exit');
    served.child.kill('SIGINT');
    await untilPrinted(served, 'SIGINT: finishing');
    served.child.kill('SIGINT');
    expect(await exited).toEqual([1, null]);
    expect(await burning).toBeInstanceOf(Error);
    await until('they end', () => ![...pids].some(isRunning));
  });

  it(proves('workers.stop', 'if the main process is killed, the others finish their calls and end'), async () => {
    const served = await startWorkers(APP);
    const pids = await processesAt(served.url);
    const waiting = processOf(served.url, 'Wait', { ms: 1000 });
    await processOf(served.url, 'Wait', { ms: 200 });
    served.child.kill('SIGKILL');
    expect(pids).toContain(await waiting);
    await until('they end', () => ![...pids].some(isRunning));
  });
});
