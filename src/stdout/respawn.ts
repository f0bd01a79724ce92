import { spawn, type ChildProcess } from 'node:child_process';
import { FORWARDED_VARIABLE, OUTPUT_VARIABLE } from './inherited.ts';
import { printError } from './stderr.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Strategy where stdout cannot be moved within this process (a regular file, or not Linux): runs the same command again in a
 * child process, whose descriptor 1 is our stderr and whose descriptor 3 is our stdout. This process only forwards signals.
 * Returns the exit code of the child.
 */
export async function respawn(): Promise<number> {
  // Before the child runs: a signal that comes while this process is not scheduled would end it, and leave the child behind.
  let child: ChildProcess | undefined;
  for (const signal of SIGNALS) process.on(signal, () => void child?.kill(signal));
  const started = (child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 2, 'inherit', 1],
    env: { ...process.env, [OUTPUT_VARIABLE]: '3', [FORWARDED_VARIABLE]: '1' },
  }));
  return new Promise<number>((resolve) => {
    started.once('error', ({ message }) => {
      printError(message);
      resolve(1);
    });
    started.once('exit', (code, signal) => {
      if (code === null && signal) endBySignal(signal);
      resolve(code ?? 1);
    });
  });
}

/** The parent of this process must see the signal that ended the child. */
function endBySignal(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** The same signal twice within this many milliseconds counts as one. */
const SAME_SIGNAL_MS = 300;

/**
 * In the child: Ctrl+C in a terminal sends SIGINT to both processes, and the parent forwards its own. A second SIGINT would
 * mean "do not wait for calls in progress", so duplicates are dropped. Call this before anybody listens to signals.
 */
export function mergeForwardedSignals(): void {
  delete process.env[FORWARDED_VARIABLE]; // child processes of the app must not see it
  const emit = process.emit.bind(process) as (event: string | symbol, ...rest: unknown[]) => boolean;
  const last = new Map<unknown, number>();
  const merged = (event: string | symbol, ...rest: unknown[]): boolean => {
    if (!(SIGNALS as readonly unknown[]).includes(event)) return emit(event, ...rest);
    const now = performance.now();
    if (now - (last.get(event) ?? -Infinity) < SAME_SIGNAL_MS) return true;
    last.set(event, now);
    return emit(event, ...rest);
  };
  process.emit = merged as typeof process.emit;
}
