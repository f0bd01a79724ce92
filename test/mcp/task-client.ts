/** A client that sends any request of either revision, over HTTP and on stdio, and checks what it hears about tasks. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import {
  CancelTaskResultV1Schema,
  CreateTaskResultV1Schema,
  GetTaskResultV1Schema,
} from '@modelcontextprotocol/ext-tasks/core/v1';
import {
  CancelTaskResultV2Schema,
  CreateTaskResultV2Schema,
  GetTaskResultV2Schema,
  TaskStatusNotificationV2Schema,
  UpdateTaskResultV2Schema,
} from '@modelcontextprotocol/ext-tasks/core/v2';
import { INITIALIZE, META, begin, legacy, listenTo, messagesIn, modern, tool, type Target } from './mcp-post.ts';

export const TASKS = 'io.modelcontextprotocol/tasks';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const SUBSCRIPTION = 'io.modelcontextprotocol/subscriptionId';

/** What a client declares that takes tasks, and can be asked. */
export const CAPABLE = { [CAPABILITIES]: { elicitation: {}, extensions: { [TASKS]: {} } } };

type Params = Readonly<Record<string, any>>;

interface Responded {
  /** Over HTTP. */
  readonly status?: number;
  readonly result?: any;
  readonly error?: any;
}

interface Listening {
  /** All messages so far. */
  readonly heard: readonly any[];
  /** Waits for a message. */
  until(isIt: (message: any) => boolean): Promise<any>;
  /** Resolves when the server has ended it, with the messages. */
  readonly ended: Promise<readonly any[]>;
  /** Stops listening. */
  end(): Promise<void>;
}

export interface Client {
  request(method: string, params?: Params): Promise<Responded>;
  listen(notifications: object, meta?: object): Promise<Listening>;
  close(): Promise<void>;
}

let ids = 0;

/** Revision 2026-07-28 over HTTP. */
export function httpClient(target: Target, headers: Readonly<Record<string, string>> = {}): Client {
  return {
    async request(method, params = {}) {
      const { _meta, ...others } = params;
      const sent = { method, id: ++ids, params: { ...others, _meta: _meta ?? CAPABLE } };
      const response = await modern(target, sent, undefined, headers);
      const [message] = await messagesIn(response);
      return check(method, 'modern', { status: response.status, ...message });
    },
    async listen(notifications, _meta = CAPABLE) {
      const id = ++ids;
      const leaving = new AbortController();
      const sent = { method: 'subscriptions/listen', id, params: { notifications, _meta } };
      const response = await modern(target, sent, leaving.signal, headers);
      const listening = new Heard(async () => leaving.abort());
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) void follow(response, listening);
      else for (const message of await messagesIn(response)) listening.hear({ status: response.status, ...message });
      return listening;
    },
    close: async () => {},
  };
}

/** Revision 2025-11-25 over HTTP. */
export async function legacyHttpClient(target: Target, withSession: boolean): Promise<Client> {
  const session = withSession ? await begin(target) : undefined;
  return {
    async request(method, params = {}) {
      const response = await legacy(target, { method, id: ++ids, params }, session);
      const [message] = await messagesIn(response);
      return check(method, 'legacy', { status: response.status, ...message });
    },
    listen: () => Promise.reject(new Error('not in this revision')),
    close: async () => {},
  };
}

