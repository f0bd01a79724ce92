import { statSync } from 'node:fs';
import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { EnvironmentOptions } from '../../env/environment.ts';
import { parseMount } from '../../env/parse-options.ts';
import type { MountRequest } from '../../env/parse-options.ts';
import type { App } from '../../app/app.ts';
import { pathOf, stepsOf } from '../../env/virtual-path.ts';
import type { Process } from '../process.ts';
import { addEnvFile, addVariable } from './variables.ts';
import type { GivenVariables } from './variables.ts';

/** The values of `--env`, `--env-file` and `--mount`. */
export interface EnvironmentFlags {
  readonly env?: GivenVariables;
  readonly mount?: readonly (MountRequest & { readonly text: string })[];
}

/** Adds the options that every command has. What is typed is added to the values given here. */
export function withEnvironment(proc: Process, command: Command, { env, mount }: EnvironmentFlags = {}): Command {
  return command
    .option(
      '--env <NAME[=VALUE]>',
      "a variable the functions may read; without a value, that of this command's environment; repeatable",
      (text, sofar?: GivenVariables) => addVariable(proc, text, sofar),
    )
    .addOption(new EnvFileOption(proc))
    .option('--mount <HOST:VIRTUAL[:ro]>', 'a folder the functions may use; repeatable', mountParser(proc))
    .setOptionValue('env', env)
    .setOptionValue('mount', mount);
}

/** Adds to the value of `--env`, so that of both options the later one wins. */
class EnvFileOption extends Option {
  constructor(proc: Process) {
    super('--env-file <file>', 'variables from a file of NAME=VALUE lines; repeatable');
    this.argParser((file, sofar?: GivenVariables) => addEnvFile(proc, file, sofar));
  }

  override attributeName(): string {
    return 'env';
  }
}

/** The same options as arguments for another process, which may run in another folder. */
export function environmentArguments(
  proc: Process,
  { env, mount = [] }: EnvironmentFlags,
  toHostPath: (path: string) => string = (path) => path,
): string[] {
  const config = proc.state.config?.file;
  return [
    ...(config === undefined ? [] : ['--config', toHostPath(config)]),
    ...(env?.given ?? []).flatMap(([flag, text]) => [flag, flag === '--env-file' ? toHostPath(text) : text]),
    ...mount.flatMap(({ host, text }) => ['--mount', toHostPath(host) + text.slice(host.length)]),
  ];
}

/** Loads the code for host folders only if some are mounted. */
export async function environmentOf(proc: Process, { env, mount = [] }: EnvironmentFlags): Promise<EnvironmentOptions> {
  const variables = env?.values;
  if (mount.length === 0) return { env: variables };
  const [{ createFiles }, { hostFolder }] = await Promise.all([
    import('../../env/files.ts'),
    import('../../env/host-folder.ts'),
  ]);
  return {
    env: variables,
    files: createFiles(
      mount.map(({ host, virtual, ...rest }) => ({ ...rest, at: virtual, folder: hostFolder(proc.resolve(host)) })),
    ),
  };
}

/** The variables that an app declares, as lines for help; empty if it declares none. */
export function describeVariables({ variables: { declared } }: App): string {
  const rows = [...declared].map(([name, { description, optional, default: fallback }]) => [
    optional || fallback !== undefined ? `${name}?` : name,
    `${description}${fallback === undefined ? '' : ` (default: ${JSON.stringify(fallback)})`}`,
  ]);
  if (rows.length === 0) return '';
  const width = Math.max(...rows.map(([name]) => name!.length));
  const lines = rows.map(([name, text]) => `  ${name!.padEnd(width)}  ${text!.replaceAll(/\s+/g, ' ')}`);
  return ['Variables (--env):', ...lines].join('\n');
}

function mountParser(proc: Process) {
  return (text: string, sofar: EnvironmentFlags['mount'] = []): EnvironmentFlags['mount'] => {
    const request = parsed(parseMount, text);
    const place = pathOf(parsed((path) => stepsOf(path, []), request.virtual));
    const isTaken = sofar.some(({ virtual }) => pathOf(stepsOf(virtual, [])) === place);
    if (isTaken) throw new InvalidArgumentError(`${place} is already mounted`);
    const found = statSync(proc.resolve(request.host), { throwIfNoEntry: false });
    if (!found?.isDirectory())
      throw new InvalidArgumentError(`${found ? 'not a folder' : 'no such folder'}: ${request.host}`);
    return [...sofar, { ...request, text }];
  };
}

function parsed<T>(parse: (text: string) => T, text: string): T {
  try {
    return parse(text);
  } catch (error) {
    throw new InvalidArgumentError((error as Error).message);
  }
}
