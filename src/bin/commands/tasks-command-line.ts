import type { Command } from 'commander';

/**
 * The command to type next for a task: `everywire tasks wait app.ts <id>`, or `calculator tasks wait <id>` for an app that is a
 * command.
 */
export function tasksCommandLine(command: Command, action: string, taskId: string): string {
  const program = rootOf(command).name();
  const [, called] = /^everywire call (.+)$/.exec(program) ?? [];
  const module = program === 'everywire' ? command.args[0] : called;
  const start = module === undefined ? program.replace(/ call$/, '') : 'everywire';
  const words = [start, 'tasks', action, ...(module === undefined ? [] : [module]), taskId];
  // The address may contain a password.
  const isTyped = command.getOptionValue('store') !== undefined && command.getOptionValueSource('store') !== 'config';
  return [...words, ...(isTyped ? ['--store …'] : [])].join(' ');
}

/** Tells the user on stderr what to type next. */
export function suggestFor(command: Command): (what: string, action: string, taskId: string) => void {
  return (what, action, taskId) => void process.stderr.write(`${what}: ${tasksCommandLine(command, action, taskId)}\n`);
}

const rootOf = (command: Command): Command => (command.parent ? rootOf(command.parent) : command);
