import type { ShowConsoleOptions } from '../../hosts/show-console.ts';
import type { Process } from '../process.ts';
import { environmentArguments } from './environment.ts';
import type { EnvironmentFlags } from './environment.ts';
import type { ServingFlags } from './serving.ts';

/** What a server needs to know for its console. `modules` are those that were named, if any. */
export function consoleOptions(
  proc: Process,
  flags: Pick<ServingFlags, 'console'> & EnvironmentFlags,
  modules: readonly string[],
): ShowConsoleOptions {
  return {
    // An app that is a command may be a built one, which has no console.
    show: flags.console ?? (modules.length > 0 ? 'loopback' : undefined),
    // The other wires take a single module.
    ...(modules.length === 1 && {
      command: proc.program,
      flags: environmentArguments(proc, flags),
    }),
  };
}

/** The modules or folders that were named, before the options and the command that commander adds. */
export const modulesIn = (args: readonly unknown[]): readonly string[] => args.slice(0, -2).flat().map(String);
