import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { Task } from 'everywire/client';
import { expect } from 'vitest';
import { command, type Ran } from '../kit/command.ts';

export const APP = 'test/apps/tasks.ts';
const EVERYWIRE = 'dist/bin/everywire.js';

/** Runs `everywire` with a store, until it ends. */
export type Everywire = (...args: readonly string[]) => Promise<Ran>;

export const everywireWith =
  (store: string, input?: string): Everywire =>
  (...args) =>
    command(args, { input, env: { EVERYWIRE_STORE: store } });

/** A process that runs until it is stopped. */
export interface Running {
  readonly child: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves when stderr matches. */
  says(text: RegExp): Promise<void>;
  /** Its exit code. */
  readonly ended: Promise<number | null>;
}

export function startEverywire(args: readonly string[], env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [EVERYWIRE, ...args], { env: { ...process.env, ...env } });
  let [out, err] = ['', ''];
  child.stdin.end();
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return {
    child,
    stdout: () => out,
    stderr: () => err,
    ended,
    says: (text) =>
      new Promise((resolve, reject) => {
        const look = () => text.test(err) && resolve();
        look();
        child.stderr.on('data', look);
        void ended.then((code) => reject(new Error(`ended with ${code}: ${err}`)));
      }),
  };
}

/** A worker that is ready. */
export async function startWorker(store: string, ...flags: readonly string[]): Promise<Running> {
  const worker = startEverywire(['worker', APP, '--store', store, ...flags]);
  await worker.says(/works on tasks/);
  return worker;
}

export async function stop({ child, ended }: Running, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  child.kill(signal);
  return ended;
}

export const taskOf = ({ stdout }: Ran) => JSON.parse(stdout) as Task;

/** Starts a task of Remove, and waits until it asks. */
export async function beginAsking(everywire: Everywire, what = 'cellar') {
  const { taskId } = taskOf(await everywire('call', APP, 'Remove', '--what', what, '--detach'));
  const status = async () => taskOf(await everywire('tasks', 'get', APP, taskId)).status;
  await expect.poll(status, { timeout: 20_000 }).toBe('input_required');
  return { taskId, status };
}
