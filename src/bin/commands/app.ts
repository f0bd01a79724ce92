import { Command } from 'commander';
import type { App } from '../../app/app.ts';
import type { Credentials } from '../../core/credentials.ts';
import { suggest } from '../../schema/suggest.ts';
import { commandTree, findCommand } from '../../wires/cli/command-tree.ts';
import type { CommandTree } from '../../wires/cli/command-tree.ts';
import { CLI } from '../../wires/cli/decode.ts';
import { CommandCall } from './answer.ts';
import { presentedIn, seenByCaller } from './seen-by-caller.ts';
import { fromApp, fromAppModule } from './app-source.ts';
import { banner } from '../banner.ts';
import { requestedBodyIn } from '../../wires/cli/body.ts';
import { describeVariables } from '../options/environment.ts';
import { containerizeCommand } from './containerize.ts';
import { functionCommand, refuseUsage } from './function.ts';
import type { EarlierFlags } from './function.ts';
import { addCommands, describeGroup, linesIn } from './groups.ts';
import type { Process } from '../process.ts';
import { wantsHelp, configure, createProgram, runToEnd, withComplete } from '../program.ts';
import { tasksCommand } from './tasks.ts';
import { WIRES } from './wires.ts';
import { workerCommand } from './worker.ts';

/** Runs an app as a command of its own: `calculator add --x 1 --y 2`, `calculator --help`. */
export async function runCommand(proc: Process, app: App, name: string, args: readonly string[]): Promise<void> {
  const [word, ...rest] = args;
  if (word === 'call') return callFunction(proc, app, `${name} call`, rest);
  if (word === 'complete' && !wantsHelp(rest)) {
    return (await import('../completion/complete.ts')).complete(proc, await wholeProgram(proc, app, name), rest);
  }
  const builtIn = builtInOf(app);
  const isFunction = word !== undefined && !word.startsWith('-') && !builtIn.has(word);
  if (isFunction) return callFunction(proc, app, name, [word, ...rest], { builtIn });
  const program = withComplete(proc, await wholeProgram(proc, app, name));
  return runToEnd(proc, program, word === undefined ? ['--help'] : [word, ...rest]);
}

/** `tasks` is a likely name of a group, so only apps whose calls may become tasks have the commands for them. */
function builtInOf(app: App): ReadonlySet<string> {
  return new Set([
    ...WIRES.keys(),
    ...(app.tasks.isUsed ? ['tasks', 'worker'] : []),
    'containerize',
    'call',
    'complete',
  ]);
}

interface CallSetup {
  readonly earlier?: EarlierFlags;
  /** Commands that take precedence over functions and groups. */
  readonly builtIn?: ReadonlySet<string>;
  /** Why a function of the module is not in the app; undefined if there is no such function. */
  readonly whyMissing?: (words: readonly string[]) => Promise<string | undefined>;
}

/** Runs `<program> <function> [flags]`, or `<program> <group> <function> [flags]`. Only the called function becomes a command. */
export async function callFunction(
  proc: Process,
  whole: App,
  name: string,
  args: readonly string[],
  { earlier, builtIn, whyMissing }: CallSetup = {},
): Promise<void> {
  const credentials = whole.access && presentedIn(proc, args, earlier);
  const app = await seenByCaller(proc, whole, credentials);
  const [word] = args;
  if (word === undefined || word.startsWith('-')) return showGroup(proc, app, name, commandTree(app), word);
  const { fn, group, rest } = findCommand(app, args) ?? { rest: args };
  if (!fn) {
    const path = [name, ...(group?.words ?? [])].join(' ');
    const [next, ...flags] = rest;
    const tree = group ?? commandTree(app);
    const isName = next !== undefined && !next.startsWith('-');
    if (!isName) return showGroup(proc, app, path, tree, next);
    const why = await whyMissing?.(args);
    return refuseName(proc, app, path, [next, ...flags], tree, { credentials, why });
  }
  const words = builtIn?.has(fn.words[0]!) ? [fn.command] : fn.words;
  const path = [name, ...words].join(' ');
  const command = configure(proc, functionCommand(proc, app, fn, earlier)).name(words.at(-1)!);
  if (group) command.addHelpText('after', `\n${path} is also a group:\n${linesIn(group).join('\n')}`);
  const program = createProgram(proc, name).addHelpText('beforeAll', `${banner(app)}\n`);
  let parent = program;
  for (const outer of words.slice(0, -1)) parent = parent.command(outer);
  parent.addCommand(command);
  return runToEnd(proc, program, [...words, ...rest], (error) => refuseUsage(proc, app, fn, error, rest, path));
}

