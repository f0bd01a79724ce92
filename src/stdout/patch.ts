import { exitOnWriteError } from './write.ts';
import type { Write } from './write.ts';

/**
 * Last strategy: process.stdout.write prints to stderr from now on. Child processes, and code that writes to descriptor 1
 * itself, still reach stdout.
 */
export function patchStdout(): Write {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.on('error', exitOnWriteError);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return (text, done) => void write(text, () => done?.());
}
