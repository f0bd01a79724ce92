import type { Command } from 'commander';
import { isStoreTyped } from '../options/store.ts';

/**
 * The command to type next for a task: `everywire tasks wait app.ts <id>`, or `calculator tasks wait <id>` for an app that is a
 * command.
 */
function tasksCommandLine(command: Command, action: string, taskId: string): string {
  const program = rootOf(command).name();
  const [, called] = /^everywire call (.+)$/.exec(program) ?? [];
  const module = program === 'everywire' ? command.args[0] : called;
  const start = module === undefined ? program.replace(/ call$/, '') : 'everywire';
  const words = [start, 'tasks', action, ...(module === undefined ? [] : [module]), taskId];
  // The address may contain a password.
  return [...words, ...(isStoreTyped(command) ? ['--store …'] : [])].join(' ');
}

/** What to type next, for the user. */
export class NextSteps {
  /** To be printed after the error message. */
  hint = '';

  constructor(private readonly command: Command) {}

  /** Printed at once, on stderr. */
  say(what: string, action: string, taskId: string): void {
    process.stderr.write(`${what}: ${tasksCommandLine(this.command, action, taskId)}\n`);
  }

  /** Printed at the end, if the command fails. */
  suggest(what: string, action: string, taskId: string): void {
    this.hint = `\n${what}: ${tasksCommandLine(this.command, action, taskId)}`;
  }
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);
