import type { Command } from 'commander';

/** The values of `--allow-host` and `--allow-origin`. */
export interface OriginFlags {
  readonly allowHost?: string[];
  readonly allowOrigin?: string[];
}

/** Adds the options that say which Host and Origin headers are accepted. */
export function withOrigins(command: Command): Command {
  return command
    .option('--allow-host <name>', 'a Host header to accept; repeatable', collect)
    .option('--allow-origin <origin>', 'an Origin to accept; repeatable', collect);
}

function collect(value: string, sofar: string[] = []): string[] {
  return [...sofar, value];
}
