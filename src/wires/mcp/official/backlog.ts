import type { JSONRPCMessage, RequestId, ServerContext, Transport } from '@modelcontextprotocol/server';

/** Bytes that may wait for the reader of a stream before anything is dropped that the reader can do without. */
const MOST_WAITING = 1_048_576;

/** What was said in answer to a request of HTTP, and not read yet. */
interface Backlog {
  waiting: number;
}

const backlogs = new WeakMap<Request, Backlog>();
const streams = new WeakMap<Transport, Map<RequestId, Backlog>>();

/**
 * The SDK keeps what it streams until it is read, however much that is. From now on log and progress messages of a call
 * are dropped while its caller does not come for them; the answer never is. Returns what ends this.
 */
export function boundBacklog(transport: Transport | undefined, { http, mcpReq }: ServerContext): () => void {
  if (!transport || !http?.req) return () => {};
  const backlog: Backlog = { waiting: 0 };
  backlogs.set(http.req, backlog);
  const known = streams.get(transport) ?? bounded(transport);
  streams.set(transport, known.set(mcpReq.id, backlog));
  return () => void known.delete(mcpReq.id);
}

function bounded(transport: Transport): Map<RequestId, Backlog> {
  const known = new Map<RequestId, Backlog>();
  const send = transport.send.bind(transport);
  transport.send = async (message, options) => {
    const backlog = isMention(message) ? known.get(options?.relatedRequestId as RequestId) : undefined;
    if (backlog) {
      if (backlog.waiting > MOST_WAITING) return;
      backlog.waiting += JSON.stringify(message).length;
    }
    await send(message, options);
  };
  return known;
}

function isMention(message: JSONRPCMessage): boolean {
  const method = 'method' in message ? message.method : undefined;
  return method === 'notifications/message' || method === 'notifications/progress';
}

/** The stream that answers a request; what is read of it no longer waits. */
export function counted(body: ReadableStream<Uint8Array>, request: Request): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) return controller.close();
        const backlog = backlogs.get(request);
        if (backlog) backlog.waiting = Math.max(0, backlog.waiting - value.length);
        controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
