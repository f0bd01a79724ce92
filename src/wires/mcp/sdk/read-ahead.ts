/** How much a client may leave unread before it hears no more of what it can do without. */
const MOST_UNREAD = 256 * 1024;

export interface ReadAhead {
  readonly body: ReadableStream<Uint8Array>;
  /** Whether the client does not read what is sent to it. */
  isBehind(): boolean;
}

/**
 * The same stream, of which it is known how much nobody has read yet. The SDK writes to its streams without looking, so
 * that a client that stalls would make them grow without end. A stream that only listens is ended: its client comes back.
 */
export function readAhead(source: ReadableStream<Uint8Array>, isListener: boolean): ReadAhead {
  const reader = source.getReader();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  const isBehind = () => (controller.desiredSize ?? 0) < -MOST_UNREAD;
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      cancel: (reason) => reader.cancel(reason),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  void pump();
  return { body, isBehind };

  async function pump(): Promise<void> {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        controller.enqueue(next.value);
        if (isListener && isBehind()) await reader.cancel();
      }
      controller.close();
    } catch (thrown) {
      // It failed, or the client has left and the stream is closed: then there is nobody to tell, which changes nothing.
      controller.error(thrown);
    }
  }
}
