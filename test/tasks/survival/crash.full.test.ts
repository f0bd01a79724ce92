import { fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { existsSync, readFileSync } from 'node:fs';
import type { App } from 'everywire';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasRedis, startRedis, type RedisServer } from '../../kit/redis.ts';
import { report } from '../../reliability/figures.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';
import { DEFERRED, createRecorder } from './app.mjs';
import { silent } from '../../kit/parts.ts';

const ACTOR = fileURLToPath(new URL('actor.mjs', import.meta.url));
const folder = temporaryFolder('crash');
const ledgerOf = (name: string) => join(folder, name);
process.env['LEDGER'] = ledgerOf('recovery');

/** An actor that is killed before it sends its nth message to Redis, and what is left of it. */
interface Crash {
  readonly name: string;
  readonly app: App;
  readonly taskId: string | undefined;
  /** What it had reported. */
  readonly done: string | undefined;
  readonly wasKilled: boolean;
}

let redis: RedisServer;
const apps: App[] = [];

/** One name for each crash, so that no two of them share anything. */
function createNamed(name: string): App {
  const app = createRecorder(name, { store: redis.url, log: silent });
  apps.push(app);
  return app;
}

async function start(app: App, name: 'Record' | 'Confirm'): Promise<string> {
  const input = name === 'Record' ? { n: 1, time: 5 } : { n: 1 };
  const { outcome } = await app.respond({ name, input, caller: { wire: 'test' }, deferral: DEFERRED });
  if (!outcome.ok) throw new Error(outcome.error.message);
  return outcome.task!.taskId;
}

async function look(app: App, taskId: string): Promise<{ status: string; data?: unknown }> {
  const { outcome } = await app.operations.respond({ name: 'tasks/get', input: { taskId } });
  if (!outcome.ok) return { status: outcome.error.code };
  const view = outcome.data as { task: { status: string }; outcome?: { data?: unknown } };
  return { status: view.task.status, data: view.outcome?.data };
}

async function act(what: string, name: string, taskId: string | undefined, nth: number): Promise<Omit<Crash, 'app'>> {
  let messages = 0;
  let isHit = () => {};
  const proxy = createServer((client) => {
    const server = connect(redis.port, '127.0.0.1');
    const end = () => (client.destroy(), server.destroy());
    for (const socket of [client, server]) socket.on('error', end).on('close', end);
    client.on('data', (bytes) => {
      if (++messages >= nth) return isHit();
      server.write(bytes);
    });
    server.pipe(client);
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const store = `redis://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const args = [what, store, name, ...(taskId === undefined ? [] : [taskId])];
  const actor = fork(ACTOR, args, { env: { ...process.env, LEDGER: ledgerOf(name) }, silent: true });
  isHit = () => actor.kill('SIGKILL');
  let done: string | undefined;
  actor.on('message', (message: { done?: string }) => {
    done = message.done;
    actor.kill('SIGKILL');
  });
  await once(actor, 'exit');
  proxy.close();
  return { name, taskId, done, wasKilled: messages >= nth };
}

/** At most so many: an actor that ends before its nth message is the last one. */
const MOST = 60;

/** Crashes before each message in turn, until the actor is faster. Some at a time. */
async function crashEverywhere(what: string, prepare: (app: App) => Promise<string | undefined>): Promise<Crash[]> {
  const crashes: Crash[] = [];
  for (let nth = 1; nth <= MOST; nth += 4) {
    const batch = Array.from({ length: 4 }, async (_, i) => {
      const name = `${what}-${nth + i}`;
      const app = createNamed(name);
      return { ...(await act(what, name, await prepare(app), nth + i)), app };
    });
    crashes.push(...(await Promise.all(batch)));
    if (crashes.some(({ wasKilled }) => !wasKilled)) return crashes;
  }
  return crashes;
}

/** Somebody else goes on. */
async function recover(crashes: readonly Crash[]): Promise<void> {
  for (const { app } of crashes) await app.tasks.work({ concurrency: 1 });
  for (const { app } of crashes) await until(async () => (await app.tasks.stats()).byStatus.working === 0);
}

/** Not `expect.poll`, which is for one test at a time. The time limit of the test ends it. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await sleep(100);
}

const timesRun = (name: string) =>
  existsSync(ledgerOf(name)) ? readFileSync(ledgerOf(name), 'utf8').trim().split('\n').length : 0;

describe.skipIf(!hasRedis).concurrent('a process is killed between any two steps', () => {
  beforeAll(async () => void (redis = await startRedis()));
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await redis.stop();
  });
  function tell(what: string, crashes: readonly Crash[]): void {
    const killed = crashes.filter(({ wasKilled }) => wasKilled);
    report(`crash-${what}`, {
      'places to crash': killed.length,
      'of them after the answer': killed.filter(({ done }) => done).length,
    });
    expect(killed.length).toBeGreaterThan(3);
    expect(crashes.some(({ wasKilled }) => !wasKilled)).toBe(true);
  }

  test('of create: what was acknowledged is done', { timeout: 240_000 }, async () => {
    const crashes = await crashEverywhere('create', async () => undefined);
    await recover(crashes);
    for (const { app, done } of crashes) {
      const { byStatus } = await app.tasks.stats();
      if (done !== undefined) expect(await look(app, done)).toEqual({ status: 'completed', data: 1 });
      // Without an answer, there is no task, or it is done.
      else expect(byStatus.completed).toBeLessThanOrEqual(1);
      expect(byStatus.failed + byStatus.cancelled + byStatus.input_required).toBe(0);
    }
    tell('create', crashes);
  });

  test('of run and finish: another process goes on', { timeout: 240_000 }, async () => {
    const crashes = await crashEverywhere('work', (app) => start(app, 'Record'));
    const runs = crashes.filter(({ name }) => timesRun(name) > 0).length;
    await recover(crashes);
    for (const { app, taskId } of crashes) expect(await look(app, taskId!)).toEqual({ status: 'completed', data: 1 });
    expect(runs).toBeGreaterThan(0);
    tell('work', crashes);
  });

  test('of answer: it counts, or can be given again', { timeout: 240_000 }, async () => {
    const crashes = await crashEverywhere('answer', async (app) => {
      const id = await start(app, 'Confirm');
      await app.tasks.work({ concurrency: 1 });
      await until(async () => (await look(app, id)).status === 'input_required');
      return id;
    });
    await recover(crashes);
    for (const { app, taskId, done } of crashes) {
      const now = await look(app, taskId!);
      if (done === undefined && now.status === 'input_required') continue;
      expect(now).toEqual({ status: 'completed', data: 1 });
    }
    tell('answer', crashes);
  });

  test('of cancel: what was acknowledged stays cancelled', { timeout: 240_000 }, async () => {
    const crashes = await crashEverywhere('cancel', (app) => start(app, 'Record'));
    await recover(crashes);
    for (const { app, taskId, done } of crashes) {
      const { status } = await look(app, taskId!);
      expect(done === undefined ? ['cancelled', 'completed'] : ['cancelled']).toContain(status);
    }
    tell('cancel', crashes);
  });
});
