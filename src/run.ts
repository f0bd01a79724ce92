import { loadApp } from './load/load-app.ts';

/**
 * Runs a module's app as a command: `await run(new URL('./app.ts', import.meta.url), process.argv)`. Unlike `app.run`, it also
 * keeps what the module prints while it loads away from stdout.
 */
export async function run(module: string | URL, argv: readonly string[]): Promise<void> {
  const { runModule } = await import('./bin/run-module.ts');
  return runModule(() => loadApp(module), argv);
}
