import { readFileSync } from 'node:fs';
import util from 'node:util';
import { InvalidArgumentError } from 'commander';
import type { Process } from '../process.ts';

/** The variables of `--env` and `--env-file`. */
export interface GivenVariables {
  readonly values: Readonly<Record<string, string>>;
  /** As they were typed, for other processes: a secret must not be among the arguments that `ps` shows. */
  readonly given: readonly (readonly [flag: '--env' | '--env-file', text: string])[];
}

const NONE: GivenVariables = { values: {}, given: [] };

/** `NAME=VALUE`, where the value may contain `=`, or `NAME` for a variable of this command's own environment. */
export function addVariable(
  { env }: Pick<Process, 'env'>,
  text: string,
  { values, given }: GivenVariables = NONE,
): GivenVariables {
  const [, name = '', assigned] = /^([^=]*)(?:=(.*))?$/s.exec(text) ?? [];
  if (name === '') throw new InvalidArgumentError(`expected NAME or NAME=VALUE, got ${JSON.stringify(text)}`);
  const value = assigned ?? env[name];
  if (value === undefined)
    throw new InvalidArgumentError(`${name} is not set in the environment; set it, or use ${name}=<value>`);
  // A computed key, so that a variable called __proto__ is not a prototype.
  return { values: { ...values, [name]: value }, given: [...given, ['--env', text]] };
}

/** A file of `NAME=VALUE` lines, with comments and quotes. */
export function addEnvFile(proc: Process, file: string, { values, given }: GivenVariables = NONE): GivenVariables {
  return {
    values: { ...values, ...(util.parseEnv(read(proc, file)) as Record<string, string>) },
    given: [...given, ['--env-file', file]],
  };
}

function read(proc: Process, file: string): string {
  try {
    return readFileSync(proc.resolve(file), 'utf8');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new InvalidArgumentError(code === 'ENOENT' ? `no such file: ${file}` : `${file} cannot be read (${code})`);
  }
}

/** Later variables win. */
export function mergeVariables(...all: readonly (GivenVariables | undefined)[]): GivenVariables | undefined {
  const present = all.filter((one) => one !== undefined);
  if (present.length === 0) return undefined;
  return {
    values: Object.fromEntries(present.flatMap(({ values }) => Object.entries(values))),
    given: present.flatMap(({ given }) => given),
  };
}
