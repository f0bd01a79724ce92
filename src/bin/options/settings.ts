import type { EventEmitter } from 'node:events';
import { InvalidArgumentError } from 'commander';
import type { Command, Option } from 'commander';
import { isSettable, REPEATABLE, sectionOf, variableOf } from './option-names.ts';
import type { Process } from '../process.ts';
import { configuredFor } from './used-config.ts';
import { mergeVariables } from './variables.ts';
import type { GivenVariables } from './variables.ts';

const applied = new WeakSet<Command>();

/** Sets the options that were not typed: from environment variables, then from the configuration file. */
export async function applySettings(proc: Process, command: Command): Promise<void> {
  if (applied.has(command)) return;
  applied.add(command);
  const settable = command.options.filter(isSettable);
  if (settable.some(({ long }) => long === '--config')) {
    const { chooseConfig } = await import('./choose-config.ts');
    await chooseConfig(proc, command);
  }
  const typed = settable.filter((option) => isTyped(command, option));
  for (const option of settable) {
    const key = option.attributeName();
    const isOpen = !typed.some((other) => other.attributeName() === key || areOpposed(option, other));
    if (key !== 'config' && key !== 'env' && isOpen) apply(command, option, valuesFor(proc, command, option));
  }
  if (settable.some(({ long }) => long === '--env')) applyVariables(proc, command, settable);
}

function isTyped(command: Command, option: Option): boolean {
  const key = option.attributeName();
  return command.getOptionValue(key) !== undefined && command.getOptionValueSource(key) !== 'default';
}

/** Whether two options cannot be used together, such as `--json` and `--format`: then the typed one counts. */
function areOpposed(one: Option, other: Option): boolean {
  return opposedTo(one).includes(other.attributeName()) || opposedTo(other).includes(one.attributeName());
}

/** Not in the types of commander. */
const opposedTo = (option: Option) =>
  (option as unknown as { readonly conflictsWith: readonly string[] }).conflictsWith;

/** A value for an option, as text, and where it is from. */
interface Setting {
  readonly text: string | boolean;
  readonly from: string;
}

/** From the environment, or else from the configuration file. */
function valuesFor(proc: Process, command: Command, option: Option): readonly Setting[] {
  return fromEnvironment(proc, command, option) ?? fromConfig(proc, command, option) ?? [];
}

/** An empty variable counts as unset. A list is written as JSON. */
function fromEnvironment(proc: Process, command: Command, option: Option): readonly Setting[] | undefined {
  const name = variableOf(command, option);
  const value = proc.env[name];
  if (value === undefined || value === '') return undefined;
  const from = `env '${name}'`;
  if (option.required) return textsIn(option, value).map((text) => ({ text, from }));
  const isOn = SWITCH.get(value.toLowerCase());
  if (isOn === undefined) return command.error(`error: ${name} must be true or false, not '${value}'`);
  return [{ text: option.negate ? !isOn : isOn, from }];
}

const SWITCH = new Map([
  ['1', true],
  ['true', true],
  ['0', false],
  ['false', false],
]);

function textsIn({ long }: Option, value: string): readonly string[] {
  if (!REPEATABLE.has(long!) || !value.startsWith('[')) return [value];
  try {
    const list: unknown = JSON.parse(value);
    return Array.isArray(list) ? list.map(String) : [value];
  } catch {
    return [value]; // an address in brackets, for example
  }
}

/** What the file says about this command takes precedence over what it says about all. */
function fromConfig(proc: Process, command: Command, option: Option): readonly Setting[] | undefined {
  const key = configKey(option);
  const values = configuredFor(proc.state.config, sectionOf(command)).map((section) => section[key]);
  const value = values.findLast((one) => one !== undefined);
  return value === undefined ? undefined : toSettings(proc, value);
}

function toSettings({ state }: Process, value: unknown): readonly Setting[] {
  const from = state.config?.file ?? '';
  return [value].flat().map((one) => ({ text: typeof one === 'boolean' ? one : String(one), from }));
}

/** The key of an option in the file. */
export function configKey(option: Option): string {
  return option.long === '--env-file' ? 'envFile' : option.attributeName();
}

function apply(command: Command, option: Option, settings: readonly Setting[]): void {
  const key = option.attributeName();
  let value: unknown;
  for (const { text, from } of settings) {
    if (typeof text === 'boolean') {
      // Emitted, since some options do something when they are parsed.
      if (text !== option.negate) (command as unknown as EventEmitter).emit(`option:${option.name()}`);
      continue;
    }
    value = parse(command, option, text, value, from);
  }
  if (value !== undefined) command.setOptionValueWithSource(key, value, 'config');
}

function parse(command: Command, option: Option, text: string, previous: unknown, from: string): unknown {
  if (!option.parseArg) return text;
  try {
    return option.parseArg(text, previous);
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    return command.error(`error: option '${option.flags}' value '${text}' from ${from} is invalid. ${error.message}`);
  }
}

/** Variables are merged one by one: a typed one wins over one from the environment, and that over one from the file. */
function applyVariables(proc: Process, command: Command, options: readonly Option[]): void {
  const [inline, file] = ['--env', '--env-file'].map((name) => options.find(({ long }) => long === name)!) as [
    Option,
    Option,
  ];
  const add = (option: Option, settings: readonly Setting[], sofar: unknown): unknown =>
    settings.reduce((values, { text, from }) => parse(command, option, String(text), values, from), sofar);
  let configured: unknown;
  for (const { env = {}, envFile } of configuredFor(proc.state.config, sectionOf(command))) {
    if (envFile !== undefined) configured = add(file, toSettings(proc, envFile), configured);
    const pairs = Object.entries(env as Record<string, string>).map(([name, value]) => `${name}=${value}`);
    configured = add(inline, toSettings(proc, pairs), configured);
  }
  const environment = add(
    inline,
    fromEnvironment(proc, command, inline) ?? [],
    add(file, fromEnvironment(proc, command, file) ?? [], undefined),
  );
  // Another process reads the file itself: what it says must not be among the arguments.
  const unspoken = configured && { ...(configured as GivenVariables), given: [] };
  const typed = command.getOptionValue('env') as GivenVariables | undefined;
  const merged = mergeVariables(unspoken as GivenVariables | undefined, environment as GivenVariables, typed);
  if (merged) command.setOptionValueWithSource('env', merged, 'config');
}
