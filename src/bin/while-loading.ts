import { ModuleError } from '../load/module-error.ts';
import type { Process } from './process.ts';

/**
 * Loads an app for a command, and reports whatever the module does instead of exporting one: it may throw, now or in a later
 * tick, wait forever in a top-level await, or end the process.
 */
export async function whileLoading<T>(proc: Process, name: string, load: () => Promise<T>): Promise<T> {
  let fail!: (error: unknown) => void;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const listening = [
    proc.on('idle', () => fail(new ModuleError(`${name} never finished loading: a top-level await never settles`))),
    proc.on('uncaught', (thrown) => fail(thrown)),
    proc.on('exit', (code) => {
      proc.printError(`${name} ended the process while loading (exit code ${code})`);
      return code || 1;
    }),
  ];
  try {
    return await Promise.race([load(), failed]);
  } catch (thrown) {
    throw await (await import('../load/load-failure.ts')).loadFailure(name, undefined, thrown);
  } finally {
    for (const stop of listening) stop();
  }
}
