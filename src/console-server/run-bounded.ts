import { spawn } from 'node:child_process';

/** What is started, and what it reads. */
export interface Run {
  readonly command: readonly [string, ...string[]];
  readonly variables: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Whether what was written to stdout is all that is wanted: a server would not end by itself. */
  readonly isDone?: (stdout: string) => boolean;
}

type Ended = { readonly stdout: string; readonly exit: number | null } | { readonly problem: string };

/** Milliseconds that a process has. */
const TIMEOUT = 20_000;
/** Bytes that it may write. */
const MOST_BYTES = 16 * 1024 * 1024;

/** Runs a process to its end, or ends it: when it takes too long, writes too much, or nobody waits for it any more. */
export function runBounded({ command, variables, stdin, isDone }: Run, signal: AbortSignal): Promise<Ended> {
  const [program, ...args] = command;
  return new Promise((resolve) => {
    // Not a token that this process may have been started with.
    const { EVERYWIRE_TOKEN: _, ...inherited } = process.env;
    const child = spawn(program, args, {
      env: { ...inherited, ...variables },
      stdio: ['pipe', 'pipe', 'ignore'],
      signal,
      killSignal: 'SIGKILL',
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let problem: string | undefined;
    const end = (why: string) => {
      problem ??= why;
      child.kill('SIGKILL');
    };
    const timer = setTimeout(() => end(`no answer within ${TIMEOUT / 1000} seconds`), TIMEOUT);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) return end(`more than ${MOST_BYTES} bytes`);
      chunks.push(chunk);
      // Only where a line ends: joining a long one again with every chunk would take for ever.
      if (isDone && chunk.includes(10) && isDone(Buffer.concat(chunks).toString())) child.stdin.end();
    });
    child.stdin.on('error', () => {}); // a command that fails early closes it
    const finish = (exit: number | null) => {
      clearTimeout(timer);
      resolve(problem === undefined ? { stdout: Buffer.concat(chunks).toString(), exit } : { problem });
    };
    child.on('error', ({ message }) => {
      problem ??= message;
      // It was never started, and so never closes.
      if (child.pid === undefined) finish(null);
    });
    child.once('close', finish);
    if (isDone) child.stdin.write(stdin);
    else child.stdin.end(stdin);
  });
}
