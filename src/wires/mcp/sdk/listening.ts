import { ProtocolError } from '@modelcontextprotocol/server';
import { SUBSCRIBE } from '../../../core/operations.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { Message } from '../jsonrpc.ts';
import { protocolError } from './protocol-error.ts';
import type { McpShared } from './shared.ts';
import { addressesIn } from './subscriptions.ts';

/** Whether a message asks to hear of changes, in revision 2026-07-28. */
export function isListen(message: unknown): message is Message {
  return isRecord(message) && message['method'] === 'subscriptions/listen' && message['id'] !== undefined;
}

/** Why a request to listen is refused; undefined if it is not. The SDK checks nothing but its form. */
export async function refusalOf({ app, wire }: McpShared, message: Message): Promise<ProtocolError | undefined> {
  try {
    const uris = addressesIn(app, message);
    if (uris.length === 0) return undefined;
    const { outcome } = await app.operations.respond({ name: SUBSCRIBE, input: { uris }, caller: { wire } });
    return outcome.ok ? undefined : protocolError(outcome);
  } catch (thrown) {
    return thrown instanceof ProtocolError ? thrown : protocolError(app.fault(thrown, { part: 'mcp' }));
  }
}
