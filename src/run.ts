import { loadApp } from './load/load-app.ts';

/**
 * A module's app as a command of its own: `await run(new URL('./app.ts', import.meta.url), process.argv)`. What the module
 * prints while it loads is kept out of the answer, which `app.run` comes too late for.
 */
export async function run(module: string | URL, argv: readonly string[]): Promise<void> {
  const { runModule } = await import('./bin/run-module.ts');
  return runModule(() => loadApp(module), argv);
}
