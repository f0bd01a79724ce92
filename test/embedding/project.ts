import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A reader's project: the app, and the files of the documentation. Next to the packages of this folder. */
export function createProject(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(resolve('test/embedding'), '.cache-'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  cpSync('test/embedding/app.js', join(folder, 'app.js'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

export interface Running {
  /** What it printed. */
  log(): string;
  /** Ends it, and removes its folder. */
  stop(): Promise<void>;
}

/** Runs a command in a project until `url` answers. */
export async function startProject(folder: string, command: readonly string[], url: string): Promise<Running> {
  const [program = '', ...args] = command;
  const child: ChildProcess = spawn(program, args, {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // Some of them start processes of their own.
    detached: true,
    env: { ...process.env, NO_COLOR: '1', NODE_ENV: 'development', NEXT_TELEMETRY_DISABLED: '1', FORCE_COLOR: '0' },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => void (log += text));
  const ended = once(child, 'close');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, 'SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    for (const end = Date.now() + 50_000; ; await sleep(50)) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${log}`);
      if (Date.now() > end) throw new Error(`${url} does not answer: ${log}`);
      const response = await fetch(url).catch(() => undefined);
      await response?.body?.cancel();
      if (response?.status === 200) return { log: () => log, stop };
    }
  } catch (thrown) {
    await stop();
    throw thrown;
  }
}
