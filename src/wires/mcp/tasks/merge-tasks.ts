import { INTERNAL_ERROR, errorResponse } from '../jsonrpc.ts';
import type { MessageId } from '../jsonrpc.ts';
import { acknowledgeTasks } from './acknowledgement.ts';
import { PatientStream } from './patient-stream.ts';
import { framesOf, messageIn, toFrame } from './sse-frames.ts';
import type { TaskSubscription } from './task-listeners.ts';

/**
 * Adds tasks to the stream of a client that listens. The SDK's stream begins with the acknowledgement and ends with the response.
 * If the client asked for nothing but tasks, the response comes at once, and is sent when all tasks have ended. Nothing is
 * read from either side before the client is ready for it.
 */
export function mergeTasks(
  source: ReadableStream<Uint8Array>,
  tasks: TaskSubscription,
  id: MessageId,
): ReadableStream<Uint8Array> {
  const reader = source.getReader();
  const frames = framesOf(reader);
  const client = new PatientStream(tasks.signal, () => {
    tasks.end();
    void reader.cancel().catch(() => {}); // nobody reads it
  });
  void run();
  return client.body;

  async function run(): Promise<void> {
    try {
      const { value: first = '' } = (await frames.next()) as { readonly value?: string };
      const acknowledged = acknowledgeTasks(messageIn(first), tasks.ids);
      if (acknowledged) {
        await client.write(toFrame(JSON.stringify(acknowledged.message)));
        const [response] = await Promise.all([forward(acknowledged.hasOthers), notify()]);
        client.end(response);
      } else client.end(first);
    } catch {
      client.end(toFrame(JSON.stringify(errorResponse(id, { code: INTERNAL_ERROR, message: 'Internal error' }))));
    }
  }

  async function notify(): Promise<void> {
    for await (const message of tasks.follow(id)) await client.write(toFrame(message));
  }

  /** Returns the response. Other notifications end only with the connection, or because the server stops. */
  async function forward(hasOthers: boolean): Promise<string | undefined> {
    try {
      for await (const frame of frames) {
        const isResponse = messageIn(frame)?.['id'] !== undefined;
        if (isResponse) return frame;
        await client.write(frame);
      }
      return undefined;
    } finally {
      if (hasOthers) tasks.end();
    }
  }
}
