import type { App } from '../app/app.ts';
import { loadApp } from '../load/load-app.ts';
import { whileLoading } from './while-loading.ts';

/** The app of a module that a person has named. */
export function loadModule(module: string): Promise<App> {
  return whileLoading(module, () => loadApp(module));
}
