import type { Command } from 'commander';
import type { Process } from '../process.ts';

/** `--verbose` is NODE_DEBUG=everywire. Set while options are parsed, before the app is loaded. */
export function withVerbose({ env }: Process, command: Command): Command {
  return command
    .option('--verbose', 'log every step of every request on stderr, like NODE_DEBUG=everywire')
    .on('option:verbose', () => {
      env['NODE_DEBUG'] = [env['NODE_DEBUG'], 'everywire'].filter(Boolean).join(',');
    });
}
