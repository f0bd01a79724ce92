import { relative } from 'node:path';
import type { Command } from 'commander';
import type { App } from '../../app/app.ts';
import { moduleOf } from '../../load/app-origin.ts';

/** Where a command gets its app: from a module that is named, or from the program it belongs to. */
export interface AppSource {
  /** Adds the argument that names the app, if there is one. */
  declare(command: Command): Command;
  load(args: readonly string[]): Promise<App>;
}

export function fromApp(app: App): AppSource {
  return { declare: (command) => command, load: async () => app };
}

/** The same for a command that reads the module itself. A program knows its module if it has loaded it. */
export function fromAppModule(app: App): AppSource {
  return {
    declare: (command) => {
      const known = moduleOf(app);
      const said = 'the file that exports the app';
      return known === undefined
        ? command.argument('<module>', said)
        : command.argument('[module]', said, relative('.', known));
    },
    load: async () => app,
  };
}
