import type { App, CallOptions } from '../app/app.ts';
import { isFailure, userFailure } from '../core/failure.ts';
import { success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import type { Call } from '../core/call.ts';
import type { FoundTask } from '../app/find-task.ts';
import type { Task } from '../core/task.ts';
import type { Connection, StreamHooks } from './connection.ts';
import type { TaskConnection, TaskTerms } from './task-connection.ts';

type OwnCall = CallOptions & Pick<Call, 'deferral' | 'onChunk'>;

/** Whether it is an app, of this or another copy of the package. */
export function isApp(target: unknown): target is App {
  const parts: readonly (keyof App)[] = ['respond', 'call', 'tasks', 'operations'];
  return typeof target === 'object' && target !== null && parts.every((part) => part in target);
}

/** Calls an app in this process. */
export function connectApp(app: App): Connection {
  return {
    call: (name, input, signal, hooks, terms) => app.call(name, input, optionsFor(name, signal, hooks, terms)),
    list: async () =>
      app.functions.map(({ operationId, definition: { title }, description, inputSchema }) => ({
        name: operationId,
        ...(title !== undefined && { title }),
        description,
        inputSchema,
      })),
    close: async () => {},
    tasks: appTasks(app),
  };

  function optionsFor(
    name: string,
    signal: AbortSignal | undefined,
    hooks?: StreamHooks,
    { wantsTask = false, idempotencyKey }: TaskTerms = {},
  ): OwnCall {
    const revive = app.find(name)?.reviveChunk;
    return {
      ...(signal && { signal }),
      ...(hooks?.onProgress && { onProgress: hooks.onProgress }),
      ...(hooks && { onChunk: (chunk: unknown) => hooks.push(revive ? revive(chunk) : chunk) }),
      ...(wantsTask && { deferral: { caller: 'prefers', askable: ['elicitation/create'], idempotencyKey } }),
    };
  }
}

const load = () => import('../app/find-task.ts');

function appTasks(app: App): TaskConnection {
  const sender = {};

  return {
    async get(id, wait, signal) {
      const { findTask, followTask } = await load();
      if (wait === 0) return taskOf(await findTask(app, sender, id));
      let found: FoundTask | Failed | undefined;
      for await (found of followTask(app, sender, id, signal)) {
        if ('ok' in found || found.task.status === 'input_required') break;
      }
      return taskOf(found ?? (await findTask(app, sender, id)));
    },
    async result(id) {
      const { findTask } = await load();
      const found = await findTask(app, sender, id);
      if ('ok' in found) return found;
      const { task, fn, outcome } = found;
      if (!outcome) return { ok: true, data: undefined, task };
      if (!outcome.ok) return outcome;
      if (fn?.returnsFile) {
        const { convertFile } = await import('../core/file-results.ts');
        return success(await convertFile(outcome.data, app.limits.file), outcome.content);
      }
      return fn?.revive ? success(fn.revive(outcome.data), outcome.content) : outcome;
    },
    answer: (taskId, inputResponses) => operate('tasks/update', { taskId, inputResponses }),
    async cancel(taskId) {
      const { toFoundTask } = await load();
      const outcome = await operate('tasks/cancel', { taskId });
      return outcome.ok ? success(toFoundTask(app, outcome.data).task) : outcome;
    },
    async *watch(id, signal) {
      const { followTask } = await load();
      for await (const found of followTask(app, sender, id, signal)) yield taskOf(found);
    },
  };

  async function operate(name: string, input: object): Promise<Outcome> {
    try {
      return (await app.operations.respond({ name, input })).outcome;
    } catch (thrown) {
      return isFailure(thrown) ? userFailure(thrown) : app.reportError(thrown, { part: 'tasks' });
    }
  }
}

const taskOf = (found: FoundTask | Failed): Outcome<Task> => ('ok' in found ? found : success(found.task));
