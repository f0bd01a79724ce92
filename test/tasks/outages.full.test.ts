import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { openTasks } from '../../src/tasks/open-store.ts';
import type { TaskLeg } from '../../src/tasks/task-queue.ts';
import { run } from '../wires/cli.ts';
import { sharedBackends } from './backends.ts';
import { startProxy } from './proxy.ts';
import { record, SOON } from './records.ts';

const LIMITS = { records: 1, bytes: 1 };

describe.each(sharedBackends)('$name', ({ name, open }) => {
  let url: string;
  beforeAll(async () => void (url = await open()));

  it('is prepared by whoever comes first, if many come at once', async () => {
    const app = randomUUID();
    const all = await Promise.all(Array.from({ length: 8 }, () => openTasks(url, app, LIMITS)));
    await Promise.all(all.flatMap(({ store, queue }, leg) => [store.create(record()), queue.add({ id: 'a', leg })]));
    expect(await all[0]!.store.list({ limit: 10 })).toHaveLength(8);
    expect(await all[0]!.queue.counts()).toEqual({ waiting: 8, active: 0 });
    await Promise.all(all.flatMap(({ store, queue }) => [store.close(), queue.close()]));
  });

  it('may be away when a leg ends: the leg is not run twice, and nobody connects without a pause', async ({
    onTestFinished,
  }) => {
    const proxy = await startProxy(url);
    onTestFinished(() => proxy.close());
    const { queue } = await openTasks(proxy.url, randomUUID(), LIMITS);
    onTestFinished(() => queue.close());
    const ran: TaskLeg[] = [];
    const [during, after] = [1, 2].map((leg) => ({ id: 'a', leg })) as [TaskLeg, TaskLeg];
    let end = () => {};
    const isEnding = new Promise<void>((resolve) => (end = resolve));
    const worker = await queue.work(async (leg) => {
      ran.push(leg);
      await isEnding;
      return 'done';
    }, 4);
    onTestFinished(() => worker.stop());
    await queue.add(during);
    await expect.poll(() => ran, SOON).toEqual([during]);
    proxy.hangUp();
    const before = proxy.connections;
    end();
    await sleep(2000);
    // There would be thousands.
    expect(proxy.connections - before).toBeLessThan(200);
    await proxy.open();
    await expect.poll(() => queue.missing([during]), SOON).toEqual([during]);
    await queue.add(after);
    await expect.poll(() => ran, SOON).toEqual([during, after]);
  });

  it('lets a worker end that is stopped while it is away', async ({ onTestFinished }) => {
    const proxy = await startProxy(url);
    onTestFinished(() => proxy.close());
    const child = spawn(process.execPath, ['test/tasks/stopping.mjs', proxy.url, randomUUID()], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let printed = '';
    child.stdout.on('data', (chunk) => (printed += chunk));
    const exited = once(child, 'exit');
    onTestFinished(() => void child.kill('SIGKILL'));
    await expect.poll(() => printed, SOON).toBe('working\n');
    await proxy.close();
    await sleep(700); // it has noticed
    child.stdin.write('stop\n');
    expect(await exited).toEqual([0, null]);
    expect(printed).toBe('working\nstopped\n');
  });

  it('does not keep a process alive', async () => {
    const { code, stdout, stderr } = await run(['test/tasks/quiet.mjs', url, randomUUID()]);
    expect([code, stderr, stdout]).toEqual([0, '', '1 { waiting: 1, active: 0 }\n']);
  });

  it('keeps nothing of tasks that have expired', async () => {
    const app = randomUUID();
    const { store } = await openTasks(url, app, LIMITS);
    for (let i = 0; i < 10; i++) await store.create(record({ expiresAt: Date.now() + 200, isDead: true }), `${i}`);
    await sleep(300);
    const { store: later } = await openTasks(url, app, LIMITS);
    await later.create(record({ isDead: true }));
    await expect.poll(() => entries(url, app), SOON).toBe(1);
    await Promise.all([store.close(), later.close()]);
  });

  it('says which packages are missing', async () => {
    const hide = `import { register } from 'node:module'; register('data:text/javascript,' + encodeURIComponent(
      'export const resolve = (name, context, next) => name === "bullmq" ? Promise.reject(new Error("hidden")) : next(name, context)'));`;
    const args = ['--import', `data:text/javascript,${encodeURIComponent(hide)}`, 'test/tasks/quiet.mjs'];
    const { code, stderr } = await run([...args, url, 'app']);
    const driver = name === 'Redis' ? 'ioredis' : 'pg';
    expect(stderr).toContain(`Tasks in ${name} need the packages bullmq and ${driver}: npm install bullmq ${driver}`);
    expect(code).toBe(1);
  });
});

/** The most that any index in Redis has, or the number of rows in PostgreSQL. */
async function entries(url: string, app: string): Promise<number | undefined> {
  if (url.startsWith('redis')) {
    const client = new Redis(url);
    const keys = await client.keys(`everywire:{${app}}:tasks:*`);
    const records = keys.filter((key) => /:(task|key):/.test(key));
    const indexes = keys.filter((key) => !records.includes(key));
    const sizes = await Promise.all(indexes.map((key) => client.zcard(key)));
    client.disconnect();
    return Math.max(records.length, ...sizes);
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const count = 'SELECT count(*)::integer AS n FROM everywire_tasks WHERE app = $1';
  const { rows } = await client.query<{ n: number }>(count, [app]);
  await client.end();
  return rows[0]?.n;
}
