import { endOnWriteError } from './write.ts';
import type { Write } from './write.ts';

/**
 * Last strategy: process.stdout.write and console print to stderr from now on. Child processes, and code that writes to
 * descriptor 1 itself, still reach stdout.
 */
export function patchStdout(): Write {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.on('error', endOnWriteError);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  // The console of Bun and Deno does not use process.stdout.
  const { Console } = process.getBuiltinModule('node:console');
  globalThis.console = new Console(process.stderr, process.stderr);
  return (text, done) => void write(text, () => done?.());
}
