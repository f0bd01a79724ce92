import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { noteErrors } from './errors.ts';

/** A real `everywire serve` process on a free port. */
export interface Served {
  readonly url: string;
  readonly child: ChildProcess;
  stderr(): string;
  stop(): Promise<number | null>;
}

/** Starts a server for this file alone, which has to stop it. */
export function startServing(module: string, ...flags: readonly string[]): Promise<Served> {
  return startCommand('serve', module, ...flags);
}

/** The same with another command that serves. */
export async function startCommand(command: 'serve' | 'dev', module: string, ...flags: string[]): Promise<Served> {
  const child = spawn(process.execPath, ['dist/bin/everywire.js', command, module, '--port', '0', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const { url, log } = await untilServing(child);
  return {
    url,
    child,
    stderr: log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      noteErrors(log());
      return child.exitCode;
    },
  };
}

/** Waits until a process prints on its stderr where it serves. */
export function untilServing(child: ChildProcess): Promise<{ url: string; log(): string }> {
  let log = '';
  return new Promise((resolve, reject) => {
    child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const found = /https?:\/\/[\d.:[\]]+(?=\/functions)/.exec(log);
      if (found) resolve({ url: found[0], log: () => log });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${child.spawnargs.join(' ')} ended with ${code}: ${log}`)));
  });
}
