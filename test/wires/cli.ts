import { spawn } from 'node:child_process';
import { bodyOf, modules, type Wire } from '../every-wire.ts';
import { command, type Ran } from '../kit/command.ts';

/** The everywire command, in this process. */
export const cliWire = cliWireOf('cli', (args, input) => command(args, { input }));

/** The everywire command, one process per call. */
export const cliProcessWire = cliWireOf('cli-process', (args, input) => run(['dist/bin/everywire.js', ...args], input));

function cliWireOf(wire: Wire['name'], everywire: (args: readonly string[], input: Uint8Array) => Promise<Ran>): Wire {
  return {
    name: wire,
    async call(name, fn, send, profile) {
      const given = 'body' in send || send.arguments !== undefined;
      const flags = [...(given ? ['--input', '-'] : []), ...(profile ? ['--profile', profile] : [])];
      const { stdout, code } = await everywire(['call', modules[name], fn, ...flags], bodyOf(send));
      return { body: stdout, exit: code };
    },
  };
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
