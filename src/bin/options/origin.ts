import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { mistakeInOrigin } from '../../app/origin-mistake.ts';
import type { OriginRules } from '../../wires/http/origin.ts';

/** The values of `--allow-host` and `--allow-origin`. */
export interface OriginFlags {
  readonly allowHost?: string[] | undefined;
  readonly allowOrigin?: string[] | undefined;
}

/** Adds the options that say which Host and Origin headers are accepted. */
export function withOrigins(command: Command): Command {
  return command
    .option('--allow-host <name>', 'a Host header to accept; repeatable', collect)
    .option(
      '--allow-origin <origin>',
      'an origin whose pages may call, or * for all; repeatable; replaces those of the app',
      collectOrigin,
    );
}

/** The origins replace those of the app, whose other rules stay. */
export function originRules({ allowHost, allowOrigin }: OriginFlags): OriginRules {
  return { hosts: allowHost, ...(allowOrigin && { cors: { origins: allowOrigin } }) };
}

function collectOrigin(origin: string, sofar?: string[]): string[] {
  const mistake = mistakeInOrigin(origin);
  if (mistake !== undefined) throw new InvalidArgumentError(mistake);
  return collect(origin, sofar);
}

function collect(value: string, sofar: string[] = []): string[] {
  return [...sofar, value];
}
