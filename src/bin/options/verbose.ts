import type { Command } from 'commander';

/** `--verbose` is NODE_DEBUG=everywire. Set while options are parsed, before the app is loaded. */
export function withVerbose(command: Command): Command {
  return command
    .option('--verbose', 'log every step of every request on stderr, like NODE_DEBUG=everywire')
    .on('option:verbose', () => {
      process.env['NODE_DEBUG'] = [process.env['NODE_DEBUG'], 'everywire'].filter(Boolean).join(',');
    });
}
