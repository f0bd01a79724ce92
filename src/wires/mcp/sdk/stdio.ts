import { isJSONRPCRequest } from '@modelcontextprotocol/server';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { errorResponse, invalidRequest, isId, kindOf } from '../jsonrpc.ts';
import type { Message, MessageId } from '../jsonrpc.ts';
import type { Offer } from '../catalog.ts';
import type { Rounds } from '../elicitation.ts';
import { putAside } from './given-arguments.ts';
import { isListen, refusalOf } from './listening.ts';
import { createMcpServer } from './server.ts';
import { createShared } from './shared.ts';

/** The official server on a connection that the lane has begun. */
export interface OfficialStdio {
  hear(message: Message): void;
  /** Answers what goes on for as long as the connection does, and ends everything else. */
  close(): Promise<void>;
}

/** Ids that no client has. */
const OPENING = 'everywire/opening/';

/** Wakes it with what it has missed, whose answers nobody waits for any more. */
export async function openOfficialStdio(
  offer: Offer,
  opening: readonly Message[],
  questions: Map<MessageId, Rounds>,
  say: (message: JSONRPCMessage) => void,
): Promise<OfficialStdio> {
  const shared = createShared(offer);
  const missed = new Map<unknown, () => void>();
  const transport: Transport = {
    start: async () => {},
    async send(message) {
      const known = 'id' in message && !('method' in message) ? missed.get(message.id) : undefined;
      if (known) known();
      else say(message);
    },
    close: async () => transport.onclose?.(),
  };
  const begun = ({ mcpReq: { id } }: { readonly mcpReq: { readonly id: MessageId } }) => {
    const rounds = questions.get(id);
    questions.delete(id);
    return rounds;
  };
  const served = serveStdio(({ era }) => createMcpServer(shared, { era, lasts: 'connection', begun }), {
    transport,
    onerror: () => {},
  });

  const hear = (message: Message) => {
    const { id } = message;
    // The SDK drops what is no request by its schemas, without a word to whoever waits for an answer.
    if (kindOf(message) === 'request' && isId(id) && !isJSONRPCRequest(message))
      say(invalidRequest(id, 'not a request of MCP'));
    else transport.onmessage?.(putAside(message) as JSONRPCMessage);
  };
  for (const [index, message] of opening.entries()) {
    if (String(message['method']).startsWith('notifications/')) hear(message);
    else {
      const id = OPENING + index;
      const answered = new Promise<void>((resolve) => missed.set(id, resolve));
      hear({ ...message, id });
      await answered;
    }
  }
  return {
    hear(message) {
      if (isListen(message)) void listen(message);
      else hear(message);
    },
    close: () => served.close(),
  };

  async function listen(message: Message): Promise<void> {
    const refusal = await refusalOf(shared, message);
    if (refusal) say(errorResponse(message['id'] as MessageId, refusal));
    else hear(message);
  }
}
