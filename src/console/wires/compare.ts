import { parseJson } from '../../schema/parse-json.ts';
import { bodyOf } from '../mcp/call-tool.ts';
import type { ToolResult } from '../mcp/call-tool.ts';
import { LEGACY, MODERN, rpc } from '../mcp/rpc.ts';
import type { Revision } from '../mcp/rpc.ts';
import { ask, askJson } from '../server.ts';
import type { Details } from '../types.ts';
import { sha256 } from './sha256.ts';

/** What one wire answered. */
export interface WireResult {
  readonly wire: string;
  readonly duration?: number;
  readonly body?: string;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly problem?: string;
}

/** Makes one call on every wire: those of the server from here, the others in processes that the server starts. */
export async function compareWires(
  fn: Details,
  body: string,
  startsProcesses: boolean,
  onResult: (results: readonly WireResult[]) => void,
): Promise<void> {
  await Promise.all([
    measured('HTTP', () => overHttp(fn, body)).then((result) => onResult([result])),
    ...([LEGACY, MODERN] as const).map(async (revision) =>
      onResult([await measured(`MCP ${revision}`, () => overMcp(fn, body, revision))]),
    ),
    startsProcesses ? spawned(fn, body).then(onResult) : undefined,
  ]);
}

async function measured(wire: string, call: () => Promise<string>): Promise<WireResult> {
  const start = performance.now();
  try {
    const text = await call();
    const duration = performance.now() - start;
    const bytes = new TextEncoder().encode(text);
    return { wire, duration, body: text, bytes: bytes.length, sha256: await sha256(bytes) };
  } catch (error) {
    return { wire, problem: (error as Error).message };
  }
}

async function overHttp(fn: Details, body: string): Promise<string> {
  const response = await ask(`functions/${encodeURIComponent(fn.name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body,
  });
  return response.text();
}

/** JSON-RPC: this client has not declared that it can do what the function needs, which is to ask. */
const MISSING_CAPABILITY = -32021;

async function overMcp(fn: Details, body: string, revision: Revision): Promise<string> {
  const params = { name: fn.operationId, arguments: parseJson(body) };
  const { result = {}, error } = await rpc<ToolResult>('tools/call', params, { revision });
  // As the server says of the processes that it starts.
  if (error?.code === MISSING_CAPABILITY)
    throw new Error('left out: the function asks, and here only clients that can answer');
  if (error) return JSON.stringify({ error: error.message });
  if (fn.returnsFile && !result.isError && result.structuredContent === undefined)
    throw new Error('left out: MCP sends a file as content');
  return bodyOf(result);
}

async function spawned(fn: Details, body: string): Promise<readonly WireResult[]> {
  try {
    const { results } = await askJson<{ results: WireResult[] }>('console/api/compare', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"function":${JSON.stringify(fn.name)},"input":${body}}`,
    });
    return results;
  } catch (error) {
    return [{ wire: 'Processes', problem: (error as Error).message }];
  }
}

/** Whether all answered with the same bytes; undefined if there is nothing to compare. */
export function areEqual(results: readonly WireResult[]): boolean | undefined {
  const bodies = results.filter(({ body }) => body !== undefined);
  if (bodies.length < 2) return undefined;
  // Not the bodies, of which the server sends only the beginning.
  return bodies.every((one) => one.sha256 === bodies[0]!.sha256);
}
