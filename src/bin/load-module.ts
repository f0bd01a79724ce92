import type { App } from '../app/app.ts';
import { loadApp } from '../load/load-app.ts';
import { whileLoading } from './while-loading.ts';

/** Loads the app of a module that was named on the command line. */
export function loadModule(module: string): Promise<App> {
  return whileLoading(module, () => loadApp(module));
}
