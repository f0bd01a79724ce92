import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createApp } from 'everywire';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sharedServer } from '../kit/broker.ts';
import { command } from '../kit/command.ts';
import { expectErrors } from '../kit/errors.ts';
import { onTerminal } from '../kit/on-terminal.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { run } from '../wires/cli.ts';
import { startServing, type Served } from '../kit/served.ts';
import { legacy, post as send, tool } from './mcp-post.ts';

const MODULE = 'test/apps/mcp.ts';
expectErrors(/disk on fire at <path>/);
const COMMAND = { command: process.execPath, args: ['dist/bin/everywire.js', 'mcp', MODULE] };
let served: Served;
beforeAll(async () => void (served = await startServing(MODULE)));
afterAll(() => served.stop());

type Mode = 'legacy' | 'auto';

/** A client; its user answers every form with the next of the answers, if it has a user. */
async function connect(wire: 'http' | 'stdio', mode: Mode, hasUser = false) {
  const answers: object[] = [];
  const asked: unknown[] = [];
  const capabilities = hasUser ? { elicitation: {} } : {};
  const client = new Client({ name: 'test', version: '1' }, { capabilities, versionNegotiation: { mode } });
  if (hasUser)
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      asked.push(params);
      return answers.shift() as { action: 'accept' };
    });
  const stdio = new StdioClientTransport({ ...COMMAND, stderr: 'pipe' });
  let said = '';
  stdio.stderr?.on('data', (chunk) => (said += String(chunk)));
  await client.connect(wire === 'http' ? new StreamableHTTPClientTransport(new URL(`${served.url}/mcp`)) : stdio);
  return { client, answers, asked, stderr: () => (wire === 'http' ? served.stderr() : said) };
}

type Connected = Awaited<ReturnType<typeof connect>>;

const DEEP = `${'['.repeat(5000)}${']'.repeat(5000)}`;
const first = (result: unknown) => (result as { content: { text: string }[] }).content[0]?.text ?? '';

const WAYS = (['http', 'stdio'] as const).flatMap((wire) =>
  (['auto', 'legacy'] as const).map((mode) => ({ wire, mode })),
);
describe.each(WAYS)('MCP on $wire, $mode', ({ wire, mode }) => {
  let user: Connected;
  let program: Connected;
  let client: Client;
  beforeAll(async () => {
    [user, program] = await Promise.all([connect(wire, mode, true), connect(wire, mode)]);
    ({ client } = program);
  });
  afterAll(async () => void (await Promise.all([user.client.close(), client.close()])));

  it(proves('mcp.ask', 'a function elicits input, and asks again if the answer is invalid'), async () => {
    user.answers.push(
      { action: 'accept', content: { size: 'huge', slices: 2 } },
      { action: 'accept', content: { size: 'large', slices: '2' } },
    );
    const result = await user.client.callTool({ name: 'functions.Order' });
    expect(first(result)).toBe('{"result":"2 slices of a large one"}');
    expect(user.asked).toHaveLength(2);
    expect(user.asked[0]).toMatchObject({ message: 'Which pizza?', requestedSchema: { required: ['size', 'slices'] } });
  });

  it(proves('mcp.ask', 'declining fails with DECLINED'), async () => {
    user.answers.push({ action: 'decline' });
    const result = await user.client.callTool({ name: 'functions.Order' });
    expect(result).toMatchObject({ isError: true, _meta: { 'everywire/error': { code: 'DECLINED' } } });
  });

  it(proves('mcp.ask', 'a client without elicitation gets an error that says what is missing'), async () => {
    const failed = await client.callTool({ name: 'functions.Order' }).catch((error: unknown) => error);
    if (mode === 'auto') expect(failed).toMatchObject({ code: -32021 });
    else expect(first(failed)).toBe('{"error":"Input required, but this client cannot be prompted: Which pizza?"}');
  });

  it(proves('mcp.cancel', 'a cancelled call is notified'), async () => {
    const aborted = () => program.stderr().split('ABORTED').length;
    const before = aborted();
    const leaving = new AbortController();
    const call = client.callTool({ name: 'functions.Wait' }, { signal: leaving.signal }).catch(() => 'left');
    setTimeout(() => leaving.abort(), 300);
    expect(await call).toBe('left');
    await expect.poll(aborted, { timeout: 5000 }).toBe(before + 1);
  });

  it(proves('mcp.resources', 'resources, templates, prompts and completion'), async () => {
    expect((await client.listResources()).resources.map(({ uri }) => uri)).toEqual([
      'notes://today',
      'notes://picture',
      'notes://broken',
      'notes://2026/1',
    ]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'notes://{year}/{id}' },
    ]);
    const read = async (uri: string) => (await client.readResource({ uri })).contents;
    expect(await read('notes://today')).toEqual([{ uri: 'notes://today', mimeType: 'text/plain', text: 'Buy milk' }]);
    expect(await read('notes://2026/1')).toMatchObject([
      { mimeType: 'application/json', text: '{"year":"2026","id":"1"}' },
    ]);
    expect(await read('notes://picture')).toMatchObject([{ mimeType: 'image/png', blob: 'iVBORw==' }]);
    for (const uri of ['notes://2026/9', 'other://x'])
      await expect(read(uri)).rejects.toMatchObject({ code: expect.any(Number) });
    await expect(read('notes://broken')).rejects.toThrow('disk on fire at <path>');
    expect((await client.listPrompts()).prompts).toMatchObject([
      { name: 'review', arguments: [{ name: 'language', required: true }] },
    ]);
    expect((await client.getPrompt({ name: 'review', arguments: { language: 'go' } })).messages).toEqual([
      { role: 'user', content: { type: 'text', text: 'Review this go code.' } },
    ]);
    await expect(client.getPrompt({ name: 'review', arguments: { language: 'cobol' } })).rejects.toThrow('/language');
    const complete = async (ref: object, name: string, value: string) =>
      (await client.complete({ ref: ref as never, argument: { name, value } })).completion.values;
    expect(await complete({ type: 'ref/prompt', name: 'review' }, 'language', 'ru')).toEqual(['rust', 'ruby']);
    expect(await complete({ type: 'ref/resource', uri: 'notes://{year}/{id}' }, 'year', '2026')).toEqual(['2026']);
  });
});

