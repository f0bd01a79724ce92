import type { App } from '../app/app.ts';

const loadedFrom = new WeakMap<App, string>();

export function rememberModule(app: App, path: string): void {
  loadedFrom.set(app, path);
}

/** The path of the module that loadApp loaded an app from. */
export function moduleOf(app: App): string | undefined {
  return loadedFrom.get(app);
}
