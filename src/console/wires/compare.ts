import { bodyOf } from '../mcp/call-tool.ts';
import type { ToolResult } from '../mcp/call-tool.ts';
import { LEGACY, MODERN, rpc } from '../mcp/rpc.ts';
import type { Revision } from '../mcp/rpc.ts';
import { ask, askJson } from '../server.ts';
import type { Details } from '../types.ts';

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
    return { wire, duration, body: text, bytes: bytes.length, ...(await digest(bytes)) };
  } catch (error) {
    return { wire, problem: (error as Error).message };
  }
}

/** Browsers have it only for pages of this machine and of HTTPS. */
async function digest(bytes: Uint8Array<ArrayBuffer>): Promise<Pick<WireResult, 'sha256'>> {
  if (!globalThis.isSecureContext) return {};
  const found = await crypto.subtle.digest('SHA-256', bytes);
  return { sha256: [...new Uint8Array(found)].map((byte) => byte.toString(16).padStart(2, '0')).join('') };
}

async function overHttp(fn: Details, body: string): Promise<string> {
  const response = await ask(`functions/${encodeURIComponent(fn.name)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body,
  });
  return response.text();
}

async function overMcp(fn: Details, body: string, revision: Revision): Promise<string> {
  const params = { name: fn.operationId, arguments: JSON.parse(body) as unknown };
  const { result, error } = await rpc<ToolResult>('tools/call', params, { revision });
  return error ? JSON.stringify({ error: error.message }) : bodyOf(result ?? {});
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
  const [{ sha256, body }] = bodies as [WireResult];
  return bodies.every((one) => (sha256 && one.sha256 ? one.sha256 === sha256 : one.body === body));
}
