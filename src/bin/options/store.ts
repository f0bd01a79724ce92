import { CommanderError } from 'commander';
import type { Command } from 'commander';
import type { App } from '../../app/app.ts';
import { mistakeInStore } from '../../app/app-store.ts';

/** The value of `--store`. */
export interface StoreFlags {
  readonly store?: string | undefined;
}

export function withStore(command: Command, { store }: StoreFlags = {}): Command {
  return command
    .option(
      '--store <url>',
      'where processes of the app meet: redis://… or postgres://…; replaces that of the app',
      parse,
    )
    .setOptionValueWithSource('store', store, store && 'cli');
}

/** Whether it was typed, and not taken from the settings. */
export function isStoreTyped(command: Command): boolean {
  return command.getOptionValueSource('store') === 'cli';
}

/** Instead of the app's own. */
export function useStore(app: App, { store }: StoreFlags): App {
  if (store !== undefined) app.store.use(store);
  return app;
}

/** Not an InvalidArgumentError: messages about these repeat the value, which may contain a password. */
function parse(url: string): string {
  const mistake = mistakeInStore(url);
  if (mistake !== undefined)
    throw new CommanderError(2, 'everywire.store', `error: --store, EVERYWIRE_STORE: ${mistake}`);
  return url;
}
