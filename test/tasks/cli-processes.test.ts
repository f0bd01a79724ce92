import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient } from 'everywire/client';
import { expectErrors } from '../kit/errors.ts';
import { proves } from '../promises.ts';
import { shared } from '../kit/broker.ts';
import { onTerminal as typeOn } from '../kit/on-terminal.ts';
import { hasRedis, startRedis, type RedisServer } from '../kit/redis.ts';
import { startServing } from '../kit/served.ts';
import { APP, beginAsking, everywireWith, startWorker, stop, taskOf } from './commands.ts';
import type { Everywire, Running } from './commands.ts';

/** Starts a task of Report, and waits until it has begun. */
async function begin(everywire: Everywire, milliseconds: number): Promise<string> {
  const { taskId } = taskOf(
    await everywire('call', APP, 'Report', '--rows', '1', '--every', `${milliseconds}`, '--detach'),
  );
  const started = async () => taskOf(await everywire('tasks', 'get', APP, taskId)).progress?.done;
  await expect.poll(started, { timeout: 20_000 }).toBe(1);
  return taskId;
}

describe.runIf(hasRedis)('workers', () => {
  let redis: RedisServer;
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(() => redis.stop());

  it(proves('cli.worker', 'a worker that is stopped finishes its tasks first'), async () => {
    const worker = await startWorker(redis.url, '--concurrency', '2');
    expect(worker.stderr()).toMatch(/^tasks v1\.0\.0 \(based on everywire .*\) works on tasks, 2 at once\n$/);
    const everywire = everywireWith(redis.url);
    const taskId = await begin(everywire, 3000);
    expect(await stop(worker)).toBe(0);
    expect(worker.stderr()).toMatch(/\nSIGTERM: finishing the tasks in progress\n$/);
    expect(worker.stdout()).toBe('');
    expect(taskOf(await everywire('tasks', 'get', APP, taskId)).status).toBe('completed');
  });

  it(proves('cli.worker', 'a second signal ends it at once, and another worker does the rest'), async () => {
    const worker = await startWorker(redis.url);
    const everywire = everywireWith(redis.url);
    const taskId = await begin(everywire, 4000);
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
});

describe.runIf(hasRedis)('tasks on a terminal', () => {
  let redis: { readonly url: string };
  let worker: Running;
  beforeAll(async () => {
    redis = await shared('redis');
    worker = await startWorker(redis.url);
  });
  afterAll(() => stop(worker));

  const onTerminal = (command: string, columns: number, keys: readonly [waitFor: RegExp, key: string][] = []) =>
    typeOn(
      `${process.execPath} dist/bin/everywire.js ${command}`,
      { columns, env: { EVERYWIRE_STORE: redis.url } },
      keys,
    );

  it(proves('cli.task-exit', 'Ctrl+C leaves the task running'), async () => {
    const { screen, code } = await onTerminal(`call ${APP} Report --rows 3 --every 1000`, 200, [[/row 1/, '\u0003']]);
    const [, id = ''] = /To wait for it: everywire tasks wait \S+ (\w+)/.exec(screen) ?? [];
    expect([code, screen.includes('error: Interrupted; the task goes on (CANCELLED)')]).toEqual([130, true]);
    const { stdout } = await everywireWith(redis.url)('tasks', 'wait', APP, id);
    expect(stdout).toBe('{"result":{"rows":3,"written":"2026-01-02T03:04:05.000Z"}}');
  });

  it.each(['answer', 'wait'])(proves('cli.task-answer', 'people are asked by tasks %s'), async (action) => {
    const everywire = everywireWith(redis.url);
    const { taskId } = await beginAsking(everywire);
    const keys: [RegExp, string][] = [[/Yes.*No/s, 'y']];
    const { screen, code } = await onTerminal(`tasks ${action} ${APP} ${taskId}`, 80, keys);
    expect([screen.includes('Remove cellar?'), code]).toEqual([true, 0]);
    expect(screen).toContain(action === 'wait' ? 'Removed cellar' : 'Done.');
    const { stdout } = await everywire('tasks', 'wait', APP, taskId);
    expect(stdout).toBe('{"result":"Removed cellar"}');
  });

  it(proves('cli.task-answer', 'who leaves the question has answered nothing'), async () => {
    const everywire = everywireWith(redis.url);
    const { taskId, status } = await beginAsking(everywire);
    const { code } = await onTerminal(`tasks answer ${APP} ${taskId}`, 80, [[/Yes.*No/s, '\u0003']]);
    expect([code, await status()]).toEqual([130, 'input_required']);
  });
});
