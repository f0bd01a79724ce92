import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from 'everywire/client';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { hasRedis, startRedis } from '../kit/redis.ts';
import type { RedisServer } from '../kit/redis.ts';
import { startServing } from '../kit/served.ts';
import { APP, everywireWith, startEverywire, startWorker, stop, taskOf } from './commands.ts';

describe.runIf(hasRedis)('workers', () => {
  let redis: RedisServer;
  beforeAll(async () => {
    redis = await startRedis();
  });
  afterAll(() => redis.stop());

  it(proves('cli.worker', 'a worker that is stopped finishes its tasks first'), async () => {
    const worker = await startWorker(redis.url, '--concurrency', '2');
    expect(worker.stderr()).toMatch(/^tasks v1\.0\.0 \(based on everywire .*\) works on tasks, 2 at once\n$/);
    const everywire = everywireWith(redis.url);
    const detached = await everywire('call', APP, 'Report', '--rows', '1', '--every', '3000', '--detach');
    const { taskId } = taskOf(detached);
    const started = async () => taskOf(await everywire('tasks', 'get', APP, taskId)).progress?.done;
    await expect.poll(started, { timeout: 20_000 }).toBe(1);
    expect(await stop(worker)).toBe(0);
    expect(worker.stderr()).toMatch(/\nSIGTERM: finishing the tasks in progress\n$/);
    expect(worker.stdout()).toBe('');
    expect(taskOf(await everywire('tasks', 'get', APP, taskId)).status).toBe('completed');
  });

  it(proves('cli.worker', 'a second signal ends it at once, and another worker does the rest'), async () => {
    const worker = await startWorker(redis.url);
    const everywire = everywireWith(redis.url);
    const { taskId } = taskOf(await everywire('call', APP, 'Report', '--rows', '1', '--every', '4000', '--detach'));
    const started = async () => taskOf(await everywire('tasks', 'get', APP, taskId)).progress?.done;
    await expect.poll(started, { timeout: 20_000 }).toBe(1);
    worker.child.kill('SIGINT');
    await worker.says(/SIGINT: finishing/);
    expect(await stop(worker)).toBe(1);
    const other = await startWorker(redis.url);
    const { stdout, code } = await everywire('tasks', 'wait', APP, taskId);
    expect([stdout, code]).toEqual(['{"result":{"rows":1,"written":"2026-01-02T03:04:05.000Z"}}', 0]);
    expect(await stop(other)).toBe(0);
  });

  it(proves('cli.worker', 'serve works on tasks, unless it is told not to'), async () => {
    const passive = await startServing(APP, '--store', redis.url, '--no-worker');
    const task = await createClient(passive.url).start('Process');
    expect(await task.result({ timeout: 1500 })).toMatchObject({ ok: false, error: { code: 'TIMEOUT' } });
    const active = await startServing(APP, '--store', redis.url);
    expect(await task.result()).toEqual({ ok: true, data: active.child.pid });
    expect([await passive.stop(), await active.stop()]).toEqual([0, 0]);
  });

  it(proves('cli.worker', 'serve begins to work when the store is there'), async () => {
    expectErrors(/ECONNREFUSED 127\.0\.0\.1/);
    const late = await startRedis();
    const { port } = late;
    await late.stop();
    const served = await startServing(APP, '--store', late.url);
    const client = createClient(served.url);
    expect(await client.call('Now')).toEqual({ ok: true, data: 'hello' });
    expect(await client.call('Process')).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE', retry: true } });
    const back = await startRedis(port);
    await expect.poll(() => client.call('Process'), { timeout: 20_000 }).toEqual({ ok: true, data: served.child.pid });
    await served.stop();
    await back.stop();
  });

  it(proves('cli.worker', 'on a terminal, there is a line for each task'), async () => {
    const command = `${process.execPath} dist/bin/everywire.js worker ${APP} --store ${redis.url}`;
    const { spawn } = await import('node:child_process');
    const child = spawn('script', ['-qefc', command, '/dev/null'], { stdio: ['pipe', 'pipe', 'inherit'] });
    let screen = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (screen += text));
    const everywire = everywireWith(redis.url);
    await everywire('call', APP, 'Process');
    await expect.poll(() => screen, { timeout: 20_000 }).toMatch(/\d\d:\d\d:\d\d task functions\.Process OK [\d.]+ ms/);
    child.stdin.write('\u0003');
    await new Promise((resolve) => child.once('close', resolve));
    expect(screen).toContain('SIGINT: finishing the tasks in progress');
  });

  it(proves('cli.worker', 'options come from the environment, too'), async () => {
    const worker = startEverywire(['worker', APP], { EVERYWIRE_STORE: redis.url, EVERYWIRE_CONCURRENCY: '7' });
    await worker.says(/works on tasks, 7 at once/);
    expect(await stop(worker)).toBe(0);
  });
});
