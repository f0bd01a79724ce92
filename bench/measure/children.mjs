import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const groups = new Set();

/** What processes keep for their next start lies here, and not among the user's own. */
export const scratch = mkdtempSync(join(tmpdir(), 'everywire-bench-'));

export const environment = {
  PATH: process.env.PATH,
  HOME: scratch,
  TMPDIR: scratch,
  XDG_CACHE_HOME: join(scratch, 'cache'),
  NODE_ENV: 'production',
};

// However the run ends, nothing that it started stays behind.
process.on('exit', () => {
  for (const leader of groups) killGroup(leader);
  rmSync(scratch, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    console.error(`No result: ended by ${signal}`);
    process.exit(1);
  });
}

/** The contenders' packages are found from here. */
const home = fileURLToPath(new URL('..', import.meta.url));

/** A process with pipes, leading a group of its own, so that what it starts can be found and ended with it. */
export function startChild(args, { env = {}, stdio = 'pipe' } = {}) {
  return keep(spawn(process.execPath, args, { cwd: home, detached: true, stdio, env: { ...environment, ...env } }));
}

/** The same for a module that talks by messages. What it prints is of no interest. */
export function startModule(file, args, execArgv) {
  const stdio = ['ignore', 'ignore', 'inherit', 'ipc'];
  return keep(fork(file, args, { detached: true, stdio, execArgv, env: environment }));
}

/** Waits a little for a child that was told to leave, and ends it if it does not, with all that it started. */
export async function endChild(child, grace) {
  if (child.exitCode === null && child.signalCode === null) {
    const exited = once(child, 'exit');
    const timer = setTimeout(killGroup, grace, child.pid);
    await exited;
    clearTimeout(timer);
  }
  killGroup(child.pid);
  groups.delete(child.pid);
}

function keep(child) {
  if (child.pid !== undefined) groups.add(child.pid);
  return child;
}

function killGroup(leader) {
  try {
    process.kill(-leader, 'SIGKILL');
  } catch {
    // nobody is left of it
  }
}
