import { Failure } from '../core/failure.ts';
import { isRecord } from '../schema/json-schema.ts';
import { version } from '../version.ts';
import type { McpClient } from './mcp-connection.ts';
import { listenOn } from './mcp-stream.ts';
import type { Transport } from './mcp-stream.ts';

const PREFIX = 'io.modelcontextprotocol/';
/** The extension of MCP for tasks. */
const TASKS = `${PREFIX}tasks`;

/** The response to a request: one of both. */
export interface RawResponse {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** Sends a request past the SDK, whose client knows no tasks. */
export type RawRequest = (
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal | undefined,
  /** Whether the task may ask: somebody will answer. */
  canAnswer?: boolean,
) => Promise<RawResponse>;

/** Undefined if there are no tasks on the connection: only revision 2026-07-28 has them, and only SDK 2.x has that. */
export function rawRequestOf(client: McpClient): RawRequest | undefined {
  const { transport, getProtocolEra, getNegotiatedProtocolVersion } = client as SdkClient;
  if (!transport?.send || getProtocolEra?.call(client) !== 'modern') return undefined;
  const envelope = {
    [`${PREFIX}protocolVersion`]: getNegotiatedProtocolVersion?.call(client),
    [`${PREFIX}clientInfo`]: { name: 'everywire', version },
  };
  return (method, params, signal, canAnswer = false) =>
    new Promise((resolve, reject) => {
      const capabilities = { ...(canAnswer && { elicitation: {} }), extensions: { [TASKS]: {} } };
      const _meta = { ...toRecord(params['_meta']), ...envelope, [`${PREFIX}clientCapabilities`]: capabilities };
      const id = `everywire/${crypto.randomUUID()}`;
      const end = () => {
        stop();
        signal?.removeEventListener('abort', abort);
      };
      const fail = (thrown: unknown) => {
        end();
        reject(thrown);
      };
      const abort = () => fail(new Failure('CANCELLED', 'Cancelled by the caller'));
      const stop = listenOn(transport, id, (message) => {
        end();
        resolve(message);
      });
      if (signal?.aborted) return abort();
      signal?.addEventListener('abort', abort);
      const request = { jsonrpc: '2.0', id, method, params: { ...params, _meta } };
      transport.send!(request, signal && { requestSignal: signal }).catch(fail);
    });
}

const toRecord = (value: unknown) => (isRecord(value) ? value : {});

type SdkClient = McpClient & {
  readonly transport?: Transport & { send?(message: unknown, options?: object): Promise<void> };
  readonly getProtocolEra?: () => string | undefined;
  readonly getNegotiatedProtocolVersion?: () => string | undefined;
};