/** Lists the functions of the app, or of a group, unless the option that was typed instead of a function is not --help. */
async function showGroup(
  proc: Process,
  app: App,
  path: string,
  tree: CommandTree,
  option: string | undefined,
): Promise<void> {
  if (option === undefined || wantsHelp([option])) return runToEnd(proc, listing(proc, app, path, tree), ['--help']);
  proc.printError(`expected a function, got ${option}; options come after its name\nSee ${path} --help`);
  return proc.end(2);
}

/** A name that is not in the app, or not in the group, with the one that was probably meant. */
async function refuseName(
  proc: Process,
  app: App,
  path: string,
  [word = '', ...flags]: readonly string[],
  { words, inner }: CommandTree,
  { credentials, why }: { readonly credentials: Credentials | undefined; readonly why: string | undefined },
): Promise<void> {
  const near = suggest(word, [
    ...inner.keys(),
    ...(words.length === 0 ? app.functions.map(({ command }) => command) : []),
  ]);
  const hint = near ? `\nDid you mean ${[...words, near].join(' ')}?` : `\nSee ${path} --help for a list of functions.`;
  const { profile, ...reply } = requestedBodyIn(app, flags);
  const name = [...words, word].join('.');
  const answered = await app.respond({ name, caller: CLI, credentials }, profile);
  const told = why === undefined ? { hint } : { reason: `${name} is not served`, hint: `\n${why}` };
  new CommandCall(proc, app).answer(answered, { ...reply, ...told });
}

function listing(proc: Process, app: App, path: string, tree: CommandTree): Command {
  const program = createProgram(proc, path)
    .usage('<function> [flags]')
    .addHelpText('beforeAll', `${banner(app)}\n`);
  const description = tree.words.length > 0 ? describeGroup(app, tree) : app.description;
  if (description) program.description(description);
  addCommands(proc, program, app, tree, (fn, name) => new Command(name).summary(fn.description).usage('[flags]'));
  const first = app.functions.find(({ words }) => tree.words.every((word, i) => word === words[i]));
  const example = first?.words.slice(tree.words.length).join(' ') || '<function>';
  const variables = describeVariables(app);
  return program.addHelpText(
    'after',
    `${variables && `\n${variables}\n`}\nFor one function: ${path} ${example} --help`,
  );
}

/** The program with all commands, for help and completion; of functions, those that the caller may see. */
async function wholeProgram(proc: Process, whole: App, name: string): Promise<Command> {
  const app = await seenByCaller(proc, whole);
  const program = createProgram(proc, name).addHelpText('beforeAll', `${banner(app)}\n`);
  if (app.description) program.description(app.description);
  const variables = describeVariables(app);
  if (variables) program.addHelpText('after', `\n${variables}`);
  program.version(`${app.name} v${app.version}`, '-V, --version', 'show the version');
  // A function that shares its name with a command of ours is reached with `call`.
  addCommands(
    proc,
    program,
    app,
    commandTree(app),
    (fn, word) => configure(proc, functionCommand(proc, app, fn)).name(word),
    builtInOf(app),
  );
  program.commandsGroup('Wires:');
  for (const wire of WIRES.values()) program.addCommand(configure(proc, wire(proc, fromApp(app))));
  if (app.tasks.isUsed) {
    program.commandsGroup('Tasks:');
    // All functions: also a task of a function that the caller does not see any more has a result.
    for (const create of [tasksCommand, workerCommand])
      program.addCommand(configure(proc, create(proc, fromApp(whole))));
  }
  program.commandsGroup('More:');
  program.addCommand(configure(proc, containerizeCommand(proc, fromAppModule(app))));
  program
    .command('call')
    .description('call a function by any of its names')
    .argument('<function>')
    .argument('[flags...]');
  return program;
}
