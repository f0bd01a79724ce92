import type { Command } from 'commander';
import { isStoreTyped } from '../options/store.ts';
import type { Process } from '../process.ts';

/** What to type next about a task, for the user. */
export class NextSteps {
  /** To be printed after the error message. */
  hint = '';

  constructor(
    private readonly proc: Process,
    private readonly command: Command,
  ) {}

  /** Printed at once, on stderr. */
  say(what: string, action: string, taskId: string): void {
    this.#print(what, commandLine(this.command, ['tasks', action], [taskId]));
  }

  /** Printed at the end, if the command fails. */
  suggest(what: string, action: string, taskId: string): void {
    this.hint = `\n${what}: ${commandLine(this.command, ['tasks', action], [taskId])}`;
  }

  suggestWorker(): void {
    this.#print('No worker has taken the task yet. To start one', commandLine(this.command, ['worker'], []));
  }

  #print(what: string, line: string): void {
    this.proc.stderr.write(`${what}: ${line}\n`);
  }
}

/** `everywire tasks wait app.ts <id>`, or `calculator tasks wait <id>` for an app that is a command. */
function commandLine(command: Command, words: readonly string[], args: readonly string[]): string {
  const program = rootOf(command).name();
  const [, called] = /^everywire call (.+)$/.exec(program) ?? [];
  const module = program === 'everywire' ? command.args[0] : called;
  const start = module === undefined ? program.replace(/ call$/, '') : 'everywire';
  // The address may contain a password.
  const store = isStoreTyped(command) ? ['--store …'] : [];
  return [start, ...words, ...(module === undefined ? [] : [module]), ...args, ...store].join(' ');
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);
