import { spawn } from 'node:child_process';
import { bodyOf, modules } from '../every-wire.ts';
import type { Wire } from '../every-wire.ts';

/** The everywire command, one process per call. */
export const cliWire: Wire = {
  name: 'cli',
  async call(name, fn, send, profile) {
    const given = 'body' in send || send.arguments !== undefined;
    const { stdout, code } = await run(
      [
        'dist/bin/everywire.js',
        'call',
        modules[name],
        fn,
        ...(given ? ['--input', '-'] : []),
        ...(profile ? ['--profile', profile] : []),
      ],
      bodyOf(send),
    );
    return { body: stdout, exit: code };
  },
};

export interface Ran {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: number;
}

/** Runs Node with these arguments until it ends. */
export function run(
  args: readonly string[],
  input?: Uint8Array,
  env?: Record<string, string>,
  cwd?: string,
  /** Kills the process. */
  signal?: AbortSignal,
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, cwd });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.stdin.on('error', () => {}); // a command that refuses early closes its stdin
    child.stdin.end(input);
    signal?.addEventListener('abort', () => child.kill('SIGKILL'));
    child.once('error', reject);
    child.once('close', (code) =>
      resolve({ stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString(), code: code ?? -1 }),
    );
  });
}
