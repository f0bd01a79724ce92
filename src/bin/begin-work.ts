import { setTimeout } from 'node:timers/promises';
import type { App } from '../app/app.ts';
import type { EnvironmentOptions } from '../env/environment.ts';

/** Milliseconds between two attempts. */
const PAUSE = 1000;

/**
 * Lets a server work on tasks, if there is a store; without one, the first task begins that. A server also serves while the
 * store cannot be reached, so it tries again until it can. The reason is in the log of the app.
 */
export function beginWork(app: App, environment: EnvironmentOptions): void {
  if (!app.tasks.isUsed || app.store.url === undefined) return;
  void (async () => {
    for (;;) {
      try {
        await app.start(environment);
        return await app.tasks.work(environment);
      } catch {
        await setTimeout(PAUSE, undefined, { ref: false });
      }
    }
  })();
}
