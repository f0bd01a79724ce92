import { loadModule } from '../load-module.ts';
import type { AppSource } from './app-source.ts';

// A file of its own, since apps that are commands must not load the loader.

export const MODULE =
  'a .ts, .js or .mjs file that exports an app, or TypeScript that exports functions; or its folder';

/** From a module named on the command line. */
export const fromModule: AppSource = {
  declare: (command) => command.argument('<module>', MODULE),
  load: ([module = '']) => loadModule(module),
};

/** The same, or several, which are served as one app. */
export const fromModules: AppSource = {
  declare: (command) => command.argument('<module...>', `${MODULE}. Functions of several are served together`),
  load: ([modules]) => loadModule(...(modules as unknown as string[])),
};
