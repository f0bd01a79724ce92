/** Clients that other people wrote, against a real server. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, type SerializedTaskReference } from '@modelcontextprotocol/ext-tasks/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, expect, it } from 'vitest';
import { sharedServer } from '../kit/broker.ts';
import { proves } from '../promises.ts';
import { stdioClient } from './task-client.ts';

const MODULE = 'test/apps/mcp-tasks.ts';
const NAME = { name: 'test', version: '1' };
let url: string;
beforeAll(async () => void (url = await sharedServer(MODULE)));

const ANSWERS: Record<string, object> = {
  'Really?': { ok: true },
  'Who?': { name: 'Ann' },
  'Which color?': { color: 'red' },
};

it(proves('mcp.tasks', 'the client of ext-tasks calls, follows, leaves, resumes and cancels'), async () => {
  const required = { task: { preference: 'require' } } as never;
  const asked: string[] = [];
  const client = new Client(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  // The SDK's client refuses the results of this revision, so requests are sent without it.
  const sender = await stdioClient(MODULE, 'modern');
  const session = createTaskSessionFromClient(client, {
    endpointId: 'test',
    rawDispatch: async (request: any) => {
      const { result, error } = await sender.request(request.method, request.params);
      return error ? { kind: 'error', error } : { kind: 'result', result };
    },
    v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo: NAME, clientCapabilities: { elicitation: {} } },
    onInputRequest: (async ({ params: { message } }: { readonly params: { readonly message: string } }) => {
      asked.push(message);
      return { action: 'accept', content: ANSWERS[message] };
    }) as never,
  });
  const plain = await session.callTool('functions.Add', { x: 1, y: 2 });
  expect(plain.kind).toBe('immediate');
  expect((await plain.settle()).outcome).toMatchObject({ result: { structuredContent: { result: 3 } } });

  const slow = await session.callTool('functions.Slow', { ms: 300, text: 'a' }, required);
  expect(slow.kind).toBe('task');
  expect((await slow.settle()).outcome).toMatchObject({
    status: 'completed',
    result: { structuredContent: { result: 'a' } },
  });

  const failing = await session.callTool('functions.Fail', {});
  expect((await failing.settle()).outcome.status).toBe('completed');
  const large = await session.callTool('functions.Large', {}, required);
  expect((await large.settle()).outcome).toMatchObject({ status: 'failed' });

  const left = await session.callTool('functions.Slow', { ms: 300, text: 'b' }, required);
  let reference: SerializedTaskReference | undefined;
  if (left.kind !== 'task') throw new Error('no task');
  await left.handoff((given) => {
    reference = JSON.parse(JSON.stringify(given)) as SerializedTaskReference;
  });
  expect(reference?.generation).toBe('v2');
  await new Promise((resolve) => setTimeout(resolve, 50)); // the session lets go of it a little later
  const resumed = await session.resumeTask(reference!);
  expect((await resumed.settle()).outcome).toMatchObject({ result: { structuredContent: { result: 'b' } } });

  const waiting = await session.callTool('functions.Wait', {}, required);
  await waiting.cancel();
  expect((await waiting.settle()).outcome.status).toBe('cancelled');

  const pair = await session.callTool('functions.Pair', {});
  expect((await pair.settle()).outcome).toMatchObject({
    result: { structuredContent: { result: 'Ann likes red' } },
  });
  const greeted = await session.callTool('functions.Greet', {});
  expect((await greeted.settle()).outcome).toMatchObject({
    result: { structuredContent: { result: 'Hello, Ann!' } },
  });
  expect(asked.toSorted()).toEqual(['Which color?', 'Who?', 'Who?']);
  for (const part of [session, client, sender]) await part.close();
});

it(proves('mcp.tasks-2025', "the first SDK's client follows tasks by itself"), async () => {
  const client = new OldClient(NAME);
  await client.connect(new OldTransport(new URL(`${url}/mcp`)) as never);
  await client.listTools();
  const heard: string[] = [];
  for await (const message of client.experimental.tasks.callToolStream({
    name: 'functions.Slow',
    arguments: { ms: 300, text: 'a' },
  })) {
    heard.push(message.type);
    if (message.type === 'error') throw message.error;
    if (message.type === 'result') expect(message.result.structuredContent).toEqual({ result: 'a' });
  }
  expect(heard[0]).toBe('taskCreated');
  expect(heard.at(-1)).toBe('result');
  await client.close();
});
