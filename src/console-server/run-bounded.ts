import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { linesOf } from './lines-of.ts';

/** What is started, and what it reads. */
export interface Run {
  readonly command: readonly [string, ...string[]];
  readonly variables: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Whether a line of stdout is all that is wanted: a server would not end by itself. */
  readonly isLast?: (line: string) => boolean;
}

type Ended = { readonly stdout: string; readonly exit: number | null } | { readonly problem: string };

/** Milliseconds that a process has. */
const TIMEOUT = 20_000;
/** Bytes that it may write. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Where a process can be the first of a group, which ends together with all that it has started. */
const HAS_GROUPS = process.platform !== 'win32';

/** Runs a process to its end, or ends it: when it takes too long, writes too much, or nobody waits for it any more. */
export function runBounded({ command, variables, stdin, isLast }: Run, signal: AbortSignal): Promise<Ended> {
  if (signal.aborted) return Promise.resolve({ problem: CANCELLED });
  const [program, ...args] = command;
  return new Promise((resolve) => {
    // Not a token that this process may have been started with.
    const { EVERYWIRE_TOKEN: _, ...inherited } = process.env;
    const child = spawn(program, args, {
      env: { ...inherited, ...variables },
      stdio: ['pipe', 'pipe', 'ignore'],
      detached: HAS_GROUPS,
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let problem: string | undefined;
    const end = (why: string) => {
      problem ??= why;
      killAll(child);
      // What it started may have left the group, and still hold it.
      child.stdout.destroy();
    };
    const cancel = () => end(CANCELLED);
    signal.addEventListener('abort', cancel, { once: true });
    const timer = setTimeout(() => end(`no answer within ${TIMEOUT / 1000} seconds`), TIMEOUT);
    const split = isLast && linesOf((line) => isLast(line) && child.stdin.end());
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) return end(`more than ${MOST_BYTES} bytes`);
      chunks.push(chunk);
      split?.(chunk);
    });
    child.stdin.on('error', () => {}); // a command that fails early closes it
    const finish = (exit: number | null) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      resolve(problem === undefined ? { stdout: Buffer.concat(chunks).toString(), exit } : { problem });
    };
    child.on('error', ({ message }) => {
      problem ??= message;
      // It was never started, and so never closes.
      if (child.pid === undefined) finish(null);
    });
    // What it has left behind would keep its output open.
    child.once('exit', () => killAll(child));
    child.once('close', finish);
    if (isLast) child.stdin.write(stdin);
    else child.stdin.end(stdin);
  });
}

const CANCELLED = 'cancelled';

function killAll(child: ChildProcess): void {
  if (!HAS_GROUPS || child.pid === undefined) return void child.kill('SIGKILL');
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // None of them is left.
  }
}
