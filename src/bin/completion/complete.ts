import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { RootCommand, ShellCompDirective } from '@bomb.sh/tab';
import type { Command as TabCommand, Complete } from '@bomb.sh/tab';
import type { Command, Option } from 'commander';
import { kebab } from '../../core/names.ts';
import { loadApp } from '../../load/load-app.ts';
import { SHELLS, linesOf, scriptFor } from './script.ts';
import { functionCommand } from '../commands/function.ts';
import { withComplete } from '../program.ts';
import { endProcess } from '../end-process.ts';
import { claimStdout } from '../../stdout/claim.ts';
import { printError } from '../../stdout/stderr.ts';

/** `complete bash` prints the script; `complete -- <words>` is how that script asks what may come next. */
export async function complete(program: Command, args: readonly string[]): Promise<void> {
  const [shell = '', ...words] = args;
  if (shell !== '--' && !SHELLS.includes(shell)) {
    printError(`expected one of ${SHELLS.join(', ')}; for example: source <(${program.name()} complete bash)`);
    return endProcess(2);
  }
  const { write } = await claimStdout('text');
  const text = shell === '--' ? await whatFollows(withComplete(program), words) : scriptFor(shell, program.name());
  // A module that was loaded may hold timers open, and the shell waits for this process to end.
  write(text, () => process.exit(0));
}

async function whatFollows(program: Command, words: readonly string[]): Promise<string> {
  const [first, ...rest] = words;
  const call = first === 'call' && rest.length > 0 && program.commands.find((command) => command.name() === 'call');
  if (!call) return answer(program.commands, words, optionsOf(program));
  // After `call` come the functions: of this app, or of the module that is named first.
  if (call.registeredArguments[0]?.name() !== 'module') return answer(functionsOf(program), rest);
  const at = firstArgument(rest, optionsOf(call));
  const inner = rest.slice(at + 1);
  return inner.length > 0 ? answer(await functionsIn(rest[at]!), inner) : answer([call], words);
}

/** Where the flags that come first, and their values, are over. */
function firstArgument(words: readonly string[], options: readonly Option[]): number {
  const takesValue = (word: string) => options.some(({ long, required }) => long === word && required);
  let at = 0;
  for (let word = words[at]; word?.startsWith('-'); word = words[at]) at += takesValue(word) ? 2 : 1;
  return at;
}

function functionsOf(program: Command): readonly Command[] {
  return program.commands.filter((command) => command.helpGroup() === 'Functions:');
}

/** A module that does not load completes nothing. */
async function functionsIn(module: string): Promise<readonly Command[]> {
  try {
    const app = await loadApp(existsSync(module) ? module : unquoted(module));
    return app.functions.map((fn) => functionCommand(app, fn));
  } catch {
    return [];
  }
}

/** Shells hand words over as they were typed. */
function unquoted(word: string): string {
  return word.replace(/^~(?=\/)/, homedir()).replaceAll(/['"\\]/g, '');
}

/** Lines of `value<TAB>description`, then a directive: what the scripts read. */
function answer(commands: readonly Command[], words: readonly string[], options: readonly Option[] = []): string {
  const [first = '', ...rest] = words;
  const named = rest.length > 0 && commands.find((command) => command.name() === kebab(first));
  const root = new RootCommand();
  let directive: number = ShellCompDirective.ShellCompDirectiveNoFileComp;
  const files = () => void (directive = ShellCompDirective.ShellCompDirectiveDefault);
  // tab takes a flag for that of any command it knows, so it hears of one command where one is meant.
  if (!named) addOptions(root, options, files);
  for (const command of named ? [named] : commands) addCommand(root, command, files);
  const lines = linesOf(() => root.parse(named ? [named.name(), ...rest] : [...words]));
  // tab itself never lets the shell complete files.
  return [...lines.slice(0, -1), `:${directive}\n`].join('\n');
}

function addCommand(root: RootCommand, command: Command, files: () => void): void {
  const target = root.command(command.name(), oneLine(command.description()));
  const options = optionsOf(command);
  addOptions(target, options, files);
  for (const argument of command.registeredArguments) {
    const name = argument.name();
    target.argument(name, name === 'module' ? files : offering(name === 'shell' ? SHELLS : []));
  }
  // Where no more arguments are taken, flags are all that can come.
  const flags = (offer: Complete) => options.forEach(({ long, description }) => offer(long!, oneLine(description)));
  target.argument('flags', flags, true);
}

function addOptions(target: TabCommand, options: readonly Option[], files: () => void): void {
  for (const option of options) {
    const short = option.short?.slice(1);
    const values = option.long === '--mount' ? files : offering(valuesOf(option));
    target.option(option.long!.slice(2), oneLine(option.description), option.required ? values : short, short);
  }
}

function optionsOf(command: Command): readonly Option[] {
  return command.createHelp().visibleOptions(command);
}

const TYPES = new Set(['string', 'number', 'integer', 'boolean', 'null', 'object', 'array']);

/** The values that help shows for a flag, as in `--measure <mean|median|sum>`. */
function valuesOf({ argChoices, flags }: Option): readonly string[] {
  if (argChoices) return argChoices;
  const shown = /<(.+)>/s.exec(flags)?.[1]?.split('|') ?? [];
  return shown.length > 1 && !shown.every((value) => TYPES.has(value)) ? shown : [];
}

function offering(values: readonly string[]): (offer: Complete) => void {
  // A line is one value, so a value of several lines cannot be offered.
  return (offer) => values.filter((value) => oneLine(value) === value).forEach((value) => offer(value, ''));
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
