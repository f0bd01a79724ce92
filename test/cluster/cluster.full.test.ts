import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { appModule } from '../dev/project.ts';
import { expectErrors } from '../kit/errors.ts';
import { dial, postText, raw } from '../kit/raw.ts';
import type { Served } from '../kit/served.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';
import { call, isRunning, processOf, processesAt, startWorkers, stopWorkers, until, untilPrinted } from './calling.ts';

afterAll(stopWorkers);

const APP = 'test/apps/workers.ts';

expectErrors(/^error: process \d+ ended unexpectedly \((?:exit code 3|SIGKILL)\)/, /some calls did not end/);

describe('a process that dies', () => {
  let served: Served;
  beforeAll(async () => void (served = await startWorkers(APP)));
  afterAll(() => served?.stop());
  const twoProcesses = () => until('two processes', async () => (await processesAt(served.url)).size === 2);

  it(proves('workers.all', 'the time limits hold, and a client that half-closes gets its response'), async () => {
    expect(await raw(served.url, 'GET /healthz HTTP/1.1\r\nHost: local')).toMatch(/^HTTP\/1\.1 408 /);
    const { socket, rest } = dial(served.url, true);
    socket.end(postText('/functions/Wait', '{"ms":500}', 'Content-Type: application/json'));
    expect(await rest()).toMatch(/200 OK[^]*\{"result":\d+\}$/);
  });

  it(proves('workers.crash', 'while connections wait for it: others answer them'), async () => {
    const busy = await processOf(served.url);
    const burning = Promise.allSettled([1, 2].map(() => call(served.url, 'Burn', { ms: 1500 })));
    await sleep(200);
    // One connection is on its way to each process, and the others wait.
    const waiting = [1, 2, 3, 4].map(() => processOf(served.url));
    await sleep(200);
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

describe.concurrent('SIGHUP', () => {
  const code = (state: string) =>
    appModule({ State: `=await new Promise((resolve) => setTimeout(resolve, 2, '${state}'))` });
  const serves = 'SIGHUP: new processes serve; the previous ones finish their calls';

  it(proves('workers.reload', 'under load, no call fails, and then the new code answers'), async () => {
    const module = join(temporaryFolder('reload', { 'app.ts': code('old') }), 'app.ts');
    const served = await startWorkers(module);
    const agent = new Agent({ keepAlive: true, maxSockets: 12 });
    let isOver = false;
    const counts: Record<string, number> = { '{"result":"old"}': 0, '{"result":"new"}': 0 };
    const [old, recent] = Object.keys(counts) as [string, string];
    const count = (body: string) => {
      if (!(body in counts)) throw new Error(`a call failed: ${body}`);
      counts[body]!++;
    };
    const onKeptConnections = async (pause?: number) => {
      while (!isOver) {
        const sent = request(`${served.url}/functions/State`, { method: 'POST', agent }).end();
        const [response] = (await once(sent, 'response')) as [IncomingMessage];
        count(await text(response));
        if (pause !== undefined) await sleep(pause);
      }
    };
    const onNewConnections = async () => {
      while (!isOver) count((await call(served.url, 'State')).body);
    };
    const loads = Promise.all([
      ...Array.from({ length: 8 }, () => onKeptConnections()),
      // Most of these connections are idle at any time.
      ...Array.from({ length: 4 }, () => onKeptConnections(30)),
      ...Array.from({ length: 2 }, onNewConnections),
    ]);
    loads.catch(() => {}); // until the end
    try {
      await until('answers', () => counts[old]! > 50);
      writeFileSync(module, code('new'));
      served.child.kill('SIGHUP');
      await untilPrinted(served, serves);
      await until('answers', () => counts[recent]! > 500);
      const before = counts[old];
      await until('answers', () => counts[recent]! > 1000);
      expect(counts[old]).toBe(before);
    } finally {
      isOver = true;
      await loads; // none has failed
      agent.destroy();
    }
    expect(await served.stop()).toBe(0);
  });

  it(proves('workers.reload', 'a client that does not read its response keeps no previous process alive'), async () => {
    const served = await startWorkers(APP);
    const before = await processesAt(served.url);
    const readers = [1, 2, 3, 4].map(() => dial(served.url, true).socket.pause());
    for (const reader of readers) reader.write(postText('/functions/Large', ''));
    await sleep(300);
    served.child.kill('SIGHUP');
    await untilPrinted(served, serves);
    await until('the previous ones end', () => ![...before].some(isRunning));
    for (const reader of readers) reader.destroy();
    expect(await served.stop()).toBe(0);
  });

  it(proves('workers.reload', 'twice in a row loads what is there after the second'), async () => {
    const module = join(temporaryFolder('reload', { 'app.ts': code('one') }), 'app.ts');
    const served = await startWorkers(module);
    writeFileSync(module, code('two'));
    served.child.kill('SIGHUP');
    await untilPrinted(served, 'SIGHUP: starting new processes');
    await sleep(100);
    writeFileSync(module, code('three'));
    served.child.kill('SIGHUP');
    await untilPrinted(served, serves, 2);
    expect((await call(served.url, 'State')).body).toBe('{"result":"three"}');
    served.child.kill('SIGHUP');
    await untilPrinted(served, 'starting new processes', 3);
    expect(await served.stop()).toBe(0); // also while new ones are being started
  });
});

describe.concurrent('the end', () => {
  it(proves('workers.stop', 'under load: no call is left without a response'), async () => {
    const served = await startWorkers(APP);
    const answers: number[] = [];
    let isStopped = false;
    const load = async () => {
      while (!isStopped) answers.push((await call(served.url, 'Wait', { ms: 5 })).status);
    };
    const loads = Promise.allSettled(Array.from({ length: 8 }, load));
    await until('answers', () => answers.length > 100);
    expect(await served.stop()).toBe(0);
    isStopped = true;
    // Calls that come later are refused, before or after they are sent.
    for (const one of await loads)
      if (one.status === 'rejected') expect(String(one.reason)).toMatch(/ECONNREFUSED|ECONNRESET|socket hang up/);
    expect(answers.filter((status) => status !== 200 && status !== 503)).toEqual([]);
  });

  it(proves('workers.stop', 'exits with 1 if a call does not end in time'), async () => {
    const served = await startWorkers(APP);
    const waiting = call(served.url, 'Wait', { ms: 25_000 }).catch((error: Error) => error);
    await call(served.url, 'Wait', { ms: 100 });
    expect(await served.stop()).toBe(1);
    expect(await waiting).toBeInstanceOf(Error);
    expect(served.stderr()).toContain('some calls did not end within 8000 ms');
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

describe.concurrent('on a terminal', () => {
  const COMMAND = `exec ${process.execPath} dist/bin/everywire.js serve ${APP} --workers 2 --port 0`;

  /** A server in the foreground. */
  async function onTerminal() {
    const child = spawn('script', ['-qefc', COMMAND, '/dev/null'], { env: { ...process.env, NO_COLOR: '1' } });
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (part: string) => (screen += part));
    await until('the banner', () => screen.includes('Processes 2'));
    const [url = ''] = /http:\/\/[\d.:]+/.exec(screen) ?? [];
    return { child, url, screen: () => screen };
  }

  it(proves('workers.stop', 'calls are printed, and finished after Ctrl+C, which all processes get'), async () => {
    const { child, url, screen } = await onTerminal();
    const pids = await processesAt(url);
    await until('the lines', () => screen().match(/http functions\.Who OK [\d.]+ ms/g)?.length === 12);
    const waiting = processOf(url, 'Wait', { ms: 1000 });
    await processOf(url, 'Wait', { ms: 200 });
    const ended = once(child, 'exit');
    child.stdin.write('\x03');
    expect(pids).toContain(await waiting);
    expect(await ended).toEqual([0, null]);
    expect(screen().match(/SIGINT: finishing the calls in progress/g)).toHaveLength(1);
  });
});

it(proves('workers.option', 'auto, 1, and a store that allows rate limits'), async () => {
  const cores = availableParallelism();
  for (const [module, flags, printed] of [
    [APP, ['--workers', 'auto'], cores > 1 ? `Processes ${cores}` : ''],
    [APP, ['--workers', '1'], ''],
    // Redis is not asked before the first call.
    ['test/apps/rates.ts', ['--store', 'redis://127.0.0.1:1'], 'Processes 2'],
  ] as const) {
    const served = await startWorkers(module, ...flags);
    expect(served.stderr()).toContain(printed);
    if (printed === '') expect(served.stderr()).not.toContain('Processes');
    expect(await served.stop()).toBe(0);
  }
});
