import { Command, CommanderError } from 'commander';
import { claimStdout, isTerminal } from './stdout.ts';
import { complain } from './terminal.ts';

/** A command that reports its errors to us instead of printing them and exiting. */
export function createProgram(name: string): Command {
  return configure(new Command(name)).helpCommand(false);
}

export function configure(command: Command): Command {
  return command
    .exitOverride()
    .configureOutput({
      writeOut: (text) => claimStdout()(text),
      outputError: () => {},
      getOutHelpWidth: helpWidth,
      getOutHasColors: () => false,
    })
    .showSuggestionAfterError()
    .helpOption('-h, --help', 'show this help');
}

function helpWidth(): number {
  return isTerminal ? process.stdout.columns : 80;
}

export function asksHelp([word]: readonly string[]): boolean {
  return word === '-h' || word === '--help';
}

/** Shows the completion command in help; complete.ts answers it. */
export function withComplete(program: Command): Command {
  const complete = new Command('complete')
    .description('print a completion script for bash, zsh or fish')
    .argument('<shell>');
  return program.addCommand(configure(complete));
}

/** Runs a program to its end. Anything the person did wrong becomes one sentence and an exit code. */
export async function runProgram(
  program: Command,
  args: readonly string[],
  onUsageError: (error: CommanderError) => void = (error) => refuse(error, program, args),
): Promise<void> {
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (error instanceof CommanderError) {
      if (error.exitCode !== 0) onUsageError(error);
      else process.exitCode = 0;
    } else if (isForPeople(error)) {
      complain(error.message);
      process.exitCode = 1;
    } else throw error;
  }
}

function refuse({ message }: CommanderError, program: Command, [word]: readonly string[]): void {
  const meant = program.commands.some((command) => command.name() === word)
    ? `${program.name()} ${word}`
    : program.name();
  complain(`${message.replace(/^error: /, '')}\nSee ${meant} --help`);
  process.exitCode = 2;
}

/** By name: the app may have been made by another copy of the package, and nothing is loaded to look at it. */
function isForPeople(error: unknown): error is Error {
  return error instanceof Error && FOR_PEOPLE.has(error.name);
}

const FOR_PEOPLE = new Set(['AppError', 'ModuleError', 'ProjectError']);
