import { codes } from '../core/codes.ts';
import { Failure, isFailure, messageOf, refuse, userFailure } from '../core/failure.ts';
import { safely } from '../core/safely.ts';
import { success } from '../core/outcome.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import { fromFileResult } from '../responses/content/file-content.ts';
import { readResponse } from '../responses/read-response.ts';
import { fromFileForm } from '../schema/file-form.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { summarize } from '../schema/problem.ts';
import { compileRevive } from '../schema/revive.ts';
import type { Revive } from '../schema/revive.ts';
import { findCallable } from './connection.ts';
import type { Callable, Connection, StreamHooks } from './connection.ts';
import { chunkListener, listenForProgress } from './mcp-stream.ts';
import { rawRequestOf } from './mcp-request.ts';
import { callAsTask, mcpTasks } from './mcp-tasks.ts';
import { memoizeAsync } from './memoize-async.ts';
import type { TaskTerms } from './task-connection.ts';
import { toJsonWithFiles } from './to-json-with-files.ts';
import { unreachable } from './unreachable.ts';

/** The part of an MCP client that is used. The MCP SDKs 1.x and 2.x have it. */
export interface McpClient {
  callTool(params: { name: string; arguments?: Record<string, unknown> }, ...rest: any[]): Promise<unknown>;
  listTools(params?: { cursor?: string }): Promise<unknown>;
  close?(): Promise<void>;
}

export function isMcpClient(target: unknown): target is McpClient {
  return isRecord(target) && ['callTool', 'listTools'].every((name) => typeof target[name] === 'function');
}

interface Tool extends Callable {
  readonly revive: Revive | undefined;
}

/** Clients whose session the server does not know any more: it was restarted, or the session has expired. */
export const withoutSession = new WeakSet<McpClient>();

export function connectMcp(connect: () => Promise<McpClient>): Connection {
  let client: () => Promise<McpClient>;
  let tools: () => Promise<readonly Tool[]>;
  reset();

  return {
    async call(name, input, signal, hooks, terms = {}) {
      const carried = input === undefined ? { value: {} } : await toJsonWithFiles(input);
      if (carried.problem) return refuse('INVALID_ARGUMENTS', `Invalid arguments: ${summarize([carried.problem])}`);
      const args = carried.value as Record<string, unknown>;
      for (let tries = 0; ; tries++) {
        let connected: McpClient | undefined;
        try {
          connected = await client();
          let tool = findCallable(await tools(), name);
          if (!tool) {
            // It may be new.
            tools = memoizeAsync(async () => listTools(await client()));
            tool = findCallable(await tools(), name);
          }
          const params = { name: tool?.name ?? name, arguments: args };
          return await callTool(connected, params, tool, signal, hooks, terms);
        } catch (thrown) {
          const isAgain = tries === 0 && connected !== undefined && withoutSession.has(connected);
          // Another call may have connected meanwhile.
          if (!isAgain) return failureOf(thrown);
          if ((await client().catch(() => undefined)) === connected) reset();
          await ignoreErrors(async () => connected?.close?.());
        }
      }
    },
    tasks: mcpTasks({
      connect: async () => rawRequestOf(await client()),
      read: async (name, result) => readResult(result, findCallable(await tools(), name)),
      failureOf,
    }),
    async list() {
      try {
        return await tools();
      } catch (thrown) {
        throw isFailure(thrown) ? thrown : new Failure('UNAVAILABLE', unreachable(thrown).error.message);
      }
    },
    async close() {
      const connected = client;
      reset();
      await ignoreErrors(async () => (await connected()).close?.());
    },
  };

  function reset(): void {
    const connected = (client = memoizeAsync(connect));
    tools = memoizeAsync(async () => listTools(await connected()));
  }
}

