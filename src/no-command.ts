import type { App } from './app/app.ts';

/** Replaces bin/run-module.ts in runtimes other than Node. */
export async function runApp(app: App, _argv: readonly string[]): Promise<never> {
  throw new Error(`${app.name} can run as a command only in Node.js; use app.fetch here`);
}
