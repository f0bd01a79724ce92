import type { App } from '../app/app.ts';
import type { EnvironmentOptions } from '../env/environment.ts';
import type { Process } from './process.ts';

/**
 * Starts the app of a command that serves, before it takes any call. Throws one readable error if the author's `start` fails, in
 * whatever way.
 */
export async function startApp(proc: Process, app: App, { env, files }: EnvironmentOptions): Promise<void> {
  if (!app.needsStop && !app.variables.areRequired) return;
  let fail!: (error: unknown) => void;
  const failed = new Promise<never>((_resolve, reject) => {
    fail = reject;
  });
  const listening = [
    proc.on('idle', () => fail(new Error('start never settles'))),
    proc.on('uncaught', (thrown) => fail(thrown)),
  ];
  try {
    await Promise.race([app.start({ env, files }), failed]);
  } catch (thrown) {
    throw await (await import('../load/load-failure.ts')).loadFailure(app.name, undefined, thrown, 'cannot start');
  } finally {
    for (const stop of listening) stop();
  }
}
