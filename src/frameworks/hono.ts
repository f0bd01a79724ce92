import { STALE_HEADERS, createInspector, isInspected } from './inspector.ts';
import type { CheckResponsesOptions } from './inspector.ts';

export type { CheckResponsesOptions, ResponseReport } from './inspector.ts';

/** Middleware for Hono, with the part of its context that is used here. */
export type HonoMiddleware = (
  context: { readonly req: { readonly method: string; readonly url: string }; res: Response },
  next: () => Promise<void>,
) => Promise<void>;

/** Checks every response before it is sent: `app.use(checkResponses(options))`. */
export function checkResponses(options: CheckResponsesOptions = {}): HonoMiddleware {
  const inspect = createInspector(options);
  return async (context, next) => {
    await next();
    const { req, res } = context;
    const facts = {
      method: req.method,
      status: res.status,
      type: res.headers.get('content-type'),
      encoding: res.headers.get('content-encoding'),
    };
    if (!res.body || !isInspected(facts)) return;
    const read = await readWhole(res.body);
    // An empty body is not checked, whatever its Content-Type is.
    const replacement = read.text ? inspect(read.text, req, res.status) : undefined;
    const headers = new Headers(res.headers);
    for (const [name, value] of Object.entries(replacement?.failure?.headers ?? {})) headers.set(name, value);
    if (replacement) for (const name of STALE_HEADERS) headers.delete(name);
    const status = replacement?.failure?.status ?? res.status;
    // Otherwise Hono would merge the old headers into the new response.
    context.res = undefined as never;
    context.res = new Response(replacement?.body ?? read.body, { status, headers });
  };
}

interface Read {
  /** Undefined when the body is streamed. */
  readonly text?: string;
  /** The same bytes, to be sent. */
  readonly body: Blob | ReadableStream<Uint8Array>;
}

/** Larger bodies are streamed without a check, and so are bodies that are not available at once. */
const LARGEST = 16 * 1024 * 1024;

/** Reads a body that is available at once, such as one made from a string; any other is passed on as a stream. */
async function readWhole(body: ReadableStream<Uint8Array>): Promise<Read> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  for (let size = 0; ;) {
    const pending = reader.read();
    const next = size > LARGEST ? undefined : await atOnce(pending);
    if (!next) return { body: resumed(chunks, pending, reader) };
    if (next.done) break;
    chunks.push(next.value);
    size += next.value.byteLength;
  }
  const whole = new Blob(chunks as BlobPart[]);
  return { text: await whole.text(), body: whole };
}

/** The value of a promise that settles before the next timer; else undefined. */
async function atOnce<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), 0);
  });
  return Promise.race([promise, later]).finally(() => clearTimeout(timer));
}

/** A stream of what was read so far, then of the pending read, then of the rest. */
function resumed(
  chunks: readonly Uint8Array[],
  pending: Promise<ReadableStreamReadResult<Uint8Array>>,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> {
  let next: Promise<ReadableStreamReadResult<Uint8Array>> | undefined = pending;
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
    },
    async pull(controller) {
      const { done, value } = await (next ?? reader.read());
      next = undefined;
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
