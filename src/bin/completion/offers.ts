import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { Command } from 'commander';
import type { Argument, Option } from 'commander';
import type { App } from '../../app/app.ts';
import { toKebabCase } from '../../core/names.ts';
import { loadModules } from '../../load/load-app.ts';
import { commandTree } from '../../wires/cli/command-tree.ts';
import { functionCommand } from '../commands/function.ts';
import { addCommands } from '../commands/groups.ts';
import { seenByCaller } from '../commands/seen-by-caller.ts';
import { ParameterArgument, ParameterOption } from '../options/parameter-option.ts';
import type { Process } from '../process.ts';
import { SHELLS } from './scripts.ts';

/** What can follow the words typed so far. */
export interface Offers {
  readonly offers: readonly Offer[];
  /** Whether the shell should offer file names. */
  readonly files: boolean;
}

type Offer = readonly [value: string, description: string];

const NOTHING: Offers = { offers: [], files: false };
const FILES: Offers = { offers: [], files: true };

/** The last word is the one being typed; it may be empty. */
export async function offersFor(proc: Process, program: Command, words: readonly string[]): Promise<Offers> {
  const [first = '', ...rest] = words;
  const named = (name: string) =>
    first === name && rest.length > 0 && program.commands.find((one) => one.name() === name);
  const schema = named('schema');
  if (schema) return offersOfSchema(proc, schema, rest);
  const call = named('call');
  if (!call) return offersAmong(program.commands, words, optionsOf(program));
  // After `call` come functions: those of this app, or those of the module that is named first.
  if (call.registeredArguments[0]?.name() !== 'module') return offersAmong(functionsOf(program), rest);
  const at = firstArgument(rest, optionsOf(call));
  const inner = rest.slice(at + 1);
  return inner.length > 0 ? offersAmong(await functionsIn(proc, rest[at]!), inner) : offersIn(call, rest);
}

/** After `schema` come a module and one of its functions. */
async function offersOfSchema(proc: Process, schema: Command, words: readonly string[]): Promise<Offers> {
  const at = firstArgument(words, optionsOf(schema));
  const [typed, ...more] = words.slice(at + 1);
  if (typed === undefined || typed.startsWith('-') || more.length > 0) return offersIn(schema, words);
  const functions = (await appIn(proc, words[at]!))?.functions ?? [];
  return offering(
    functions.map(({ name, description }) => [name, description]),
    typed,
  );
}

/** The name of a command, or what follows it. */
function offersAmong(
  commands: readonly Command[],
  [first = '', ...rest]: readonly string[],
  options: readonly Option[] = [],
): Offers {
  if (rest.length === 0 && first.startsWith('-')) return offering(flagsIn(options), first);
  if (rest.length === 0)
    return offering(
      commands.map((command) => [command.name(), command.description()]),
      first,
    );
  const command = commandNamed(commands, toKebabCase(first));
  if (!command) return NOTHING;
  if (command.commands.length === 0) return offersIn(command, rest);
  // A group. Its name may be that of a function, too.
  const isInside = rest.length === 1 || commandNamed(command.commands, toKebabCase(rest[0]!)) !== undefined;
  return isInside ? offersAmong(command.commands, rest, optionsOf(command)) : offersIn(command, rest);
}

/** By its name, or by the names on the way to it as one word: `orders-list`. */
function commandNamed(commands: readonly Command[], name: string): Command | undefined {
  for (const command of commands) {
    if (command.name() === name) return command;
    const prefix = `${command.name()}-`;
    const inner = name.startsWith(prefix) && commandNamed(command.commands, name.slice(prefix.length));
    if (inner) return inner;
  }
  return undefined;
}

function offersIn(command: Command, words: readonly string[]): Offers {
  const options = optionsOf(command);
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const previous = optionNamed(before.at(-1), options);
  if (previous) return valuesOf(previous, typed);
  const [, flag, value = ''] = /^(--[^=]+)=(.*)$/s.exec(typed) ?? [];
  const option = optionNamed(flag, options);
  if (option) return valuesOf(option, value, `${flag}=`);
  if (typed.startsWith('-')) return offering(flagsIn(options), typed);
  const argument = argumentAt(command, argumentsIn(before, options));
  // If no more arguments are taken, only flags can follow.
  return argument ? valuesOfArgument(argument, typed) : offering(flagsIn(options), typed);
}

/** The last argument may take all that follow. */
function argumentAt({ registeredArguments: all }: Command, index: number): Argument | undefined {
  return all[index] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
}

/** The option with this name, if it takes a value. */
function optionNamed(name: string | undefined, options: readonly Option[]): Option | undefined {
  return options.find(
    ({ long, short, required }) => name !== undefined && (long === name || short === name) && required,
  );
}

/** How many of the words are arguments: neither options nor their values. */
function argumentsIn(words: readonly string[], options: readonly Option[]): number {
  return words.filter((word, i) => !word.startsWith('-') && !optionNamed(words[i - 1], options)).length;
}

/** The index of the first word that is neither an option nor its value. */
function firstArgument(words: readonly string[], options: readonly Option[]): number {
  let at = 0;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) at += optionNamed(word, options) ? 2 : 1;
  return at;
}

function valuesOf(option: Option, typed: string, prefix = ''): Offers {
  if (/<(?:(?:version\|)?file|HOST:.*)>/.test(option.flags)) return FILES;
  const values = option instanceof ParameterOption ? option.values : (option.argChoices ?? []);
  return offering(
    values.map((value) => [prefix + value, '']),
    prefix + typed,
  );
}

function valuesOfArgument(argument: Argument, typed: string): Offers {
  if (['module', 'target', 'folder'].includes(argument.name())) return FILES;
  if (argument instanceof ParameterArgument)
    return offering(
      argument.values.map((value) => [value, '']),
      typed,
    );
  if (argument.name() !== 'shell') return NOTHING;
  return offering(
    SHELLS.map((shell) => [shell, '']),
    typed,
  );
}

function flagsIn(options: readonly Option[]): Offer[] {
  return options.map(({ long, description }) => [long!, description]);
}

/** Offers are printed one per line, so a value of several lines cannot be offered. */
function offering(offers: readonly Offer[], typed: string): Offers {
  const fitting = offers.filter(([value]) => value.startsWith(typed) && !/[\t\n\r\p{Cc}]/u.test(value));
  return { offers: fitting, files: false };
}

function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

function functionsOf(program: Command): readonly Command[] {
  return program.commands.filter((command) => ['Functions:', 'Groups:'].includes(command.helpGroup()));
}

async function functionsIn(proc: Process, module: string): Promise<readonly Command[]> {
  const app = await appIn(proc, module);
  const listed = new Command();
  if (app) addCommands(proc, listed, app, commandTree(app), (fn, name) => functionCommand(proc, app, fn).name(name));
  return listed.commands;
}

/** A module that cannot be loaded completes nothing. */
async function appIn(proc: Process, module: string): Promise<App | undefined> {
  try {
    const shown = existsSync(proc.resolve(module)) ? module : unquoted(module);
    return await seenByCaller(proc, await loadModules([{ path: proc.resolve(shown), shown }]));
  } catch {
    return undefined;
  }
}

/** bash and fish pass words on as they were typed. */
function unquoted(word: string): string {
  return word.replace(/^~(?=\/)/, homedir()).replaceAll(/['"\\]/g, '');
}
