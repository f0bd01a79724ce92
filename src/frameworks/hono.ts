import { STALE_HEADERS, createInspector, isInspected } from './inspector.ts';
import type { CheckResponsesOptions } from './inspector.ts';

export type { CheckResponsesOptions, ResponseReport } from './inspector.ts';

/** Middleware for Hono: its context has at least this. */
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
    // No body at all is nothing to look at, whatever its type says.
    const instead = read.text ? inspect(read.text, req, res.status) : undefined;
    const headers = new Headers(res.headers);
    for (const [name, value] of Object.entries(instead?.replaced?.headers ?? {})) headers.set(name, value);
    if (instead) for (const name of STALE_HEADERS) headers.delete(name);
    const status = instead?.replaced?.status ?? res.status;
    // Hono would merge the old headers into the new response.
    context.res = undefined as never;
    context.res = new Response(instead?.body ?? read.body, { status, headers });
  };
}

interface Read {
  /** Undefined when the body is streamed. */
  readonly text?: string;
  /** The same bytes, to be sent. */
  readonly body: Blob | ReadableStream<Uint8Array>;
}

/** What is larger, or takes its time, is streamed. */
const LARGEST = 16 * 1024 * 1024;

/** A body that was made from a text is there at once; any other goes on as it came. */
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

/** What a promise gives before anything else happens; undefined when it is not that quick. */
async function atOnce<T>(promise: Promise<T>): Promise<T | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const later = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), 0);
  });
  return Promise.race([promise, later]).finally(() => clearTimeout(timer));
}

/** What was read so far, then what is being read, then the rest. */
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
