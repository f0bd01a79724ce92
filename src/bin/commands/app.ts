import { Command } from 'commander';
import type { App } from '../../app/app.ts';
import type { RegisteredFunction } from '../../core/registered-function.ts';
import { suggest } from '../../schema/suggest.ts';
import { answer } from './answer.ts';
import { fromApp, fromAppModule } from './app-source.ts';
import { banner } from '../banner.ts';
import { requestedBodyIn } from '../../wires/cli/body.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { containerizeCommand } from './containerize.ts';
import { functionCommand, refuseUsage } from './function.ts';
import { endProcess } from '../end-process.ts';
import { wantsHelp, configure, createProgram, runToEnd, withComplete } from '../program.ts';
import { printError } from '../../stdout/stderr.ts';
import { WIRES } from './wires.ts';

/** Runs an app as a command of its own: `calculator add --x 1 --y 2`, `calculator --help`. */
export async function runCommand(app: App, name: string, args: readonly string[]): Promise<void> {
  const [word, ...rest] = args;
  if (word === 'call') return callFunction(app, `${name} call`, rest);
  if (word === 'complete' && !wantsHelp(rest)) {
    return (await import('../completion/complete.ts')).complete(wholeProgram(app, name), rest);
  }
  const isFunction = word !== undefined && !word.startsWith('-') && !BUILT_IN.has(word);
  if (isFunction) return callFunction(app, name, [word, ...rest]);
  return runToEnd(withComplete(wholeProgram(app, name)), word === undefined ? ['--help'] : [word, ...rest]);
}

const BUILT_IN = new Set([...WIRES.keys(), 'containerize', 'call', 'complete']);

/** Runs `<program> <function> [flags]`. Only the called function becomes a command. */
export async function callFunction(
  app: App,
  name: string,
  args: readonly string[],
  environment?: EnvironmentFlags,
): Promise<void> {
  const [word, ...flags] = args;
  if (word === undefined || wantsHelp([word])) return runToEnd(listing(app, name), ['--help']);
  if (word.startsWith('-')) {
    printError(`expected a function, got ${word}; options come after its name\nSee ${name} --help`);
    return endProcess(2);
  }
  const fn = findFunction(app, word);
  if (!fn) {
    const near = suggest(
      word,
      app.functions.map(({ command }) => command),
    );
    const hint = near ? `\nDid you mean ${near}?` : `\nSee ${name} --help for a list of functions.`;
    const { profile, isExact } = requestedBodyIn(app, flags);
    return answer(await app.respond({ name: word, caller: { wire: 'cli' } }, profile), { isExact, hint });
  }
  const program = createProgram(name).addHelpText('beforeAll', `${banner(app)}\n`);
  program.addCommand(configure(functionCommand(app, fn, environment)));
  return runToEnd(program, [fn.command, ...flags], (error) => refuseUsage(app, fn, error, flags, name));
}

/** By any of its names; the case does not matter for the command name. */
function findFunction(app: App, word: string): RegisteredFunction | undefined {
  return app.find(word) ?? app.functions.find(({ command }) => command === word.toLowerCase());
}

function listing(app: App, name: string): Command {
  const program = createProgram(name)
    .usage('<function> [flags]')
    .addHelpText('beforeAll', `${banner(app)}\n`);
  if (app.description) program.description(app.description);
  program.commandsGroup('Functions:');
  for (const { command, description } of app.functions)
    program.addCommand(new Command(command).summary(description).usage('[flags]'));
  return program.addHelpText(
    'after',
    `\nFor one function: ${name} ${app.functions[0]?.command ?? '<function>'} --help`,
  );
}

/** The program with all commands, for help and completion. */
export function wholeProgram(app: App, name: string): Command {
  const program = createProgram(name).addHelpText('beforeAll', `${banner(app)}\n`);
  if (app.description) program.description(app.description);
  program.version(`${app.name} v${app.version}`, '-V, --version', 'show the version');
  program.commandsGroup('Functions:');
  // A function that shares its name with a command of ours is reached with `call`.
  const direct = app.functions.filter(({ command }) => !BUILT_IN.has(command));
  for (const fn of direct) program.addCommand(configure(functionCommand(app, fn)));
  program.commandsGroup('Wires:');
  for (const wire of WIRES.values()) program.addCommand(configure(wire(fromApp(app))));
  program.commandsGroup('More:');
  program.addCommand(configure(containerizeCommand(fromAppModule(app))));
  program
    .command('call')
    .description('call a function by any of its names')
    .argument('<function>')
    .argument('[flags...]');
  return program;
}
