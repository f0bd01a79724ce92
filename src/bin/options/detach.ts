import type { Command } from 'commander';
import { Option } from 'commander';
import type { TaskMode } from '../../core/task.ts';

/** The values of `--detach` and `--cancel-on-exit`. */
export interface DetachFlags {
  readonly detach?: boolean;
  readonly cancelOnExit?: boolean;
}

/** Adds the options of a function that may become a task. */
export function withDetach(command: Command, mode: TaskMode): Command {
  if (mode === 'never') return command;
  command.addOption(
    new Option('--detach', 'start a task, print it and do not wait for its end; needs a store').conflicts('stream'),
  );
  return mode === 'always' ? withCancelOnExit(command) : command;
}

export function withCancelOnExit(command: Command): Command {
  return command.option('--cancel-on-exit', 'cancel the task if this command is interrupted while it waits');
}
