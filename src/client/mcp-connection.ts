import { messageOf, refuse } from '../core/failure.ts';
import { quietly } from '../core/foreign.ts';
import type { Failed, Outcome } from '../core/outcome.ts';
import { readResponse } from '../responses/read-response.ts';
import { isRecord } from '../schema/json-schema.ts';
import type { JsonSchema } from '../schema/json-schema.ts';
import { compileRevive } from '../schema/revive.ts';
import type { Revive } from '../schema/revive.ts';
import { toJson } from '../schema/to-json.ts';
import type { Callable, Connection } from './connection.ts';
import { unreachable } from './unreachable.ts';

/** The part of an MCP client that is used: the official ones, 1.x and 2.x, have it. */
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

export function connectMcp(connect: () => Promise<McpClient>): Connection {
  let connected: Promise<McpClient> | undefined;
  let listed: Promise<readonly Tool[]> | undefined;
  const client = () => (connected ??= connect());
  const tools = () => (listed ??= client().then(listTools));

  return {
    async call(name, input, { signal, timeout }) {
      try {
        const there = await client();
        const tool = find(await tools(), name);
        const carried = toJson(input ?? {}, DEEPEST);
        const given = (carried.problem ? input : carried.value) as Record<string, unknown>;
        const options = { ...(signal && { signal }), ...(timeout !== undefined && { timeout }) };
        const result = await there.callTool(
          { name: tool?.name ?? name, arguments: given },
          ...optionsFor(there, options),
        );
        return readResponse(revived(result, tool?.revive));
      } catch (thrown) {
        connected = listed = undefined; // the next call tries anew
        return failureOf(thrown, signal);
      }
    },
    list: tools,
    async close() {
      await (await connected)?.close?.();
    },
  };
}

const DEEPEST = 64;

/** Version 1 takes a schema for the result before the options, version 2 does not. */
function optionsFor(client: McpClient, options: object): unknown[] {
  return client.callTool.length < 2 ? [undefined, options] : [options];
}

async function listTools(client: McpClient): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  let cursor: string | undefined;
  do {
    const page = (await client.listTools(cursor === undefined ? undefined : { cursor })) as ToolList;
    tools.push(...page.tools.map(toTool));
    cursor = page.nextCursor || undefined;
  } while (cursor !== undefined);
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

/** By its own name, or by what ours make of a function's. */
function find(tools: readonly Tool[], name: string): Tool | undefined {
  const names = [name, `functions.${name}`, `functions_${name}`];
  return names.map((wanted) => tools.find((tool) => tool.name === wanted)).find((tool) => tool !== undefined);
}

function revived(result: unknown, revive: Revive | undefined): unknown {
  if (!revive || !isRecord(result) || result['structuredContent'] === undefined) return result;
  return { ...result, structuredContent: revive(result['structuredContent']) };
}

/** JSON-RPC errors are thrown, as are timeouts and broken connections. */
function failureOf(thrown: unknown, signal: AbortSignal | undefined): Failed {
  if (signal?.aborted) return refuse('CANCELLED', 'Cancelled by the caller');
  const code = quietly(() => (thrown as { code?: unknown }).code);
  if (code === -32001 || code === 'REQUEST_TIMEOUT') return refuse('TIMEOUT', messageOf(thrown));
  if (typeof code !== 'number') return unreachable(thrown);
  const data = quietly(() => (thrown as { data?: unknown }).data);
  const message = messageOf(thrown).replace(/^MCP error -?\d+: /, '');
  const outcome: Outcome = readResponse({ jsonrpc: '2.0', error: { code, message, data } });
  return outcome.ok ? unreachable(thrown) : outcome;
}
