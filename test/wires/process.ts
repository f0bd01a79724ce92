import type { App, Outcome } from 'everywire';
import { wireFactsOf } from '../../src/core/failure.ts';
import { toJson } from '../../src/schema/to-json.ts';
import { modules, type AppName, type Wire } from '../every-wire.ts';

/** In this process, through app.call. */
export const processWire: Wire = {
  name: 'process',
  async call(name, fn, send, profile) {
    const app = await appOf(name);
    if ('body' in send) throw new Error('app.call takes values, not bytes');
    const outcome = await app.call(fn, send.arguments);
    const found = app.find(fn);
    const body = JSON.stringify((profile ? app.profiles[profile] : app.profile).render(asSent(outcome), found));
    if (outcome.ok) return { body, status: 200, exit: 0 };
    const { status, exit } = wireFactsOf(outcome, found?.definition.errors);
    return { body, status, exit, code: outcome.error.code };
  },
};

/** In this process dates are dates; on a wire they are text. */
function asSent(outcome: Outcome): Outcome {
  if (!outcome.ok || outcome.data === undefined) return outcome;
  const carried = toJson(outcome.data, 64);
  if (carried.problem) throw new Error(carried.problem.message);
  return { ...outcome, data: carried.value };
}

/** Starts something for each app, when it is first asked for. */
export function perApp<T>(start: (app: AppName) => Promise<T>) {
  const started = new Map<AppName, Promise<T>>();
  return {
    of(app: AppName): Promise<T> {
      if (!started.has(app)) started.set(app, start(app));
      return started.get(app)!;
    },
    async close(end: (one: T) => unknown): Promise<void> {
      await Promise.all([...started.values()].map(async (one) => end(await one)));
      started.clear();
    },
  };
}

export async function appOf(name: AppName): Promise<App> {
  const { default: app } = (await import(/* @vite-ignore */ `../../${modules[name]}`)) as { default: App };
  return app;
}
