import { Command, CommanderError, Help } from 'commander';
import type { Option } from 'commander';
import { isSettable, variableOf } from './options/option-names.ts';
import { applySettings } from './options/settings.ts';
import type { Process } from './process.ts';
import { reportErrors } from './report-error.ts';

/** A command that reports its errors to us instead of printing them and exiting. */
export function createProgram(proc: Process, name: string): Command {
  return configure(proc, new Command(name))
    .helpCommand(false)
    .hook('preAction', (_program, command) => applySettings(proc, command));
}

export function configure(proc: Process, command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => proc.claimStdoutSync().write(text),
      outputError: () => {},
      getOutHelpWidth: () => widthOf(proc, 80),
      getOutHasColors: () => false,
    })
    .showSuggestionAfterError()
    .configureHelp({ optionDescription: (option) => describeOption(command, option) })
    .helpOption('-h, --help', 'show this help');
}

/** With the environment variable that sets it. */
function describeOption(command: Command, option: Option): string {
  const shown = isSettable(option)
    ? (Object.create(option, { envVar: { value: variableOf(command, option) } }) as Option)
    : option;
  return new Help().optionDescription(shown);
}

/** The width of a table, also in a pipe. */
export const tableWidth = (proc: Process): number => widthOf(proc, 120);

/** The width of the terminal, or a fixed one elsewhere. */
function widthOf(proc: Process, elsewhere: number): number {
  return (proc.isInteractive() ? proc.stdout.columns : undefined) ?? elsewhere;
}

export function wantsHelp([word]: readonly string[]): boolean {
  return word === '-h' || word === '--help';
}

/** Adds the completion command, for help only; complete.ts runs it. */
export function withComplete(proc: Process, program: Command): Command {
  const complete = new Command('complete')
    .description('print a completion script for bash, zsh or fish')
    .argument('<shell>');
  return program.addCommand(configure(proc, complete));
}

/**
 * Runs a program. Mistakes of the user become one sentence and an exit code. The code is returned if there is nothing left to
 * do: help was printed, or something is wrong. A command that ran ends itself, if at all.
 */
export function runProgram(
  proc: Process,
  program: Command,
  args: readonly string[],
  onUsageError: (error: CommanderError) => number | void = (error) => reportUsageError(proc, error, program, args),
): Promise<number | void> {
  return reportErrors(proc, async () => {
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      return error.exitCode === 0 ? 0 : onUsageError(error);
    }
  });
}

/** Runs a program, and ends the command if an exit code is returned. */
export async function runToEnd(...run: Parameters<typeof runProgram>): Promise<void> {
  const code = await runProgram(...run);
  if (code !== undefined) run[0].end(code);
}

function reportUsageError(
  proc: Process,
  { message }: CommanderError,
  program: Command,
  [word]: readonly string[],
): number {
  const help = program.commands.some((command) => command.name() === word)
    ? `${program.name()} ${word}`
    : program.name();
  proc.printError(`${message.replace(/^error: /, '')}\nSee ${help} --help`);
  return 2;
}
