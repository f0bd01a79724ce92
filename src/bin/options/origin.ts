import type { Command } from 'commander';

/** What `--allow-host` and `--allow-origin` gave. */
export interface OriginFlags {
  readonly allowHost?: string[];
  readonly allowOrigin?: string[];
}

/** Who may call, for the commands that speak HTTP. */
export function withOrigins(command: Command): Command {
  return command
    .option('--allow-host <name>', 'a Host header to accept; repeatable', collect)
    .option('--allow-origin <origin>', 'an Origin whose pages may call; repeatable', collect);
}

function collect(value: string, sofar: string[] = []): string[] {
  return [...sofar, value];
}
