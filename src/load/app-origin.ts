import type { App } from '../app/app.ts';

const loadedFrom = new WeakMap<App, string>();

export function rememberModule(app: App, path: string): void {
  loadedFrom.set(app, path);
}

/** The file of the module that an app was loaded from, if loadApp did that. */
export function moduleOf(app: App): string | undefined {
  return loadedFrom.get(app);
}
