import { FILE_HANDLE } from './file-handle.ts';
import type { FileHandle } from './file-handle.ts';

type Source = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array>;

/** A file whose bytes are produced while it is sent. */
export class StreamedFile implements FileHandle {
  constructor(
    readonly name: string,
    readonly type: string,
    source: Source,
    readonly size: number | undefined,
  ) {
    // Not enumerable: records and logs show the name and the type only.
    Object.defineProperty(this, 'source', { value: source });
  }

  get [FILE_HANDLE](): true {
    return true;
  }

  stream(): ReadableStream<Uint8Array> {
    const { source } = this as unknown as { readonly source: Source };
    return toByteStream('getReader' in source ? fromStream(source) : fromIterable(source));
  }
}

interface Chunks {
  readonly next: () => Promise<{ readonly done?: boolean | undefined; readonly value?: unknown }>;
  readonly stop: () => Promise<unknown>;
}

function fromStream(source: ReadableStream<unknown>): Chunks {
  const reader = source.getReader();
  return { next: () => reader.read(), stop: () => reader.cancel() };
}

function fromIterable(source: AsyncIterable<unknown> & { destroy?: () => void }): Chunks {
  const iterator = source[Symbol.asyncIterator]();
  return {
    next: () => iterator.next(),
    async stop() {
      await iterator.return?.();
      // A stream of Node that nobody has begun to read does not notice that its iterator ended.
      source.destroy?.();
    },
  };
}

/** A stream that asks for a chunk when its reader does. Cancelling it ends the source. */
function toByteStream({ next, stop }: Chunks): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await next().catch((thrown: unknown) => {
          throw thrown ?? new Error('The stream of a file failed, and does not say why');
        });
        if (done) return controller.close();
        if (value instanceof Uint8Array) return controller.enqueue(value);
        await stop();
        throw new TypeError('The stream of a file must consist of Uint8Array');
      },
      cancel: async () => void (await stop()),
    },
    { highWaterMark: 0 }, // reads on demand
  );
}
