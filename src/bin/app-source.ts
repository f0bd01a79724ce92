import type { Command } from 'commander';
import type { App } from '../app.ts';

/** Where a command gets its app: from a module that is named, or from the program it belongs to. */
export interface AppSource {
  /** Adds the argument that names the app, if there is one. */
  declare(command: Command): Command;
  load(args: readonly string[]): Promise<App>;
}

export function fromApp(app: App): AppSource {
  return { declare: (command) => command, load: async () => app };
}
