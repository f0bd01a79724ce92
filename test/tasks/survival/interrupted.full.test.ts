import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, test, type TestContext } from 'vitest';
import { silent } from '../../kit/parts.ts';
import { temporaryFolder } from '../../kit/temporary-folder.ts';
import { sharedBackends } from '../backends.ts';
import { startProxy } from '../proxy.ts';
import { DEFERRED, createRecorder } from './app.mjs';

/** Locks expire after ten seconds: shorter, a little longer, and much longer. */
const SECONDS = [5, 12, 30];
const INTERRUPTIONS = ['store closed', 'store silent', 'event loop blocked', 'process stopped'] as const;
type Interruption = (typeof INTERRUPTIONS)[number];

const folder = temporaryFolder('interrupted');

/** Interrupts the only worker while two tasks run in it. Returns what the tasks did, and how they ended. */
async function interrupt(
  { onTestFinished }: TestContext,
  store: string,
  what: Interruption,
  seconds: number,
): Promise<string[]> {
  const name = randomUUID();
  const ledger = join(folder, name);
  const proxy = await startProxy(store);
  onTestFinished(() => proxy.close());
  const worker = fork('test/tasks/survival/worker.mjs', [proxy.url, '4', name], {
    env: { ...process.env, LEDGER: ledger },
    silent: true,
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  await once(worker, 'message');
  const app = createRecorder(name, { store, log: silent });
  onTestFinished(async () => void (await app.close()));
  const milliseconds = seconds * 1000;
  const time = 4000 + (what === 'event loop blocked' ? 0 : milliseconds);
  const tasks: string[] = [];
  for (const n of [1, 2]) {
    const block = n === 1 && what === 'event loop blocked' ? milliseconds : 0;
    const input = { n, time, block };
    const { outcome } = await app.respond({ name: 'Steady', input, caller: { wire: 'test' }, deferral: DEFERRED });
    if (!outcome.ok) throw new Error(outcome.error.message);
    tasks.push(outcome.task!.taskId);
  }
  const lines = () => (existsSync(ledger) ? readFileSync(ledger, 'utf8').trim().split('\n') : []);
  while (lines().length < 2) await sleep(50);
  if (what === 'store closed') await proxy.close();
  if (what === 'store silent') proxy.hang();
  if (what === 'process stopped') worker.kill('SIGSTOP');
  await sleep(milliseconds);
  await proxy.open();
  worker.kill('SIGCONT');
  const statusOf = async (taskId: string) => {
    const { outcome } = await app.operations.respond({ name: 'tasks/get', input: { taskId } });
    return outcome.ok ? (outcome.data as { task: { status: string } }).task.status : outcome.error.code;
  };
  for (const end = Date.now() + 60_000; Date.now() < end; await sleep(200))
    if ((await Promise.all(tasks.map(statusOf))).every((status) => status !== 'working')) break;
  // A second run would have begun by now.
  await sleep(3000);
  return [...lines(), ...(await Promise.all(tasks.map(statusOf)))];
}

describe.concurrent.each(sharedBackends)('the only worker of $name is interrupted', ({ open }) => {
  test.for(INTERRUPTIONS)('%s: its tasks start once and end once', async (what, context) => {
    const store = await open();
    const expected = ['1 ended 1', '1 started 1', '2 ended 1', '2 started 1', 'completed', 'completed'];
    const seen = await Promise.all(SECONDS.map((seconds) => interrupt(context, store, what, seconds)));
    context.expect(seen.map((lines) => lines.toSorted())).toEqual(SECONDS.map(() => expected));
  });
});
