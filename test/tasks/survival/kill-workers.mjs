import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DEFERRED, createRecorder } from './app.mjs';

const WORKER = fileURLToPath(new URL('worker.mjs', import.meta.url));
const WORKERS = 4;
const CONCURRENCY = 8;

/**
 * Starts tasks, and kills two of four workers every second with SIGKILL, until all tasks were started; others replace them. Then
 * waits until every task has ended.
 */
export async function killWorkers({ store, tasks, folder, time = () => 20 + Math.random() * 180, patience = 120_000 }) {
  const ledger = join(folder, 'ledger');
  writeFileSync(ledger, '');
  const env = { ...process.env, LEDGER: ledger };
  const start = () => {
    const worker = fork(WORKER, [store, String(CONCURRENCY), 'Recorder'], { env });
    worker.once('message', () => (worker.isReady = true));
    return worker;
  };
  const workers = Array.from({ length: WORKERS }, start);
  const app = createRecorder('Recorder', { store });
  let kills = 0;
  const killer = setInterval(() => {
    // Not before they work: a machine with much else to do would kill them all at birth.
    for (const worker of workers.filter(({ isReady }) => isReady).slice(0, WORKERS / 2)) {
      worker.kill('SIGKILL');
      workers.splice(workers.indexOf(worker), 1);
      workers.push(start());
      kills++;
    }
  }, 1000);
  const begin = performance.now();
  try {
    const ids = await startTasks(app, tasks, time);
    const isDone = async () => {
      const { byStatus } = await app.tasks.stats();
      return byStatus.working + byStatus.input_required === 0;
    };
    // Kills go on while there is something to kill: half of the work at least.
    while ((await app.tasks.stats()).byStatus.working > tasks / 20) await pause(200);
    clearInterval(killer);
    for (let waited = 0; !(await isDone()) && waited < patience; waited += 200) await pause(200);
    const seconds = (performance.now() - begin) / 1000;
    return { ...(await judge(app, ids, ledger)), tasks, kills, seconds };
  } finally {
    clearInterval(killer);
    for (const worker of workers) worker.kill('SIGKILL');
    const isRunning = ({ exitCode, signalCode }) => exitCode === null && signalCode === null;
    await Promise.all(workers.filter(isRunning).map((worker) => once(worker, 'exit')));
    await app.close();
  }
}

async function startTasks(app, count, time) {
  const ids = [];
  for (let n = 0; n < count; n += 50) {
    const batch = Array.from({ length: Math.min(50, count - n) }, (_, i) =>
      app.respond({
        name: 'Record',
        input: { n: n + i, time: Math.round(time(n + i)) },
        caller: { wire: 'test' },
        deferral: DEFERRED,
      }),
    );
    for (const { outcome } of await Promise.all(batch)) ids.push(outcome.task?.taskId);
  }
  return ids;
}

/** What became of each task, and how often its side effect happened. */
async function judge(app, ids, ledger) {
  let lost = 0;
  let wrong = 0;
  for (const [n, taskId] of ids.entries()) {
    const { outcome } = await app.operations.respond({ name: 'tasks/get', input: { taskId } });
    if (!outcome.ok || outcome.data.task.status !== 'completed') lost++;
    else if (outcome.data.outcome.data !== n) wrong++;
  }
  const runs = new Map();
  for (const line of readFileSync(ledger, 'utf8').trim().split('\n')) {
    const [n] = line.split(' ');
    runs.set(n, (runs.get(n) ?? 0) + 1);
  }
  const total = [...runs.values()].reduce((sum, count) => sum + count, 0);
  return { lost, wrong, never: ids.length - runs.size, runs: total, duplicates: total - runs.size };
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
