import type { App } from '../app/app.ts';

const loadedFrom = new WeakMap<App, string>();

export function rememberModule(app: App, path: string): void {
  loadedFrom.set(app, path);
}

const plain = new WeakSet<App>();

export function rememberPlain(app: App): void {
  plain.add(app);
}

/** Whether an app was made of modules that export functions, and no app. */
export function isPlain(app: App): boolean {
  return plain.has(app);
}

/** The path of the module that loadApp loaded an app from. */
export function moduleOf(app: App): string | undefined {
  return loadedFrom.get(app);
}
