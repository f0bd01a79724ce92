import { Command, CommanderError } from 'commander';
import { complainToPeople } from './for-people.ts';
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
  await complainToPeople(async () => {
    try {
      await program.parseAsync(args, { from: 'user' });
    } catch (error) {
      if (!(error instanceof CommanderError)) throw error;
      if (error.exitCode !== 0) onUsageError(error);
      else process.exitCode = 0;
    }
  });
}

function refuse({ message }: CommanderError, program: Command, [word]: readonly string[]): void {
  const meant = program.commands.some((command) => command.name() === word)
    ? `${program.name()} ${word}`
    : program.name();
  complain(`${message.replace(/^error: /, '')}\nSee ${meant} --help`);
  process.exitCode = 2;
}
