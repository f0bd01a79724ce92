import { createApp, type App } from 'everywire';
import type { Task } from 'everywire/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import example from '../../examples/tasks/app.ts';
import { shared } from '../kit/broker.ts';
import { appCommand, cgi as respondToCgi } from '../kit/command.ts';
import { hasRedis } from '../kit/redis.ts';
import { modern, only, tool } from '../mcp/mcp-post.ts';
import { CAPABLE } from '../mcp/task-client.ts';
import { serveTasks, type Client } from './http-client.ts';
import { expectErrors } from '../kit/errors.ts';

// Everything is in one process: if it has much to do, answers of Redis are read late, and are asked for again.
expectErrors(/Redis did not answer within/);

const INPUT = { title: 'The year' };
const ANSWERS = { question1: { action: 'accept', content: { sure: true } } };

/** What a caller can do with a task on one wire. */
interface Wire {
  start(): Promise<string>;
  read(id: string): Promise<Pick<Task, 'status'>>;
  answer(id: string): Promise<unknown>;
  cancel(id: string): Promise<unknown>;
  /** The body of the result. */
  result(id: string): Promise<string>;
}

let store: string;
let server: Client;
let url: string;

function copy(): App {
  const functions = example.functions.map(({ definition }) => definition);
  return createApp({ name: example.name, version: example.version, functions, store }) as never;
}

const post = async (path: string, body: object) => (await server.post(path, body)).text();
const get = async (path: string) => (await server.get(path)).text();

const mcp = async (method: string, params: Record<string, unknown>) =>
  (await only(modern(url, { method, params: { ...params, _meta: CAPABLE } }))).result;

/** Commands, each with an app of its own: as processes, they share nothing but the store. */
const everywire = async (...args: string[]) => (await appCommand(copy(), args)).stdout;

async function cgi(method: string, path: string, body?: object): Promise<string> {
  const input = JSON.stringify(body) ?? '';
  const { stdout } = await respondToCgi(
    copy(),
    {
      REQUEST_METHOD: method,
      PATH_INFO: path,
      HTTP_HOST: 'localhost',
      ...(body && { CONTENT_TYPE: 'application/json', CONTENT_LENGTH: String(input.length) }),
    },
    input,
  );
  return stdout.slice(stdout.indexOf('\r\n\r\n') + 4);
}

const wires: Readonly<Record<string, Wire>> = {
  HTTP: {
    start: async () => JSON.parse(await post('/functions/Publish', INPUT)).taskId,
    read: async (id) => JSON.parse(await get(`/tasks/${id}`)),
    answer: (id) => post(`/tasks/${id}/input`, { inputResponses: ANSWERS }),
    cancel: (id) => post(`/tasks/${id}/cancel`, {}),
    result: (id) => get(`/tasks/${id}/result`),
  },
  MCP: {
    start: async () => (await mcp('tools/call', tool('Publish', INPUT).params)).taskId,
    read: (taskId) => mcp('tasks/get', { taskId }),
    answer: (taskId) => mcp('tasks/update', { taskId, inputResponses: ANSWERS }),
    cancel: (taskId) => mcp('tasks/cancel', { taskId }),
    result: async (taskId) => (await mcp('tasks/get', { taskId })).result.content[0].text,
  },
  'the command line': {
    start: async () => JSON.parse(await everywire('Publish', '--title', 'x', '--detach')).taskId,
    read: async (id) => JSON.parse(await everywire('tasks', 'get', id, '--json')),
    answer: (id) => everywire('tasks', 'answer', id, '--input', JSON.stringify(ANSWERS)),
    cancel: (id) => everywire('tasks', 'cancel', id),
    result: (id) => everywire('tasks', 'result', id, '--json'),
  },
  CGI: {
    start: async () => JSON.parse(await cgi('POST', '/Publish', INPUT)).taskId,
    read: async (id) => JSON.parse(await cgi('GET', `/tasks/${id}`)),
    answer: (id) => cgi('POST', `/tasks/${id}/input`, { inputResponses: ANSWERS }),
    cancel: (id) => cgi('POST', `/tasks/${id}/cancel`, {}),
    result: (id) => cgi('GET', `/tasks/${id}/result`),
  },
};

const pairs = Object.keys(wires).flatMap((from) => Object.keys(wires).map((to) => [from, to] as const));

describe.skipIf(!hasRedis).concurrent('a task', () => {
  beforeAll(async () => {
    ({ url: store } = await shared('redis'));
    const app = copy();
    await app.tasks.work();
    server = await serveTasks(app);
    ({ url } = server);
  });
  afterAll(() => server.stop());

  const until = async ({ read }: Wire, id: string, status: string) => {
    while ((await read(id)).status !== status) await new Promise((resolve) => setTimeout(resolve, 50));
  };

  test.each(pairs)('that was started on %s is read, answered and cancelled on %s', async (from, to) => {
    const [one, other] = [wires[from]!, wires[to]!];
    const [answered, cancelled] = await Promise.all([one.start(), one.start()]);
    await until(other, answered, 'input_required');
    await Promise.all([other.answer(answered), other.cancel(cancelled)]);
    await until(other, answered, 'completed');
    expect((await other.result(answered)).trim()).toBe('{"result":"published"}');
    expect((await one.read(cancelled)).status).toBe('cancelled');
  });
});
