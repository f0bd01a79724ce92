import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { pauseBriefly } from './pause.ts';

/** Writes protocol bytes; the callback runs when they are out. */
export type Write = (text: string | Uint8Array, done?: () => void) => void;

/** Where a process that was started for the sake of its output finds it (see own-process.ts). */
export const OUTPUT = 'EVERYWIRE_OUTPUT';

/** Tells that process that its signals may come twice. */
export const FORWARDED = 'EVERYWIRE_FORWARDED';

/** Whether a person reads stdout. Asked of the descriptor, before it may be moved. */
export const isTerminal = isTerminalAt(Number(process.env[OUTPUT] ?? 1));

/** Asks node:tty, which loads all of the network, only where there may be one. */
export function isTerminalAt(descriptor: number): boolean {
  try {
    return statOf(descriptor).isCharacterDevice() && process.getBuiltinModule('node:tty').isatty(descriptor);
  } catch {
    return false; // closed
  }
}

let claimed: Write | undefined;

/**
 * Keeps stdout for the answer: from now on, whatever the app, its dependencies, its children and console.log
 * print goes to stderr. To be called before user code is loaded, and after haveStdout where that matters.
 */
export function claimStdout(): Write {
  claimed ??= isTerminal && !mustMove ? whileTerminal() : (whileMoved() ?? whilePatched());
  return claimed;
}

/** Waits until everything written so far is out. */
export function flushStdout(done: () => void): void {
  if (claimed) claimed('', done);
  else done();
}

let mustMove = false;

/** Whether stdout has to be moved. On a terminal only if an exact body is asked for and stderr goes somewhere else. */
export function needsMoving(isExact: boolean): boolean {
  if (claimed !== undefined) return false;
  mustMove = !isTerminal || (isExact && !isTerminalAt(2));
  return mustMove;
}

/** Whether a person who types here sees what process.stdout prints. */
export function isInteractive(): boolean {
  return isTerminal && !mustMove;
}

/** On a terminal both are the same to the reader; only the order matters. */
function whileTerminal(): Write {
  return (text, done) => void process.stdout.write(text, () => done?.());
}

/**
 * Moves descriptor 1 out of everybody's reach and puts stderr in its place, which is dup2 as far as Node lets us:
 * the lowest free descriptor is the one just closed. Linux only, and only where both can be had a second time; undefined
 * elsewhere. A file would be opened anew, with a position of its own, and whoever shares it would write over our answer;
 * a socket (as a child of Node has) cannot be opened anew at all, unless stdin is the same one.
 */
function whileMoved(): Write | undefined {
  const out = ownOutput();
  if (out === undefined) return undefined;
  return (text, done) => {
    writeAll(out, Buffer.from(text));
    done?.();
  };
}

/** Other runtimes number their files differently, or keep the descriptors of their streams to themselves. */
export const ownsDescriptors = !('Bun' in globalThis) && !('Deno' in globalThis);

/** The descriptor that stdout has been moved to. */
function moveStdout(): number | undefined {
  try {
    if (!canMoveStdout()) return undefined;
    const out = isStdinToo() ? 0 : reopen(1);
    closeSync(1);
    return reopen(2) === 1 ? out : undefined;
  } catch {
    return undefined;
  }
}

/** Whether stdout can be moved. Nothing is closed to find out. */
function canMoveStdout(): boolean {
  if (!ownsDescriptors) return false;
  try {
    if (!isStdinToo()) {
      if (!hasNoPosition(1)) return false;
      closeSync(reopen(1));
    }
    return canReopen(2);
  } catch {
    return false;
  }
}

/** Whether a descriptor can be had a second time, and nobody's place in it is lost. */
export function canReopen(descriptor: number): boolean {
  try {
    if (!hasNoPosition(descriptor) && !isAppendedTo(descriptor)) return false;
    closeSync(reopen(descriptor));
    return true;
  } catch {
    return false;
  }
}

export function isSocketAt(descriptor: number): boolean {
  try {
    return statOf(descriptor).isSocket();
  } catch {
    return false; // closed
  }
}

/** The same for bytes, written at once. */
export function claimBytes(): (bytes: Uint8Array) => void {
  const out = ownOutput();
  if (out !== undefined) return (bytes) => writeAll(out, bytes);
  const write = claimStdout();
  return (bytes) => write(bytes);
}

/** Whether there is an output that nobody else can reach, or can be. */
export function canHaveOutput(): boolean {
  return process.env[OUTPUT] !== undefined || canMoveStdout();
}

/** The descriptor of it, from now on. */
export function ownOutput(): number | undefined {
  const given = process.env[OUTPUT];
  delete process.env[OUTPUT]; // children of the app are not meant
  return given === undefined ? moveStdout() : Number(given);
}

/** Apache's mod_cgid, and whatever started from inetd, talks to both ends of a process through one socket. */
function isStdinToo(): boolean {
  const [input, output] = [statOf(0), statOf(1)];
  return output.isSocket() && input.ino === output.ino && input.dev === output.dev;
}

/** A log that everybody adds to has no position either. */
function isAppendedTo(descriptor: number): boolean {
  const flags = /^flags:\s*([0-7]+)$/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'utf8'))?.[1] ?? '0';
  return (Number.parseInt(flags, 8) & constants.O_APPEND) !== 0;
}

function hasNoPosition(descriptor: number): boolean {
  const kind = statOf(descriptor);
  return kind.isFIFO() || kind.isCharacterDevice();
}

/**
 * Node keeps the last result for itself, and its realpath stops halfway when that was a pipe or a socket: modules behind
 * a linked node_modules would then be loaded twice, under two paths. So the last one is always a folder.
 */
export function statOf(descriptor: number): Stats {
  const stats = fstatSync(descriptor);
  statSync('/');
  return stats;
}

export function reopen(descriptor: number): number {
  return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_APPEND);
}

function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at);
    } catch (error) {
      // Somebody made it non-blocking, and its reader is slow.
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') pauseBriefly();
      else leave(error as NodeJS.ErrnoException);
    }
  }
}

/** Second best: what goes through process.stdout is sent elsewhere, but not what is written to the descriptor itself. */
function whilePatched(): Write {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.on('error', leave);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text, done) => void write(text, () => done?.());
}

/** Whoever reads may stop reading, like `head`; that is no reason for a stack trace. */
function leave({ code }: NodeJS.ErrnoException): never {
  process.exit(code === 'EPIPE' ? 0 : 1);
}
