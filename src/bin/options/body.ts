import { Option } from 'commander';
import type { Command } from 'commander';
import { profileNames } from '../../responses/profiles/profile.ts';
import { formatNames } from '../../wires/cli/formats.ts';

/** Adds `--json`, `--profile` and `--format`. */
export function withBody(command: Command): Command {
  return command
    .option('--json', 'print the exact body, as every other wire sends it')
    .addOption(new Option('--profile <name>', 'print the body in this profile').choices(profileNames))
    .addOption(
      new Option('--format <name>', 'print the result in this format')
        .choices(formatNames)
        .conflicts(['json', 'profile']),
    );
}
