import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';

/** Options of commands that serve over HTTP. */
export interface ServingFlags {
  readonly port: number;
  readonly host: string;
  readonly quiet?: boolean;
  readonly trustProxy?: string[];
  /** Set by `--no-compression`. */
  readonly compression: boolean;
  /** Set by `--no-worker`. */
  readonly worker: boolean;
  /** Set by `--console` and `--no-console`. */
  readonly console?: boolean;
  readonly names?: 'portable';
}

/** For commands that serve MCP. */
export const namesOption = () =>
  new Option('--names <policy>', 'tool names without dots, for clients that reject them').choices(['portable']);

export function withServing(command: Command): Command {
  return command
    .addOption(
      new Option('--port <number>', 'the port to listen on; 0 for any free one').argParser(parsePort).default(8080),
    )
    .option('--host <address>', 'the address to listen on; 0.0.0.0 for all', '127.0.0.1')
    .option(
      '--trust-proxy <address>',
      "a proxy, or a range such as 10.0.0.0/8, that may say the client's address and scheme; repeatable",
      addProxies,
    )
    .option('--no-compression', 'never compress responses')
    .option('--no-worker', 'leave tasks to other processes; without it, this one works on them, too')
    .option('--console', 'show the console at /console/ wherever the server listens')
    .option('--no-console', 'never show it; by default it is shown on this machine only, outside production')
    .addOption(namesOption())
    .option('--quiet', 'print no line per call on a terminal');
}

/** Several may be in one value, for the environment variable. */
function addProxies(text: string, sofar?: string[]): string[] {
  return [...(sofar ?? []), ...text.split(/[ ,]+/).filter(Boolean)];
}

function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65535) throw new InvalidArgumentError('expected a number from 0 to 65535');
  return port;
}
