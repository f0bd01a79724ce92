import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
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
    stdio: ['ignore', 'inherit', 'pipe'],
  });
  let log = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text;
      const found = /https?:\/\/[\d.:[\]]+(?=\/functions)/.exec(log);
      if (found) resolve(found[0]);
    });
    child.once('exit', (code) => reject(new Error(`${command} ended with ${code}: ${log}`)));
  });
  return {
    url,
    child,
    stderr: () => log,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      noteErrors(log);
      return child.exitCode;
    },
  };
}
