import { loadModule } from '../load-module.ts';
import type { AppSource } from './app-source.ts';

/** From a module named on the command line. A file of its own, since apps that are commands must not load the loader. */
export const fromModule: AppSource = {
  declare: (command) => command.argument('<module>', 'a .ts, .js or .mjs file that exports an app'),
  load: ([module = '']) => loadModule(module),
};
