import type { App } from 'everywire';
import { factsOf } from '../../src/core/codes.ts';
import { modules } from '../every-wire.ts';
import type { AppName, Wire } from '../every-wire.ts';

/** In this process, through app.call. */
export const processWire: Wire = {
  name: 'process',
  async call(name, fn, send) {
    const app = await appOf(name);
    if ('body' in send) throw new Error('app.call takes values, not bytes');
    const {
      outcome,
      body,
      fn: found,
    } = await app.respond({ name: fn, input: send.arguments, caller: { wire: 'process' } }, app.profile);
    if (outcome.ok) return { body, status: 200, exit: 0 };
    const { status, exit } = factsOf(outcome.error.code, found?.definition.errors);
    return { body, status, exit, code: outcome.error.code };
  },
};

export async function appOf(name: AppName): Promise<App> {
  const { default: app } = (await import(/* @vite-ignore */ `../../${modules[name]}`)) as { default: App };
  return app;
}
