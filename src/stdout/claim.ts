import { hasRealDescriptors, isTerminalAt } from './descriptor.ts';
import { FORWARDED_VARIABLE, takeInheritedOutput } from './inherited.ts';
import { patchStdout } from './patch.ts';
import { canReopenStdout, reopenStdout } from './reopen.ts';
import { isTerminal, writeToTerminal } from './terminal.ts';
import { writerTo } from './write.ts';
import type { Write } from './write.ts';

export interface Stdout {
  readonly write: Write;
  /** A file descriptor that only we know; undefined if stdout could not be moved, or is a terminal. */
  readonly fd?: number;
}

/**
 * What stdout is used for. `protocol`: CGI and MCP messages. `body`: the exact body of a response (--json). `text`: anything
 * else, which may stay on a terminal.
 */
export type Use = 'protocol' | 'body' | 'text';

let claimed: Stdout | undefined;

/**
 * Ensures that only we can write to stdout: whatever the app, its dependencies and its child processes print goes to stderr.
 * Await this before user code is loaded. README.md explains the strategies. `exit` ends the process, if another one has done its
 * work.
 */
export async function claimStdout(use: Use, exit: (code: number) => never): Promise<Stdout> {
  if (claimed) return claimed;
  claimed = staysOnTerminal(use) ? { write: writeToTerminal } : fromDescriptor(await moveStdout(exit));
  return claimed;
}

/** The same without waiting, for code that runs before the app is loaded, or never loads one. */
export function claimStdoutSync(): Stdout {
  claimed ??= staysOnTerminal('text')
    ? { write: writeToTerminal }
    : fromDescriptor(takeInheritedOutput() ?? (canReopenStdout() ? reopenStdout() : undefined));
  return claimed;
}

/** Calls back when everything written so far is out. */
export function flushStdout(done: () => void): void {
  if (claimed) claimed.write('', done);
  else done();
}

/** Whether a person sees what process.stdout prints. */
export function isInteractive(): boolean {
  return isTerminal && (claimed === undefined || claimed.write === writeToTerminal);
}

/** An exact body is mixed with what the app prints only if both streams end on the terminal. */
function staysOnTerminal(use: Use): boolean {
  return isTerminal && (use === 'text' || (use === 'body' && isTerminalAt(2)));
}

async function moveStdout(exit: (code: number) => never): Promise<number | undefined> {
  if (process.env[FORWARDED_VARIABLE] !== undefined) (await import('./respawn.ts')).mergeForwardedSignals();
  const inherited = takeInheritedOutput();
  if (inherited !== undefined) return inherited;
  if (canReopenStdout()) return reopenStdout();
  if (!hasRealDescriptors) return undefined;
  const { dupSocket } = await import('./dup-socket.ts');
  return (await dupSocket()) ?? exit(await (await import('./respawn.ts')).respawn());
}

function fromDescriptor(fd: number | undefined): Stdout {
  return fd === undefined ? { write: patchStdout() } : { fd, write: writerTo(fd) };
}