/** Either revision on stdio, with a real process. */
export async function stdioClient(
  module: string,
  era: 'legacy' | 'modern',
): Promise<Client & { readonly pid: number }> {
  const child = spawn(process.execPath, ['dist/bin/everywire.js', 'mcp', module], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const pending = new Map<unknown, (message: any) => void>();
  const listeners = new Map<unknown, Heard>();
  createInterface(child.stdout).on('line', (line) => {
    const message = JSON.parse(line);
    const listener = listeners.get(message.params?._meta?.[SUBSCRIPTION] ?? message.id);
    if (listener) listener.hear(message);
    else pending.get(message.id)?.(message);
  });
  const write = (message: object) => void child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const client = {
    pid: child.pid!,
    request(method: string, params: Params = {}): Promise<Responded> {
      const id = ++ids;
      const { _meta, ...others } = params;
      const meta = era === 'modern' ? { _meta: { ...META, ...(_meta ?? CAPABLE) } } : _meta && { _meta };
      const responded = new Promise<any>((resolve) => pending.set(id, resolve));
      write({ id, method, params: { ...others, ...meta } });
      return responded.then((message) => check(method, era, message));
    },
    async listen(notifications: object, _meta: object = CAPABLE): Promise<Listening> {
      const id = ++ids;
      const listening = new Heard(async () => {
        write({ method: 'notifications/cancelled', params: { requestId: id, _meta: META } });
        listeners.delete(id);
      });
      listeners.set(id, listening);
      write({ id, method: 'subscriptions/listen', params: { notifications, _meta: { ...META, ..._meta } } });
      return listening;
    },
    async close() {
      child.stdin.end();
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
  if (era === 'legacy') {
    await client.request('initialize', { ...INITIALIZE.params, capabilities: { elicitation: {} } });
    write({ method: 'notifications/initialized' });
  }
  return client;
}

class Heard implements Listening {
  readonly heard: any[] = [];
  readonly ended: Promise<readonly any[]>;
  #resolveEnded!: (heard: readonly any[]) => void;
  readonly #waiting = new Set<() => void>();

  constructor(private readonly leave: () => Promise<void>) {
    this.ended = new Promise((resolve) => (this.#resolveEnded = resolve));
  }

  hear(message: any): void {
    if (message.method === 'notifications/tasks') TaskStatusNotificationV2Schema.parse(message);
    this.heard.push(message);
    for (const look of this.#waiting) look();
    if (message.id !== undefined) this.close();
  }

  close(): void {
    this.#resolveEnded(this.heard);
  }

  until(isIt: (message: any) => boolean): Promise<any> {
    return new Promise((resolve) => {
      const look = () => {
        const found = this.heard.find(isIt);
        if (found === undefined) return;
        this.#waiting.delete(look);
        resolve(found);
      };
      this.#waiting.add(look);
      look();
    });
  }

  end(): Promise<void> {
    return this.leave();
  }
}

async function follow(response: Response, listening: Heard): Promise<void> {
  const stream = listenTo(response);
  try {
    for (let message = await stream.next(); message; message = await stream.next()) listening.hear(message);
  } catch (thrown) {
    if ((thrown as Error).name !== 'AbortError') throw thrown;
  }
  listening.close();
}

/** The schemas of ext-tasks, which somebody else wrote. */
const SCHEMAS = {
  modern: {
    'tools/call': CreateTaskResultV2Schema,
    'tasks/get': GetTaskResultV2Schema,
    'tasks/update': UpdateTaskResultV2Schema,
    'tasks/cancel': CancelTaskResultV2Schema,
  },
  legacy: {
    'tools/call': CreateTaskResultV1Schema,
    'tasks/get': GetTaskResultV1Schema,
    'tasks/cancel': CancelTaskResultV1Schema,
  },
} as const;

function check(method: string, era: 'legacy' | 'modern', responded: any): Responded {
  const { result } = responded;
  const isTask = method.startsWith('tasks/') || result?.task !== undefined || result?.resultType === 'task';
  const schema = (SCHEMAS[era] as Record<string, { parse(value: unknown): unknown }>)[method];
  if (result && isTask) schema?.parse(result);
  return responded;
}

/** Asks again until a task has a status. */
export async function taskOf(client: Client, taskId: string, ...statuses: readonly string[]): Promise<any> {
  for (;;) {
    const { result, error } = await client.request('tasks/get', { taskId });
    if (error) throw new Error(JSON.stringify(error));
    if (statuses.includes(result.status)) return result;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** The parameters of a call. */
export const call = (...given: Parameters<typeof tool>) => tool(...given).params;

/** Starts a task. */
export async function start(client: Client, name: string, given: object = {}, more: object = {}): Promise<any> {
  const { result, error } = await client.request('tools/call', call(name, given, more));
  if (result?.resultType !== 'task') throw new Error(`no task: ${JSON.stringify(result ?? error)}`);
  return result;
}
