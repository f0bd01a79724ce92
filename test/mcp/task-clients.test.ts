/** Clients that other people wrote, against a real server. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { createTaskSessionFromClient, toolDeclarationFromMcpTool } from '@modelcontextprotocol/ext-tasks/client';
import type { SerializedTaskReference, TaskEnabledSession } from '@modelcontextprotocol/ext-tasks/client';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedServer } from '../kit/broker.ts';
import { proves } from '../promises.ts';
import { stdioClient } from './task-client.ts';

const MODULE = 'test/apps/mcp-tasks.ts';
const NAME = { name: 'test', version: '1' };
let url: string;
beforeAll(async () => void (url = await sharedServer(MODULE)));

interface Session {
  readonly session: TaskEnabledSession;
  readonly asked: string[];
  close(): Promise<void>;
}

/** Closes one after the other. */
const closing =
  (...parts: readonly { close(): Promise<void> }[]) =>
  async () => {
    for (const part of parts) await part.close();
  };

type Dispatch = (request: any) => Promise<any>;

const onInputRequest = (asked: string[]) =>
  (async (request: { readonly params: { readonly message?: string } }) => {
    const { message = '' } = request.params;
    asked.push(message);
    const content = { 'Really?': { ok: true }, 'Who?': { name: 'Ann' }, 'Which color?': { color: 'red' } }[message];
    return { action: 'accept', content };
  }) as never;

/** The SDK's client refuses the results of this revision, so requests are sent without it. */
async function modernSession(dispatch: Dispatch, sender: { close(): Promise<void> }): Promise<Session> {
  const client = new Client(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const asked: string[] = [];
  const session = createTaskSessionFromClient(client, {
    endpointId: 'test',
    rawDispatch: async (request) => {
      const { result, error } = await dispatch(request);
      return error ? { kind: 'error', error } : { kind: 'result', result };
    },
    v2RequestFraming: { protocolVersion: '2026-07-28', clientInfo: NAME, clientCapabilities: { elicitation: {} } },
    onInputRequest: onInputRequest(asked),
  });
  return { session, asked, close: closing(session, client, sender) };
}

async function overStdio(): Promise<Session> {
  const client = await stdioClient(MODULE, 'modern');
  return modernSession(({ method, params }) => client.request(method, params), client);
}

async function legacyHttp(): Promise<Session> {
  const client = new Client(NAME, { versionNegotiation: { mode: 'legacy' } });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  const declarations = new Map(tools.map((tool) => [tool.name, toolDeclarationFromMcpTool(tool)]));
  const session = createTaskSessionFromClient(client, {
    endpointId: 'test',
    tools: { currentTool: (name) => declarations.get(name) },
  });
  return { session, asked: [], close: closing(session, client) };
}

describe.each([
  ['2026-07-28 over stdio', overStdio, 'v2'],
  ['2025-11-25 over HTTP', legacyHttp, 'v1'],
] as const)('the client of ext-tasks, %s', (_title, open, generation) => {
  const proof = generation === 'v2' ? 'mcp.tasks' : 'mcp.tasks-2025';
  const required = { task: { preference: 'require' } } as never;

  it(proves(proof, 'calls, follows, leaves, resumes and cancels'), async () => {
    const { session, asked, close } = await open();
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
    expect((await failing.settle()).outcome.status).toBe(generation === 'v2' ? 'completed' : 'failed');
    const large = await session.callTool('functions.Large', {}, required);
    expect((await large.settle()).outcome).toMatchObject({ status: 'failed' });

    const left = await session.callTool('functions.Slow', { ms: 300, text: 'b' }, required);
    let reference: SerializedTaskReference | undefined;
    if (left.kind !== 'task') throw new Error('no task');
    await left.handoff((given) => {
      reference = JSON.parse(JSON.stringify(given)) as SerializedTaskReference;
    });
    expect(reference?.generation).toBe(generation);
    await new Promise((resolve) => setTimeout(resolve, 50)); // the session lets go of it a little later
    const resumed = await session.resumeTask(reference!);
    expect((await resumed.settle()).outcome).toMatchObject({ result: { structuredContent: { result: 'b' } } });

    const waiting = await session.callTool('functions.Wait', {}, required);
    await waiting.cancel();
    expect((await waiting.settle()).outcome.status).toBe('cancelled');

    if (generation === 'v2') {
      const pair = await session.callTool('functions.Pair', {});
      expect((await pair.settle()).outcome).toMatchObject({
        result: { structuredContent: { result: 'Ann likes red' } },
      });
      const greeted = await session.callTool('functions.Greet', {});
      expect((await greeted.settle()).outcome).toMatchObject({
        result: { structuredContent: { result: 'Hello, Ann!' } },
      });
      expect(asked.toSorted()).toEqual(['Which color?', 'Who?', 'Who?']);
    }
    await close();
  });
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
