import { statSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import type { EnvironmentOptions } from '../../env/environment.ts';
import { parseMount, parseVariable } from '../../env/parse-options.ts';
import type { MountRequest } from '../../env/parse-options.ts';
import { pathOf, stepsOf } from '../../env/virtual-path.ts';

/** The values of `--env` and `--mount`. */
export interface EnvironmentFlags {
  readonly env?: Readonly<Record<string, string>>;
  readonly mount?: readonly (MountRequest & { readonly text: string })[];
}

/** Adds the two options that every command has. What is typed is added to the values given here. */
export function withEnvironment(command: Command, { env, mount }: EnvironmentFlags = {}): Command {
  return command
    .option('--env <KEY=VALUE>', 'a variable the functions may read; repeatable', addVariable)
    .option('--mount <HOST:VIRTUAL[:ro]>', 'a folder the functions may use; repeatable', addMount)
    .setOptionValue('env', env)
    .setOptionValue('mount', mount);
}

/** The same options as arguments for another process, which may run in another folder. */
export function environmentArguments(
  { env = {}, mount = [] }: EnvironmentFlags,
  toHostPath: (path: string) => string = (path) => path,
): string[] {
  return [
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...mount.flatMap(({ host, text }) => ['--mount', toHostPath(host) + text.slice(host.length)]),
  ];
}

/** Loads the code for host folders only if some are mounted. */
export async function environmentOf({ env, mount = [] }: EnvironmentFlags): Promise<EnvironmentOptions> {
  if (mount.length === 0) return { env };
  const [{ createFiles }, { hostFolder }] = await Promise.all([
    import('../../env/files.ts'),
    import('../../env/host-folder.ts'),
  ]);
  return {
    env,
    files: createFiles(mount.map(({ host, virtual, ...rest }) => ({ ...rest, at: virtual, folder: hostFolder(host) }))),
  };
}

function addVariable(text: string, sofar: EnvironmentFlags['env'] = {}): EnvironmentFlags['env'] {
  const [name, value] = parsed(parseVariable, text);
  // A computed key, so that a variable called __proto__ is not a prototype.
  return { ...sofar, [name]: value };
}

function addMount(text: string, sofar: EnvironmentFlags['mount'] = []): EnvironmentFlags['mount'] {
  const request = parsed(parseMount, text);
  const place = pathOf(parsed((path) => stepsOf(path, []), request.virtual));
  const isTaken = sofar.some(({ virtual }) => pathOf(stepsOf(virtual, [])) === place);
  if (isTaken) throw new InvalidArgumentError(`${place} is already mounted`);
  const found = statSync(request.host, { throwIfNoEntry: false });
  if (!found?.isDirectory())
    throw new InvalidArgumentError(`${found ? 'not a folder' : 'no such folder'}: ${request.host}`);
  return [...sofar, { ...request, text }];
}

function parsed<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
