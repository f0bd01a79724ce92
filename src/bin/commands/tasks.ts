import { Command } from 'commander';
import { suggest } from '../../schema/suggest.ts';
import { withBody } from '../options/body.ts';
import { withCancelOnExit } from '../options/detach.ts';
import { withEnvironment } from '../options/environment.ts';
import { withStore } from '../options/store.ts';
import { withToken } from '../options/token-file.ts';
import { wholeNumber } from '../options/whole-number.ts';
import type { Process } from '../process.ts';
import { configure } from '../program.ts';
import type { AppSource } from './app-source.ts';
import { pathOf } from './path-of.ts';
import type { TaskAction } from './run-tasks.ts';

/** `tasks get|wait|result|…`: what became of calls that are tasks. */
export function tasksCommand(proc: Process, source: AppSource): Command {
  const tasks = new Command('tasks')
    .description('list, read, answer and cancel tasks')
    .usage('<command> [options]')
    .argument('[command]');
  const add = (name: TaskAction, description: string, hasId = true): Command => {
    const command = source.declare(configure(proc, new Command(name)).description(description));
    if (hasId) command.argument('<id>', 'the id of the task');
    command.action(async (...args: unknown[]) => {
      const { runTaskCommand } = await import('./run-tasks.ts');
      await runTaskCommand(proc, name, command, () => source.load(args as string[]));
    });
    tasks.addCommand(command);
    return command;
  };
  withLimit(add('list', 'list your tasks, the newest first', false));
  add('get', 'print a task: its status, its progress, and what it waits for');
  withCancelOnExit(withOut(add('wait', 'wait for a task, then print its result, as call does')));
  withOut(add('result', 'print the result of a task that has ended, as call does'));
  const answer = add('answer', 'answer what a task waits for; on a terminal, you are asked');
  answer.option('--input <json|@file|->', 'the answers by key, as JSON, @file, or - for stdin').addHelpText(
    'after',
    () => `
What a task waits for is in the inputRequests that get prints, by key.

Example:
  $ ${pathOf(answer)} ${answer.usage().replace('[options] ', '')} --input '{"question1": {"action": "accept", "content": {"sure": true}}}'`,
  );
  add('cancel', 'cancel a task');
  add('stats', 'count the tasks of the app: by status, waiting, active, dead', false);
  withLimit(add('dead', 'print the tasks that were given up, with their history', false));
  for (const command of tasks.commands) withEnvironment(proc, withStore(withToken(proc, withBody(command))));
  return tasks.allowExcessArguments().action((word: string | undefined) => {
    if (word === undefined) return tasks.help();
    const near = suggest(
      word,
      tasks.commands.map((command) => command.name()),
    );
    return tasks.error(`error: unknown command 'tasks ${word}'${near ? `\n(Did you mean tasks ${near}?)` : ''}`);
  });
}

const withLimit = (command: Command) =>
  command.option('--limit <number>', 'how many, at most 1000', wholeNumber(1), 100);

const withOut = (command: Command) => command.option('--out <file>', 'write the result to a file; - for stdout');
