import { loadModule } from '../load-module.ts';
import type { AppSource } from './app-source.ts';

/** From a module that is named. In a file of its own: an app that is a command has no use for a compiler. */
export const fromModule: AppSource = {
  declare: (command) => command.argument('<module>', 'a .ts, .js or .mjs file that exports an app'),
  load: ([module = '']) => loadModule(module),
};
