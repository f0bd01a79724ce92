import { execFile, spawn } from 'node:child_process';
import { promisify } from 'node:util';

export interface Typed {
  readonly screen: string;
  readonly code: unknown;
}

interface Terminal {
  readonly columns?: number;
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a shell command on a pseudo-terminal, and types keys when the screen shows something. */
export function onTerminal(
  command: string,
  { columns = 80, cwd, env }: Terminal,
  keys: readonly (readonly [waitFor: RegExp, key: string])[] = [],
): Promise<Typed> {
  const child = spawn('script', ['-qefc', `stty cols ${columns} rows 30; ${command}`, '/dev/null'], {
    cwd,
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '1', ...env },
  });
  const left = [...keys];
  let screen = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    screen += text;
    const [next] = left;
    if (!next?.[0].test(screen)) return;
    left.shift();
    // As a person types: a prompt takes no keys before it is drawn.
    setTimeout(() => child.stdin.write(next[1]), 500);
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ screen, code })));
}

/** Everything that a terminal receives from a shell command, from stdout and stderr. In colour, unless NO_COLOR is set. */
export async function shownBy(line: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const { stdout } = await promisify(execFile)('script', ['-qec', line, '/dev/null'], {
    env: { ...process.env, TERM: 'xterm', NO_COLOR: '', ...env },
  }).catch((error: { stdout: string }) => error);
  return stdout.replaceAll('\r\n', '\n');
}
