import type { Command } from 'commander';

/** The words that lead to a command, from the name of the program. */
export function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
