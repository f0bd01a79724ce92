import type { Command } from 'commander';
import { findConfig } from '../../load/find-config.ts';

/** Reads the configuration file: the one that was named, or that of the current folder. Adds what it says to this process. */
export async function chooseConfig(command: Command): Promise<void> {
  const typed = command.getOptionValue('config') as string | false | undefined;
  const { EVERYWIRE_CONFIG: named, EVERYWIRE_NO_CONFIG: none } = process.env;
  if (typed === false) return;
  const isOff = typed === undefined && none !== undefined && !['', '0', 'false'].includes(none);
  const file = typed ?? (isOff ? undefined : named || (isUnderCgi(command) ? undefined : findConfig()));
  if (file !== undefined) await (await import('./load-settings.ts')).loadSettings(command, file);
}

/** The current folder of a CGI script may be one that visitors can write to, or choose by the address. */
function isUnderCgi(command: Command): boolean {
  return command.name() === 'cgi' || process.env['GATEWAY_INTERFACE'] !== undefined;
}
