import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';

/** Bun and Deno number their files differently, or hide the file descriptors of their streams. */
export const hasRealDescriptors = !('Bun' in globalThis) && !('Deno' in globalThis);

/** Loads node:tty, which loads the whole network stack, only for character devices. */
export function isTerminalAt(fd: number): boolean {
  try {
    return statOf(fd).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(fd);
  } catch {
    return false; // closed
  }
}

export function isSocketAt(fd: number): boolean {
  try {
    return statOf(fd).isSocket();
  } catch {
    return false; // closed
  }
}

/** Pipes and terminals. A regular file that is opened again has a second position, and writers overwrite each other. */
export function hasNoPosition(fd: number): boolean {
  const stats = statOf(fd);
  return stats.isFIFO() || stats.isCharacterDevice();
}

/** Whether `reopen` works for this file descriptor and no position is lost. Files opened with O_APPEND have none to lose. */
export function canReopen(fd: number): boolean {
  try {
    if (!hasNoPosition(fd) && !isAppendOnly(fd)) return false;
    closeSync(reopen(fd));
    return true;
  } catch {
    return false; // closed, or without /proc
  }
}

/** Opens what a file descriptor refers to a second time. Linux only; fails for sockets. */
export function reopen(fd: number): number {
  return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_APPEND);
}

/**
 * Node caches the result of the last stat call in a shared array, and realpath stops early if that was a pipe or a socket:
 * modules behind a linked node_modules would then be loaded twice, under two paths. So the last stat is always a folder.
 */
export function statOf(fd: number): Stats {
  const stats = fstatSync(fd);
  statSync('/');
  return stats;
}

function isAppendOnly(fd: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & constants.O_APPEND) !== 0;
}
