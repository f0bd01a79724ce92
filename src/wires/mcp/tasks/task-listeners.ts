import { findTask } from '../../../app/find-task.ts';
import { followTasks } from '../../../app/follow-tasks.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { Catalog, Sender } from '../catalog.ts';
import { INTERNAL_ERROR, INVALID_PARAMS } from '../jsonrpc.ts';
import type { Message, MessageId, RpcError } from '../jsonrpc.ts';
import { toOperationError } from '../operation-error.ts';
import { CLIENT_CAPABILITIES } from '../revisions.ts';
import { declaresTasks, tasksNotDeclared } from './extension.ts';
import { taskNotificationText } from './task-messages.ts';

/** What a client that listens hears of tasks. */
export interface TaskSubscription {
  /** Those of the ids that are tasks of the client. */
  readonly ids: readonly string[];
  readonly signal: AbortSignal;
  /** Notifications as JSON, until all tasks have ended. Must be read to the end. What it throws has been reported. */
  follow(id: MessageId): AsyncGenerator<string, void>;
  /** Ends them early. */
  end(): void;
}

/** The clients that listen to tasks, with `subscriptions/listen`. The SDK does not know of tasks. */
export class TaskListeners {
  readonly #stops = new Set<AbortController>();
  /** How many tasks are followed, each as often as somebody does. */
  #followed = 0;
  /** Of requests that are being checked. */
  #opening = 0;
  #hasEnded = false;

  constructor(private readonly catalog: Catalog) {}

  /** Undefined if a request asks for no tasks; an error if it is refused. The SDK checks the rest of it. */
  async open(
    { params }: Message,
    sender: Sender = this.catalog.sender,
  ): Promise<TaskSubscription | RpcError | undefined> {
    const { app } = this.catalog;
    const taskIds =
      isRecord(params) && isRecord(params['notifications']) ? params['notifications']['taskIds'] : undefined;
    const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
    const capabilities = meta[CLIENT_CAPABILITIES];
    if (taskIds === undefined || !app.tasks.isUsed || !isRecord(capabilities)) return undefined;
    if (!declaresTasks(capabilities)) return tasksNotDeclared('taskIds need a client that declares tasks');
    if (!Array.isArray(taskIds) || !taskIds.every((id) => typeof id === 'string'))
      return { code: INVALID_PARAMS, message: 'Invalid params: notifications.taskIds must be a list of strings' };
    const asked = new Set(taskIds as readonly string[]);
    const { subscriptions, tasks } = app.limits;
    if (asked.size > subscriptions) return tooMany(`At most ${subscriptions} subscriptions at once`);
    if (this.#followed + this.#opening + asked.size > tasks) return tooMany('Too many subscriptions to tasks at once');
    const ids: string[] = [];
    this.#opening += asked.size;
    try {
      for (const id of asked) {
        const found = await findTask(app, sender, id);
        if (!('ok' in found)) ids.push(id);
        // Ids of other callers must look like unknown ones.
        else if (found.error.code !== 'TASK_NOT_FOUND') return toOperationError(found);
      }
    } finally {
      this.#opening -= asked.size;
    }
    return this.#subscribe(ids, sender);
  }

  /** Ends all that are open, and those that are about to be. */
  end(): void {
    this.#hasEnded = true;
    for (const stop of this.#stops) stop.abort();
  }

  #subscribe(ids: readonly string[], sender: Sender): TaskSubscription {
    const stop = new AbortController();
    return {
      ids,
      signal: stop.signal,
      end: () => stop.abort(),
      follow: (id) => {
        if (this.#hasEnded) stop.abort();
        this.#stops.add(stop);
        this.#followed += ids.length;
        return this.#follow(ids, sender, stop, id);
      },
    };
  }

  async *#follow(
    ids: readonly string[],
    sender: Sender,
    stop: AbortController,
    id: MessageId,
  ): AsyncGenerator<string, void> {
    const { catalog } = this;
    try {
      for await (const found of followTasks(catalog.app, sender, ids, stop.signal))
        yield taskNotificationText(found, catalog, id);
    } catch (thrown) {
      catalog.app.reportError(thrown, { part: 'mcp' });
      throw thrown;
    } finally {
      this.#stops.delete(stop);
      this.#followed -= ids.length;
    }
  }
}

const tooMany = (message: string): RpcError => ({ code: INTERNAL_ERROR, message, data: { code: 'UNAVAILABLE' } });
