import { Command, CommanderError, Help } from 'commander';
import type { Option } from 'commander';
import { endProcess } from './end-process.ts';
import { isSettable, variableOf } from './options/option-names.ts';
import { applySettings } from './options/settings.ts';
import { reportErrors } from './report-error.ts';
import { claimStdoutSync, isInteractive } from '../stdout/claim.ts';
import { printError } from '../stdout/stderr.ts';

/** A command that reports its errors to us instead of printing them and exiting. */
export function createProgram(name: string): Command {
  return configure(new Command(name))
    .helpCommand(false)
    .hook('preAction', (_program, command) => applySettings(command));
}

export function configure(command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => claimStdoutSync().write(text),
      outputError: () => {},
      getOutHelpWidth: helpWidth,
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

function helpWidth(): number {
  return isInteractive() ? process.stdout.columns : 80;
}

export function wantsHelp([word]: readonly string[]): boolean {
  return word === '-h' || word === '--help';
}

/** Adds the completion command, for help only; complete.ts runs it. */
export function withComplete(program: Command): Command {
  const complete = new Command('complete')
    .description('print a completion script for bash, zsh or fish')
    .argument('<shell>');
  return program.addCommand(configure(complete));
}

/**
 * Runs a program. Mistakes of the user become one sentence and an exit code. The code is returned if there is nothing left to
 * do: help was printed, or something is wrong. A command that ran ends the process itself, if at all.
 */
export function runProgram(
  program: Command,
  args: readonly string[],
  onUsageError: (error: CommanderError) => number | void = (error) => reportUsageError(error, program, args),
): Promise<number | void> {
  return reportErrors(async () => {
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      return error.exitCode === 0 ? 0 : onUsageError(error);
    }
  });
}

/** Runs a program, and ends the process if an exit code is returned. */
export async function runToEnd(...run: Parameters<typeof runProgram>): Promise<void> {
  const code = await runProgram(...run);
  if (code !== undefined) endProcess(code);
}

function reportUsageError({ message }: CommanderError, program: Command, [word]: readonly string[]): number {
  const help = program.commands.some((command) => command.name() === word)
    ? `${program.name()} ${word}`
    : program.name();
  printError(`${message.replace(/^error: /, '')}\nSee ${help} --help`);
  return 2;
}
