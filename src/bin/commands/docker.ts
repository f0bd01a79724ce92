import { spawn } from 'node:child_process';

/** Why docker failed, and the exit code for that. */
export interface DockerFailure {
  readonly code: number;
  readonly reason: string;
}

/** Runs docker without a shell, so that no name can inject a command. Its output goes to stderr. */
export function docker(args: readonly string[], cwd: string): Promise<DockerFailure | undefined> {
  return new Promise((resolve) => {
    const child = spawn('docker', args, { cwd, stdio: ['ignore', 2, 2] });
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      const reason = code === 'ENOENT' ? 'is not installed, or not on PATH' : `cannot be started (${code})`;
      resolve({ code: 1, reason: `docker ${reason}` });
    });
    child.once('exit', (code, signal) => {
      const ended = signal ? `was killed by ${signal}` : `failed with exit code ${code}`;
      resolve(code === 0 ? undefined : { code: code ?? 1, reason: `docker ${args[0]} ${ended}` });
    });
  });
}
