import type { App } from '../app/app.ts';
import type { EnvironmentOptions } from '../env/environment.ts';

/**
 * Starts the app of a command that serves, before it takes any call. Throws one readable error if the author's `start` fails, in
 * whatever way.
 */
export async function startApp(app: App, { env, files }: EnvironmentOptions): Promise<void> {
  if (!app.needsStop) return;
  let fail!: (error: unknown) => void;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const onEmpty = () => fail(new Error('start never settles'));
  process.on('beforeExit', onEmpty);
  process.on('uncaughtException', fail);
  try {
    await Promise.race([app.start({ env, files }), failed]);
  } catch (thrown) {
    throw await (await import('../load/load-failure.ts')).loadFailure(app.name, undefined, thrown, 'cannot start');
  } finally {
    process.off('beforeExit', onEmpty);
    process.off('uncaughtException', fail);
  }
}