async function callTool(
  connected: McpClient,
  params: { name: string; arguments: Record<string, unknown> },
  tool: Tool | undefined,
  signal: AbortSignal | undefined,
  hooks: StreamHooks | undefined,
  terms: TaskTerms,
): Promise<Outcome> {
  const readTool = async (result: unknown) => readResult(result, tool);
  const raw = rawRequestOf(connected);
  if (terms.wantsTask && raw) return callAsTask(raw, params, terms, signal, readTool);
  try {
    const result = hooks
      ? await callStreaming(connected, params, signal, hooks)
      : await connected.callTool(params, ...optionsFor(connected, signal && { signal }));
    return await readTool(result);
  } catch (thrown) {
    if (!raw || !isTaskRequired(thrown)) throw thrown;
    return callAsTask(raw, params, terms, signal, readTool);
  }
}

function readResult(result: unknown, tool: Tool | undefined): Outcome {
  const file = fromFileResult(result);
  return file ? success(fromFileForm(file)) : readResponse(revived(result, tool?.revive));
}

/** The function always becomes a task, and the SDK does not declare that its client takes them. */
const isTaskRequired = (thrown: unknown) =>
  safely(() => (thrown as { code?: unknown }).code) === codes.TASK_REQUIRED.mcp;

async function callStreaming(
  client: McpClient,
  params: { name: string; arguments: Record<string, unknown> },
  signal: AbortSignal | undefined,
  hooks: StreamHooks,
): Promise<unknown> {
  const overflow = new AbortController();
  const { token, stop } = listenForProgress(
    client,
    chunkListener(hooks, () => overflow.abort()),
  );
  const signals = [overflow.signal, ...(signal ? [signal] : [])];
  // The server limits the time of a call; the SDK would end a long stream after a minute.
  const options = optionsFor(client, { signal: AbortSignal.any(signals), timeout: MAX_TIMEOUT });
  try {
    return await client.callTool({ ...params, _meta: { progressToken: token } } as typeof params, ...options);
  } catch (thrown) {
    if (overflow.signal.aborted) throw new Failure('UNAVAILABLE', 'The chunks were not read fast enough');
    throw thrown;
  } finally {
    stop();
  }
}

/** setTimeout takes 31 bits. */
const MAX_TIMEOUT = 2 ** 31 - 1;

/** Errors are ignored: the connection may never have been opened. */
async function ignoreErrors(work: () => Promise<unknown>): Promise<void> {
  await work().catch(() => undefined);
}

/** SDK 1.x takes a result schema before the options; SDK 2.x does not. */
function optionsFor(client: McpClient, options: object | undefined): unknown[] {
  if (!options) return [];
  return client.callTool.length < 2 ? [undefined, options] : [options];
}

/** Ends the loop if a server never stops returning cursors. */
const MAX_PAGES = 1000;

async function listTools(client: McpClient): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  const seen = new Set<string | undefined>();
  let cursor: string | undefined;
  do {
    seen.add(cursor);
    const page = (await client.listTools(cursor === undefined ? undefined : { cursor })) as ToolList;
    tools.push(...page.tools.map(toTool));
    cursor = page.nextCursor || undefined;
  } while (cursor !== undefined && !seen.has(cursor) && seen.size < MAX_PAGES);
  return tools;
}

interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly nextCursor?: string;
}

interface ListedTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
}

function toTool({ name, title, description = '', inputSchema, outputSchema }: ListedTool): Tool {
  const revive = outputSchema && compileRevive(outputSchema, false);
  return { name, ...(title !== undefined && { title }), description, inputSchema, revive };
}

function revived(result: unknown, revive: Revive | undefined): unknown {
  if (!revive || !isRecord(result) || result['structuredContent'] === undefined) return result;
  return { ...result, structuredContent: revive(result['structuredContent']) };
}

/** The SDK throws JSON-RPC errors, timeouts and connection errors. */
function failureOf(thrown: unknown): Failed {
  if (isFailure(thrown)) return userFailure(thrown);
  const code = safely(() => (thrown as { code?: unknown }).code);
  if (code === -32001 || code === 'REQUEST_TIMEOUT') return refuse('TIMEOUT', messageOf(thrown));
  if (typeof code !== 'number') return unreachable(thrown);
  const data = safely(() => (thrown as { data?: unknown }).data);
  const message = messageOf(thrown).replace(/^MCP error -?\d+: /, '');
  const outcome: Outcome = readResponse({ jsonrpc: '2.0', error: { code, message, data } });
  return outcome.ok ? unreachable(thrown) : outcome;
}
