import { MODULE } from './module-source.ts';
import { Command } from 'commander';
import { environmentArguments, withEnvironment } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { tokenOf, withToken } from '../options/token-file.ts';
import type { TokenFlags } from '../options/token-file.ts';
import type { Process } from '../process.ts';
import { wholeNumber } from '../options/whole-number.ts';

interface ParityFlags extends EnvironmentFlags {
  readonly calls: number;
  readonly seed?: number;
  readonly all?: boolean;
  readonly json?: boolean;
}

export function parityCommand(proc: Process): Command {
  const command = new Command('parity')
    .description('call the functions on every wire and compare the answers')
    .argument('<module>', MODULE)
    .option('--calls <number>', 'how many calls to make, each on every wire', wholeNumber(1), 1000)
    .option('--seed <number>', 'repeats the calls of an earlier run', wholeNumber())
    .option('--all', 'also call functions that are not annotated as read-only or idempotent')
    .option('--json', 'print the report as JSON');
  return withToken(proc, withEnvironment(proc, command)).action(async (module: string) => {
    const { checkParity } = await import('./run-parity.ts');
    const {
      calls,
      seed = Math.floor(Math.random() * 2 ** 31),
      all = false,
      json = false,
      tokenFile: _read,
      ...given
    } = command.opts<ParityFlags & TokenFlags>();
    const flags = environmentArguments(proc, given);
    await checkParity(proc, module, {
      calls,
      seed,
      all,
      json,
      environment: given,
      flags,
      token: tokenOf(proc, command),
    });
  });
}
