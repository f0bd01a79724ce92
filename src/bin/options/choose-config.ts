import type { Command } from 'commander';
import { findConfig } from '../../load/find-config.ts';
import type { Process } from '../process.ts';

/** Reads the configuration file: the one that was named, or that of the current folder. */
export async function chooseConfig(proc: Process, command: Command): Promise<void> {
  const typed = command.getOptionValue('config') as string | false | undefined;
  const { EVERYWIRE_CONFIG: named, EVERYWIRE_NO_CONFIG: none } = proc.env;
  if (typed === false) return;
  const isOff = typed === undefined && none !== undefined && !['', '0', 'false'].includes(none);
  const file =
    typed ?? (isOff ? undefined : named || (isUnderCgi(proc, command) ? undefined : findConfig(proc.resolve)));
  if (file !== undefined) await (await import('./load-settings.ts')).loadSettings(proc, command, file);
}

/** The current folder of a CGI script may be one that visitors can write to, or choose by the address. */
function isUnderCgi(proc: Process, command: Command): boolean {
  return command.name() === 'cgi' || proc.env['GATEWAY_INTERFACE'] !== undefined;
}
