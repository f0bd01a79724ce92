import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { Variables } from '../core/context.ts';
import { createVariables, parseMount, parseVariable } from '../env/environment.ts';
import type { Mount } from '../env/environment.ts';

/** What `--env` and `--mount` gave. */
export interface EnvironmentOptions {
  readonly env?: ReadonlyMap<string, string>;
  readonly mount?: readonly Mount[];
}

/** The two options that every command has. */
export function withEnvironment(command: Command): Command {
  return command
    .option('--env <KEY=VALUE>', 'a variable the functions may read; repeatable', addVariable)
    .option('--mount <HOST:VIRTUAL[:ro]>', 'a folder the functions may use; repeatable', addMount);
}

/** The same options again as a person would type them, to hand them on to another command. */
export function spellEnvironment({ env = new Map(), mount = [] }: EnvironmentOptions): string[] {
  return [
    ...[...env].flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...mount.flatMap(({ host, virtual, readOnly }) => ['--mount', `${host}:${virtual}${readOnly ? ':ro' : ''}`]),
  ];
}

export function variablesOf({ env }: EnvironmentOptions): Variables | undefined {
  return env && createVariables(env);
}

function addVariable(text: string, sofar: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  return new Map([...sofar, parsed(parseVariable, text)]);
}

function addMount(text: string, sofar: readonly Mount[] = []): readonly Mount[] {
  return [...sofar, parsed(parseMount, text)];
}

function parsed<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
