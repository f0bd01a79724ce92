import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';
import type { Served } from '../kit/served.ts';
import { call, isRunning, processOf, processesAt, startWorkers, until, untilPrinted } from './calling.ts';

const APP = 'test/apps/workers.ts';

let served: Served;
beforeAll(async () => {
  served = await startWorkers(APP);
});
afterAll(() => served?.stop());

const twoProcesses = () => until('two processes', async () => (await processesAt(served.url)).size === 2);
const timesIn = (text: string, part: string) => text.split(part).length - 1;

describe('several processes', () => {
  it(proves('workers.all', 'all answer, and the banner is printed once'), async () => {
    const pids = await processesAt(served.url);
    expect(pids.size).toBe(2);
    expect(pids).not.toContain(served.child.pid);
    expect(timesIn(served.stderr(), 'Workers v1.0.0')).toBe(1);
    expect(served.stderr()).toContain(`MCP       ${served.url}/mcp\n  Processes 2\n`);
  });

  it(proves('workers.all', 'the time limits hold, and a client that half-closes gets its response'), async () => {
    const { port } = new URL(served.url);
    const replyTo = async (sent: string, isEnded = false) => {
      const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8');
      let text = '';
      socket.on('data', (chunk: string) => (text += chunk));
      if (isEnded) socket.end(sent);
      else socket.write(sent);
      await once(socket, 'close');
      return text;
    };
    expect(await replyTo('GET /healthz HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1\.1 408 /);
    const head = 'POST /functions/Wait HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    expect(await replyTo(`${head}Content-Length: 10\r\n\r\n{"ms":500}`, true)).toMatch(/200 OK[^]*\{"result":\d+\}$/);
  });
});

describe('a process that dies', () => {
  it.each(['Exit', 'Abort'])(proves('workers.crash', 'is replaced, and other calls go on: %s'), async (way) => {
    const before = await processesAt(served.url);
    // Whoever has this call gets the next connection but one.
    const waiting = processOf(served.url, 'Wait', { ms: 1500 });
    await expect(call(served.url, way)).rejects.toThrow(/socket hang up|ECONNRESET/);
    expect(before).toContain(await waiting);
    await twoProcesses();
    const after = await processesAt(served.url);
    expect([...after].filter((pid) => before.has(pid))).toHaveLength(1);
    expect(served.stderr()).toMatch(
      /error: process \d+ ended unexpectedly \((?:exit code 3|SIGABRT)\); starting another/,
    );
  });

  it(proves('workers.crash', 'while connections wait for it: others answer them'), async () => {
    const busy = await processOf(served.url);
    const burning = Promise.allSettled([1, 2].map(() => call(served.url, 'Burn', { ms: 1500 })));
    await new Promise((resolve) => setTimeout(resolve, 200));
    // One connection is on its way to each process, and the others wait.
    const waiting = [1, 2, 3, 4].map(() => processOf(served.url));
    await new Promise((resolve) => setTimeout(resolve, 200));
    process.kill(busy, 'SIGKILL');
    for (const pid of await Promise.all(waiting)) expect(pid).not.toBe(busy);
    await burning;
    await twoProcesses();
  });

  it(proves('workers.crash', 'if all die at once, calls wait for the new ones, on the same port'), async () => {
    const before = await processesAt(served.url);
    for (const pid of before) process.kill(pid, 'SIGKILL');
    await until('they end', () => ![...before].some(isRunning));
    expect(before).not.toContain(await processOf(served.url));
    await twoProcesses();
  });

  it(proves('workers.crash', 'again and again is replaced later each time'), async () => {
    const other = await startWorkers(APP);
    // One of the two has died three times after these.
    for (let i = 0; i < 5; i++) await call(other.url, 'Exit').catch(() => {});
    await untilPrinted(other, 'starting another in 200 ms');
    expect(other.stderr()).toContain('starting another in 100 ms');
    await until('two processes', async () => (await processesAt(other.url)).size === 2);
    expect(await other.stop()).toBe(0);
  });
});
