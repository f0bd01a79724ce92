import type { Command } from 'commander';
import type { App } from '../../app/app.ts';
import type { TaskCaller } from '../../app/find-task.ts';
import { render } from '../../app/respond.ts';
import type { Answer } from '../../app/respond.ts';
import { isFailure, userFailure } from '../../core/failure.ts';
import { createEnvironment } from '../../env/environment.ts';
import type { Profile } from '../../responses/profiles/profile.ts';
import { requestedBody } from '../../wires/cli/body.ts';
import type { BodyOptions } from '../../wires/cli/body.ts';
import { CLI } from '../../wires/cli/decode.ts';
import type { CliReplyOptions } from '../../wires/cli/encode.ts';
import { loadFormat } from '../../wires/cli/formats.ts';
import { environmentOf } from '../options/environment.ts';
import type { EnvironmentFlags } from '../options/environment.ts';
import { useStore } from '../options/store.ts';
import type { StoreFlags } from '../options/store.ts';
import { credentialsOf } from '../options/token-file.ts';
import { tableWidth } from '../program.ts';
import type { Process } from '../process.ts';
import { takeToken } from '../token.ts';
import { CommandCall } from './answer.ts';
import { listTasks, showDead, showStats } from './list-tasks.ts';
import { answerTask, cancelTask, getTask, printResult } from './task-actions.ts';

export type TaskAction = 'list' | 'get' | 'wait' | 'result' | 'answer' | 'cancel' | 'stats' | 'dead';

interface TaskFlags extends EnvironmentFlags, StoreFlags, BodyOptions {
  readonly limit?: number;
  readonly out?: string;
  readonly input?: string;
  readonly cancelOnExit?: boolean;
}

/** A command about tasks, ready to run. */
export interface TaskCommand {
  readonly proc: Process;
  readonly call: CommandCall;
  readonly app: App;
  readonly command: Command;
  readonly options: TaskFlags;
  readonly sender: TaskCaller;
  readonly profile: Profile;
  readonly signal: AbortSignal;
  /** Empty for commands about all tasks. */
  readonly taskId: string;
  readonly isExact: boolean;
  /** Whether the exact body is printed, or a chosen format. */
  readonly isQuiet: boolean;
}

/** What to print, and how. */
export interface TaskReply {
  readonly answer: Answer;
  readonly options?: Partial<CliReplyOptions>;
}

/** Runs `tasks <action>`, prints what it leads to, and ends. */
export async function runTaskCommand(
  proc: Process,
  action: TaskAction,
  command: Command,
  load: () => Promise<App>,
): Promise<void> {
  takeToken(proc);
  const options = command.opts<TaskFlags>();
  const app = useStore(await load(), options);
  app.tasks.requireStore();
  const { profile, isExact } = requestedBody(app, options);
  const format = options.format && (await loadFormat(options.format, tableWidth(proc)));
  const call = new CommandCall(proc, app);
  call.alwaysAnswer(undefined, profile, { isExact, format });
  const run: TaskCommand = {
    proc,
    call,
    app,
    command,
    options,
    profile,
    signal: call.cancelledBySignals(),
    sender: {
      caller: CLI,
      credentials: app.access && credentialsOf(proc, command),
      environment: createEnvironment(await environmentOf(proc, options)),
    },
    taskId: command.args.at(-1) ?? '',
    isExact,
    isQuiet: isExact || format !== undefined,
  };
  const reply = await replyTo(action, run);
  if (reply) call.answer(reply.answer, { isExact, format, ...reply.options });
}

/** Undefined if it is printed already. */
async function replyTo(action: TaskAction, run: TaskCommand): Promise<TaskReply | undefined> {
  try {
    return await ACTIONS[action](run);
  } catch (thrown) {
    const failure = isFailure(thrown) ? userFailure(thrown) : run.app.reportError(thrown, { part: 'tasks' });
    return { answer: render(failure, undefined, run.profile) };
  }
}

const ACTIONS: Readonly<Record<TaskAction, (run: TaskCommand) => Promise<TaskReply | undefined>>> = {
  list: listTasks,
  get: getTask,
  wait: (run) => printResult(run, true),
  result: (run) => printResult(run, false),
  answer: answerTask,
  cancel: cancelTask,
  stats: showStats,
  dead: showDead,
};
