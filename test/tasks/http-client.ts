import type { App } from 'everywire';
import { serve, type ServeOptions } from 'everywire/node';
import { asJson } from '../kit/as-json.ts';

/** A served app, and requests to it. */
export interface Client {
  readonly url: string;
  /** A string is sent as it is. */
  post(path: string, body?: unknown, headers?: Readonly<Record<string, string>>): Promise<Response>;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Response>;
  /** Starts a task, and returns its id. */
  start(fn: string, input: unknown, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** A task when it has ended, or needs input. */
  settled(id: string, headers?: Readonly<Record<string, string>>): Promise<any>;
  stop(): Promise<boolean>;
}

export const ASYNC = { prefer: 'respond-async' };

export async function serveTasks(app: App, options: ServeOptions = {}): Promise<Client> {
  const server = await serve(app, { port: 0, ...options });
  const client: Client = {
    url: server.url,
    post: (path, body, headers) => fetch(server.url + path, asJson(body, headers)),
    get: (path, headers = {}) => fetch(server.url + path, { headers }),
    async start(fn, input, headers = {}) {
      const response = await client.post(`/functions/${fn}`, input, { ...ASYNC, ...headers });
      if (response.status !== 202) throw new Error(`${response.status}: ${await response.text()}`);
      return ((await response.json()) as { taskId: string }).taskId;
    },
    async settled(id, headers = {}) {
      return (await client.get(`/tasks/${id}`, { prefer: 'wait=30', ...headers })).json();
    },
    stop: () => server.drain(),
  };
  return client;
}

/** The events of a stream, as they arrive. */
export async function* eventsIn(response: Response): AsyncGenerator<{ event: string; id?: string; data: any }> {
  let text = '';
  const decoder = new TextDecoder();
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += decoder.decode(chunk, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop()!;
    for (const block of blocks) {
      const fields = Object.fromEntries(
        block.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 2)]),
      ) as { event: string; id?: string; data?: string };
      if (fields.data !== undefined) yield { ...fields, data: JSON.parse(fields.data) };
    }
  }
}
