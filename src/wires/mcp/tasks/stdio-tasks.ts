import { isRecord } from '../../../schema/json-schema.ts';
import type { Catalog } from '../catalog.ts';
import { INTERNAL_ERROR, errorResponse, isId } from '../jsonrpc.ts';
import type { Message, MessageId, RpcError } from '../jsonrpc.ts';
import { SUBSCRIPTION_ID } from '../revisions.ts';
import { acknowledgeTasks } from './acknowledgement.ts';
import { TaskListeners } from './task-listeners.ts';
import type { TaskSubscription } from './task-listeners.ts';

/** What a client on stdio hears of tasks, between the SDK and the client. */
export class StdioTasks {
  readonly #listeners: TaskListeners;
  /** By the id of the request to listen, which the SDK may not have acknowledged yet. */
  readonly #subscriptions = new Map<MessageId, TaskSubscription>();

  constructor(
    private readonly catalog: Catalog,
    /** Resolves when the client is ready for more. */
    private readonly send: (message: Message) => void | Promise<void>,
    /** Makes the SDK forget a subscription. */
    private readonly forget: (id: MessageId) => void,
  ) {
    this.#listeners = new TaskListeners(catalog);
  }

  /** To be called with a request to listen, before the SDK gets it. Returns why it is refused, if it is. */
  async listen(request: Message): Promise<RpcError | undefined> {
    const opened = await this.#listeners.open(request);
    if (opened && 'code' in opened) return opened;
    if (opened) this.#subscriptions.set(request['id'] as MessageId, opened);
    return undefined;
  }

  /** To be called with what the SDK sends. Returns what to send instead. */
  adapt(message: Message): Message {
    const id = subscriptionOf(message);
    const tasks = id === undefined ? undefined : this.#subscriptions.get(id);
    if (id === undefined || !tasks) return message;
    const acknowledged = acknowledgeTasks(message, tasks.ids);
    if (acknowledged) void this.#follow(id, tasks, acknowledged.hasOthers);
    else if (!('method' in message)) this.end(id); // the SDK has refused it
    return acknowledged?.message ?? message;
  }

  /** The client does not listen any more. */
  end(id: MessageId): void {
    this.#subscriptions.get(id)?.end();
    this.#subscriptions.delete(id);
  }

  close(): void {
    for (const id of this.#subscriptions.keys()) this.end(id);
  }

  async #follow(id: MessageId, tasks: TaskSubscription, hasOthers: boolean): Promise<void> {
    try {
      for await (const message of tasks.follow(id)) await this.#sendUnlessEnded(JSON.parse(message) as Message, tasks);
      if (hasOthers || !this.#subscriptions.delete(id)) return;
      this.forget(id);
      const { values } = this.catalog.stamp;
      const result = { ...values, _meta: { [SUBSCRIPTION_ID]: id, ...values._meta } };
      await this.send({ jsonrpc: '2.0', id, result });
    } catch {
      if (!this.#subscriptions.delete(id)) return;
      this.forget(id);
      await this.send({ ...errorResponse(id, { code: INTERNAL_ERROR, message: 'Internal error' }) });
    }
  }

  /** A client that has left never becomes ready. */
  async #sendUnlessEnded(message: Message, { signal }: TaskSubscription): Promise<void> {
    if (signal.aborted) return;
    await new Promise<void>((resolve, reject) => {
      const end = () => resolve();
      signal.addEventListener('abort', end, { once: true });
      Promise.resolve(this.send(message))
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', end));
    });
  }
}

/** The request to listen that a response or a notification belongs to. */
function subscriptionOf({ id, method, params }: Message): MessageId | undefined {
  const meta = isRecord(params) && isRecord(params['_meta']) ? params['_meta'] : {};
  const found = method === undefined ? id : meta[SUBSCRIPTION_ID];
  return isId(found) ? found : undefined;
}
