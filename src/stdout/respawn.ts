import { spawn } from 'node:child_process';
import { FORWARDED, OUTPUT } from './stdout.ts';
import { complain } from './stderr.ts';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/**
 * Where stdout cannot be moved out of everybody's reach (a file, or anything not on Linux), the command runs once more,
 * in a process whose descriptor 1 is stderr and whose own output is descriptor 3. This one has then done its part.
 */
export async function runInOwnProcess(): Promise<never> {
  const child = spawn(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: ['inherit', 2, 'inherit', 1],
    env: { ...process.env, [OUTPUT]: '3', [FORWARDED]: '1' },
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  const code = await new Promise<number>((resolve) => {
    child.once('error', ({ message }) => {
      complain(message);
      resolve(1);
    });
    child.once('exit', (ended, signal) => {
      if (ended === null && signal) endLike(signal);
      resolve(ended ?? 1);
    });
  });
  return process.exit(code);
}

/** Whoever waits for this process is to see how the other one ended. */
function endLike(signal: NodeJS.Signals): void {
  process.removeAllListeners(signal);
  process.kill(process.pid, signal);
}

/** Signals of one kind that come within this many milliseconds are one. */
const TOGETHER = 300;

/**
 * In the other process: ^C in a terminal sends SIGINT to both, and the first one hands it on as well. The second would mean
 * that nothing is to be waited for. To be called before anybody listens to signals.
 */
export function joinForwardedSignals(): void {
  if (process.env[FORWARDED] === undefined) return;
  delete process.env[FORWARDED]; // children of the app are not meant
  const emit = process.emit.bind(process) as (event: string | symbol, ...rest: unknown[]) => boolean;
  const last = new Map<unknown, number>();
  const joined = (event: string | symbol, ...rest: unknown[]): boolean => {
    if (!(SIGNALS as readonly unknown[]).includes(event)) return emit(event, ...rest);
    const now = performance.now();
    if (now - (last.get(event) ?? -Infinity) < TOGETHER) return true;
    last.set(event, now);
    return emit(event, ...rest);
  };
  process.emit = joined as typeof process.emit;
}
