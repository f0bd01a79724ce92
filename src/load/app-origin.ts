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

const madeFrom = new WeakMap<App, readonly string[]>();

export function rememberInputs(app: App, files: readonly string[]): void {
  madeFrom.set(app, files);
}

/** The files that the types of plain functions were read from. */
export function inputsOf(app: App): readonly string[] {
  return madeFrom.get(app) ?? [];
}
