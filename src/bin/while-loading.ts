import { ModuleError } from '../load/module-error.ts';
import { printError } from '../stdout/stderr.ts';

/**
 * Loads an app for a command, and reports whatever the module does instead of exporting one: it may throw, now or in a later
 * tick, wait forever in a top-level await, or end the process.
 */
export async function whileLoading<T>(name: string, load: () => Promise<T>): Promise<T> {
  let fail!: (error: unknown) => void;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const onEmpty = () => fail(new ModuleError(`${name} never finished loading: a top-level await never settles`));
  const onExit = (code: number) => {
    printError(`${name} ended the process while loading (exit code ${code})`);
    process.exitCode = code || 1;
  };
  process.on('beforeExit', onEmpty);
  process.on('uncaughtException', fail);
  // Runs first, so that other exit listeners can still change the exit code.
  process.prependListener('exit', onExit);
  try {
    return await Promise.race([load(), failed]);
  } catch (thrown) {
    throw await (await import('../load/load-failure.ts')).loadFailure(name, undefined, thrown);
  } finally {
    process.off('beforeExit', onEmpty);
    process.off('uncaughtException', fail);
    process.off('exit', onExit);
  }
}
