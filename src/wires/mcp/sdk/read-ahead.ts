/** Unread bytes after which a client gets no more progress and log notifications. */
const MAX_UNREAD = 256 * 1024;

export interface ReadAhead {
  readonly body: ReadableStream<Uint8Array>;
  /** Whether the client does not read what is sent to it. */
  isBehind(): boolean;
  /** Resolves when the client has read what it was behind with; at once if it was not. */
  untilRead(): Promise<void>;
}

/**
 * The same stream, with a count of its unread bytes. The SDK writes to its streams without backpressure, so a client that
 * stalls would make them grow without limit. A stream that only listens is ended: its client reconnects.
 */
export function readAhead(source: ReadableStream<Uint8Array>, isListener: boolean): ReadAhead {
  const reader = source.getReader();
  let controller!: ReadableStreamDefaultController<Uint8Array>;
  /** Several calls of a batch may wait for one client. */
  const waiting = new Set<() => void>();
  const onRead = () => {
    for (const resume of waiting) resume();
    waiting.clear();
  };
  const isBehind = () => (controller.desiredSize ?? 0) < -MAX_UNREAD;
  const body = new ReadableStream<Uint8Array>(
    {
      start(given) {
        controller = given;
      },
      pull: () => onRead(),
      cancel(reason) {
        onRead();
        return reader.cancel(reason);
      },
    },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
  void pump();
  return {
    body,
    isBehind,
    untilRead: async () => {
      if (isBehind()) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };

  async function pump(): Promise<void> {
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) {
        controller.enqueue(next.value);
        if (isListener && isBehind()) await reader.cancel();
      }
      controller.close();
    } catch (thrown) {
      // The source failed, or the client has disconnected and the stream is closed: then this has no effect.
      controller.error(thrown);
    }
  }
}
