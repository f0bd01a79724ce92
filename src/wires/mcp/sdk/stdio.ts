import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { isRecord } from '../../../schema/json-schema.ts';
import type { Catalog } from '../catalog.ts';
import type { Elicitation } from '../elicitation.ts';
import { INTERNAL_ERROR, errorResponse, invalidRequest, isId, kindOf } from '../jsonrpc.ts';
import type { Message, MessageId, RpcError } from '../jsonrpc.ts';
import { StdioTasks } from '../tasks/stdio-tasks.ts';
import { isListen, refusalOf } from './listen-request.ts';
import { createRequestState, createSigner } from './request-state.ts';
import { createSdkServer } from './server.ts';
import type { FindElicitation } from './tools.ts';
import { wrapArguments } from './wrapped-arguments.ts';

/** The SDK on a connection that the fast path has begun. */
export interface SdkStdio {
  receive(message: Message): void;
  /** Responds to subscriptions, and ends everything else. */
  close(): Promise<void>;
}

/** Prefix of ids that no client uses. */
const REPLAYED = 'everywire/replayed/';

/**
 * Starts the SDK and replays the messages that it has missed. The responses to those are dropped: the fast path has sent
 * them. `elicitations` are those of calls that were begun on the fast path, by request id.
 */
export async function openSdkStdio(
  catalog: Catalog,
  missed: readonly Message[],
  elicitations: Map<MessageId, Elicitation>,
  send: (message: JSONRPCMessage) => void | Promise<void>,
): Promise<SdkStdio> {
  const requestState = createRequestState(createSigner(catalog.app.secret));
  const replayed = new Map<unknown, () => void>();
  const transport: Transport = {
    start: async () => {},
    async send(message) {
      const done = 'id' in message && !('method' in message) ? replayed.get(message.id) : undefined;
      if (done) done();
      else await send(tasks.adapt(message) as JSONRPCMessage);
    },
    close: async () => transport.onclose?.(),
  };
  const tasks = new StdioTasks(
    catalog,
    (message) => send(message as JSONRPCMessage),
    (id) => deliver({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } }),
  );
  /** Requests to listen that are being checked. */
  const opening = new Set<MessageId>();
  const findElicitation: FindElicitation = ({ mcpReq: { id } }) => {
    const elicitation = elicitations.get(id);
    elicitations.delete(id);
    return elicitation;
  };
  const served = serveStdio(
    ({ era }) => createSdkServer(catalog, { era, lifetime: 'connection', requestState, findElicitation }),
    { transport, onerror: () => {} },
  );
  for (const [index, message] of missed.entries()) await replay(message, REPLAYED + index);
  return {
    receive(message) {
      if (isListen(message)) void listen(message);
      else if (message['method'] === 'notifications/cancelled') cancel(message);
      else deliver(message);
    },
    async close() {
      tasks.close();
      await served.close();
    },
  };

  async function replay(message: Message, id: string): Promise<void> {
    if (String(message['method']).startsWith('notifications/')) return deliver(message);
    const responded = new Promise<void>((resolve) => replayed.set(id, resolve));
    deliver({ ...message, id });
    await responded;
  }

  function deliver(message: Message): void {
    const { id } = message;
    // The SDK drops requests that do not fit its schemas, without a response.
    if (kindOf(message) === 'request' && isId(id) && !isJSONRPCRequest(message))
      void send(invalidRequest(id, 'not a valid MCP request'));
    else transport.onmessage?.(wrapArguments(message) as JSONRPCMessage);
  }

  async function listen(message: Message): Promise<void> {
    const id = message['id'] as MessageId;
    opening.add(id);
    const refusal = (await refusalOf(catalog, message)) ?? (await tasks.listen(message).catch(toFault));
    if (!opening.delete(id)) tasks.end(id);
    else if (refusal) void send(errorResponse(id, refusal));
    else deliver(message);
  }

  function toFault(thrown: unknown): RpcError {
    const { code, message } = catalog.app.reportError(thrown, { part: 'mcp' }).error;
    return { code: INTERNAL_ERROR, message, data: { code } };
  }

  function cancel(message: Message): void {
    const id = isRecord(message['params']) ? message['params']['requestId'] : undefined;
    if (isId(id)) {
      if (opening.delete(id)) return;
      tasks.end(id);
    }
    deliver(message);
  }
}
