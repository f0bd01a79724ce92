import { relative } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../../app/app.ts';
import { moduleOf } from '../../load/app-origin.ts';

/** Where a command gets its app from: a module named on the command line, or the program itself. */
export interface AppSource {
  /** Adds the argument that names the module, if there is one. */
  declare(command: Command): Command;
  load(args: readonly string[]): Promise<App>;
}

export function fromApp(app: App): AppSource {
  return { declare: (command) => command, load: async () => app };
}

/** For commands that need the path of the module. It is known if loadApp loaded the app. */
export function fromAppModule(app: App): AppSource {
  return {
    declare: (command) => {
      const known = moduleOf(app);
      const description = 'the file that exports the app';
      return known === undefined
        ? command.argument('<module>', description)
        : command.argument('[module]', description, relative('.', known));
    },
    load: async () => app,
  };
}
