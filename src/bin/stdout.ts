import { closeSync, constants, createWriteStream, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
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
  const out = moveStdout();
  if (out === undefined) return undefined;
  return (text, done) => {
    writeAll(out, Buffer.from(text));
    done?.();
  };
}

/** The descriptor that stdout has been moved to. */
function moveStdout(): number | undefined {
  try {
    if (!canMoveStdout()) return undefined;
    const out = reopen(1);
    closeSync(1);
    return reopen(2) === 1 ? out : undefined;
  } catch {
    return undefined;
  }
}

/** Whether stdout can be moved. Nothing is closed to find out. */
export function canMoveStdout(): boolean {
  try {
    if (![1, 2].every(hasNoPosition)) return false;
    for (const descriptor of [1, 2]) closeSync(reopen(descriptor));
    return true;
  } catch {
    return false;
  }
}

/** Where a process that was started for the sake of its output finds it (see own-process.ts). */
export const OUTPUT = 'EVERYWIRE_OUTPUT';

/** The same as a stream, for wires that write for long and must not wait for their reader. */
export function claimOutput(): Writable {
  const given = process.env[OUTPUT];
  delete process.env[OUTPUT]; // children of the app are not meant
  const out = given === undefined ? moveStdout() : Number(given);
  if (out === undefined) {
    const write = claimStdout();
    return new Writable({ write: (chunk: Buffer, _encoding, done) => write(chunk.toString(), () => done()) });
  }
  return fstatSync(out).isFile() ? createWriteStream('', { fd: out }) : new Socket({ fd: out, readable: false });
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
