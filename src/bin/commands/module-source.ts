import { loadModule } from '../load-module.ts';
import type { Process } from '../process.ts';
import type { AppSource } from './app-source.ts';

// A file of its own, since apps that are commands must not load the loader.

export const MODULE =
  'a .ts, .js or .mjs file that exports an app, or TypeScript that exports functions; or its folder';

/** From a module named on the command line. */
export const fromModule = (proc: Process): AppSource => ({
  declare: (command) => command.argument('<module>', MODULE),
  load: ([module = '']) => loadModule(proc, module),
});

/** From one module, or several, which are served as one app. */
export const fromModules = (proc: Process): AppSource => ({
  declare: (command) => command.argument('<module...>', `${MODULE}. Functions of several are served together`),
  load: ([modules]) => loadModule(proc, ...(modules as unknown as string[])),
});
