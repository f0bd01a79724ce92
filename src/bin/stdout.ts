import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs';
import { isatty } from 'node:tty';

/** Writes protocol bytes; the callback runs when they are out. */
export type Write = (text: string, done?: () => void) => void;

/** Whether a person reads stdout. Asked of the descriptor, before it may be moved. */
export const isTerminal = isatty(1);

let claimed: Write | undefined;

/**
 * Keeps stdout for the answer: from now on, whatever the app, its dependencies, its children and console.log
 * print goes to stderr. To be called before user code is loaded.
 */
export function claimStdout(): Write {
  claimed ??= isTerminal ? whileTerminal() : (whileMoved() ?? whilePatched());
  return claimed;
}

/** On a terminal both are the same to the reader; only the order matters. */
function whileTerminal(): Write {
  return (text, done) => void process.stdout.write(text, () => done?.());
}

/**
 * Moves descriptor 1 out of everybody's reach and puts stderr in its place, which is dup2 as far as Node lets us:
 * the lowest free descriptor is the one just closed. Linux only, and only where both are pipes or devices; undefined
 * elsewhere. A file would be opened anew, with a position of its own, and whoever shares it would write over our answer;
 * a socket (as a child of Node has) cannot be opened anew at all.
 */
function whileMoved(): Write | undefined {
  try {
    if (![1, 2].every(hasNoPosition)) return undefined;
    const out = reopen(1);
    closeSync(reopen(2)); // known to work before anything is closed
    closeSync(1);
    if (reopen(2) !== 1) return undefined;
    return (text, done) => {
      writeAll(out, Buffer.from(text));
      done?.();
    };
  } catch {
    return undefined;
  }
}

function hasNoPosition(descriptor: number): boolean {
  const kind = fstatSync(descriptor);
  return kind.isFIFO() || kind.isCharacterDevice();
}

function reopen(descriptor: number): number {
  return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_APPEND);
}

function writeAll(descriptor: number, bytes: Buffer): void {
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  } catch (error) {
    leave(error as NodeJS.ErrnoException);
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
