import { ProtocolError } from '@modelcontextprotocol/server';
import { SUBSCRIBE } from '../../../core/operations.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { Failed } from '../../../core/outcome.ts';
import type { Catalog, Sender } from '../catalog.ts';
import { isDenied } from '../denial.ts';
import type { Message } from '../jsonrpc.ts';
import { failureError } from './protocol-error.ts';
import { addressesIn } from './subscriptions.ts';

/** Whether a message is a request for notifications of changes, in revision 2026-07-28. */
export function isListen(message: unknown): message is Message {
  return isRecord(message) && message['method'] === 'subscriptions/listen' && message['id'] !== undefined;
}

/** Why a request to listen is refused, if it is. The SDK checks only its form. */
export async function refusalOf(
  { app, sender: known }: Catalog,
  message: Message,
  sender: Sender = known,
  onDenied?: (failure: Failed) => void,
): Promise<ProtocolError | undefined> {
  try {
    const uris = addressesIn(app, message);
    if (uris.length === 0) return undefined;
    const { outcome } = await app.operations.respond({ name: SUBSCRIBE, input: { uris }, ...sender });
    if (isDenied(outcome)) onDenied?.(outcome);
    return outcome.ok ? undefined : failureError(outcome);
  } catch (thrown) {
    return thrown instanceof ProtocolError ? thrown : failureError(app.reportError(thrown, { part: 'mcp' }));
  }
}