it(proves('mcp.list', 'tools/list: names, schemas and hints, and the same operationId in OpenAPI'), async () => {
  const url = await sharedServer('examples/calculator/app.ts');
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`)));
  const { tools } = await client.listTools();
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, { post: { operationId: string; responses: Record<string, any> } }>;
  };
  expect(tools.map(({ name }) => name)).toEqual(Object.values(paths).map(({ post }) => post.operationId));
  for (const [i, { post }] of Object.values(paths).entries())
    expect(tools[i]?.outputSchema).toEqual(post.responses['200'].content['application/json'].schema);
  expect(tools[0]).toMatchObject({
    name: 'functions.Add',
    title: 'Add',
    description: 'Adds two integers together',
    inputSchema: { type: 'object', required: ['x', 'y'] },
    outputSchema: { type: 'object', required: ['result'] },
    annotations: { readOnlyHint: true, idempotentHint: true },
  });
  await client.close();
});

it(proves('mcp.clients', 'the official client 1.x, on stdio and over HTTP'), async () => {
  for (const transport of [new StdioV1({ ...COMMAND, stderr: 'ignore' }), new HttpV1(new URL(`${served.url}/mcp`))]) {
    const client = new ClientV1({ name: 'test', version: '1' });
    await client.connect(transport as never);
    expect((await client.listTools()).tools).toHaveLength(7);
    expect(first(await client.callTool({ name: 'functions.Length', arguments: { text: 'abc' } }))).toBe('{"result":3}');
    await client.close();
  }
});

it(proves('mcp.sessions', 'a session is notified, and ends; a call needs no session'), async () => {
  const client = new ClientV1({ name: 'test', version: '1' });
  const transport = new HttpV1(new URL(`${served.url}/mcp`));
  const updated: string[] = [];
  client.fallbackNotificationHandler = async ({ method, params }) =>
    void updated.push(`${method} ${String(params?.['uri'])}`);
  await client.connect(transport as never);
  expect(transport.sessionId).toBeDefined();
  await client.subscribeResource({ uri: 'notes://today' });
  await client.callTool({ name: 'functions.Touch' });
  await expect.poll(() => updated, { timeout: 5000 }).toEqual(['notifications/resources/updated notes://today']);
  await transport.terminateSession();
  const call = tool('Length', { text: 'ab' });
  expect((await legacy(served.url, call, 'gone')).status).toBe(404);
  const answer = await legacy(served.url, call);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect(await answer.json()).toMatchObject({ id: 1, result: { structuredContent: { result: 2 } } });
  expect((await fetch(`${served.url}/mcp`)).status).toBe(405);
  await client.close();
});

it(proves('mcp.list', 'a call belongs to the trace that its _meta names'), async () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
  for (const mode of ['auto', 'legacy'] as const) {
    const { client } = await connect('http', mode);
    const result = await client.callTool({ name: 'functions.Trace', _meta: { traceparent } });
    expect(first(result)).toBe(`{"result":"${traceparent}"}`);
    await client.close();
  }
});

it(proves('mcp.ask', 'on a terminal the user is prompted'), async () => {
  const line = `${process.execPath} dist/bin/everywire.js call ${MODULE} Order`;
  const { screen, code } = await onTerminal(line, {}, [
    [/How big/, '\u001b[B'],
    [/[●>] large/, '\r'],
    [/How many/, '3\r'],
  ]);
  expect([screen.includes('Which pizza?'), screen.includes('3 slices of a large one'), code]).toEqual([true, true, 0]);
});

it(proves('mcp.safe', 'invalid messages are refused, and so are foreign Host and Origin headers'), async () => {
  expect(await (await send(served.url, '{')).json()).toMatchObject({ error: { code: -32700 } });
  expect(await (await send(served.url, DEEP)).json()).toMatchObject({ error: { code: -32600 } });
  expect((await send(served.url, '{}', { origin: 'https://evil.example' })).status).toBe(403);
  expect((await send(served.url, 'x'.repeat(1_100_000))).status).toBe(413);
});

it(proves('mcp.ask', 'where elicitation is impossible, the failure says what is missing'), async () => {
  const headers = { accept: 'application/json;profile=status' };
  const response = await fetch(`${served.url}/functions/Order`, { method: 'POST', headers });
  expect(response.status).toBe(422);
  expect(await response.json()).toMatchObject({
    error: { code: 'INPUT_REQUIRED', details: { question: 'Which pizza?', schema: { required: ['size', 'slices'] } } },
  });
  const { stdout, code } = await command(['call', MODULE, 'Order']);
  expect([stdout, code]).toEqual(['{"error":"Input required, but this client cannot be prompted: Which pizza?"}', 1]);
});

it(proves('mcp.names', 'tool names without dots, for clients that reject them, with either policy'), async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({ ...COMMAND, args: [...COMMAND.args, '--names', 'portable'], stderr: 'ignore' }),
  );
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name).every((name) => /^[A-Za-z0-9_-]{1,64}$/.test(name))).toBe(true);
  for (const name of ['functions_Length', 'functions.Length'])
    expect(first(await client.callTool({ name, arguments: { text: 'a' } }))).toBe('{"result":1}');
  await client.close();
});

it(proves('mcp.config', 'the configuration for a client application starts the server'), async () => {
  const entryFor = async (host: string) => {
    const { stdout, code } = await command(['mcp-config', 'examples/calculator/app.ts', '--for', host]);
    expect(code).toBe(0);
    const config = JSON.parse(stdout) as Record<string, { calculator: { command: string; args: string[] } }>;
    return Object.values(config)[0]!.calculator;
  };
  for (const [host, others, name] of [
    ['claude-desktop', ['claude-code'], 'functions_Add'],
    ['generic', ['vscode', 'cursor'], 'functions.Add'],
  ] as const) {
    const entry = await entryFor(host);
    for (const other of others) expect((await entryFor(other)).args).toEqual(entry.args);
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StdioClientTransport({ ...entry, stderr: 'ignore' }));
    expect((await client.listTools()).tools[0]?.name).toBe(name);
    await client.close();
  }
});

it(proves('mcp.config', 'the configuration names the package, not a link in the cache of npx'), async () => {
  const cache = path.join(temporaryFolder('npx'), '_npx/0123/node_modules/.bin');
  mkdirSync(cache, { recursive: true });
  symlinkSync(path.resolve('dist/bin/everywire.js'), path.join(cache, 'everywire'));
  const { stdout } = await run([path.join(cache, 'everywire'), 'mcp-config', 'examples/calculator/app.ts']);
  expect(JSON.parse(stdout).mcpServers.calculator.args[0]).toBe(path.resolve('dist/bin/everywire.js'));
});

it('mistakes in resources and prompts are said when the app is built', () => {
  expect(() =>
    createApp({
      name: 'Wrong',
      version: '1',
      functions: [],
      resources: [{ uri: 'no scheme', name: 'x', description: 'd', read: () => '' }],
      prompts: [{ name: 'p', description: '', run: () => '' }],
    }),
  ).toThrow(/resources\[0\]: uri must start with a scheme.*\n.*prompts\[0\] "p": has no description/s);
});
