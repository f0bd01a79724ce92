import type { App } from './app/app.ts';

/** Stands where the command is, in runtimes other than Node. */
export async function runApp(app: App, _argv: readonly string[]): Promise<never> {
  throw new Error(`${app.name} can be run as a command only by Node.js; here, serve it with app.fetch`);
}
