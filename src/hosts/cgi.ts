import type { App } from '../app/app.ts';
import { refuse } from '../core/failure.ts';
import type { Failed } from '../core/outcome.ts';
import { baseOf, bodyLength, decodeCgi, encodeCgi, tooShort } from '../wires/cgi/wire.ts';
import type { CgiVariables } from '../wires/cgi/wire.ts';
import { isMultipart } from '../wires/http/decode-body.ts';
import type { HttpRequest } from '../wires/http/message.ts';
import { createHttpWire } from '../wires/http/wire.ts';
import type { HttpWireOptions } from '../wires/http/wire.ts';
import { MAX_DROPPED, tooLarge } from '../wires/json-body.ts';

interface CgiOptions
  extends Pick<HttpWireOptions, 'environment' | 'hosts' | 'cors'>, Pick<HttpRequest, 'onDisconnect' | 'onClosing'> {
  readonly read: ReadBody;
  /** Calls the listener when the process ends. */
  readonly onExit: (listener: () => void) => void;
}

/** Reads the body synchronously into the bytes from `at`: the process has nothing else to do. Returns 0 at its end. */
export type ReadBody = (bytes: Uint8Array, at: number) => number;

/** Responds to the one request that this process was started for, through the HTTP wire. */
export async function handleCgi(
  app: App,
  variables: CgiVariables,
  { onDisconnect, onClosing, read, onExit, ...options }: CgiOptions,
): Promise<ReturnType<typeof encodeCgi>> {
  app.tasks.requireStore();
  const wire = createHttpWire(app, { ...options, name: 'cgi', base: baseOf(variables), stateless: true });
  const request = decodeCgi(variables, app);
  const isUpload = isMultipart(request.headers) && wire.uploadLimit(request) !== undefined;
  const body =
    refuseProxyHeader(variables) ??
    (isUpload
      ? await uploadOf(variables, app.limits.body, { read, onExit })
      : readBody(variables, app.limits.body, read));
  const reply =
    'ok' in body
      ? wire.refuse(body, request.headers)
      : await wire.handle({ ...request, ...body, onDisconnect, onClosing });
  return encodeCgi(reply, request.method);
}

/** With NODE_USE_ENV_PROXY, Node has already taken the client's Proxy header for a proxy's address (httpoxy). */
function refuseProxyHeader({ HTTP_PROXY, NODE_USE_ENV_PROXY }: CgiVariables): Failed | undefined {
  if (!HTTP_PROXY || !NODE_USE_ENV_PROXY) return undefined;
  return refuse('BAD_REQUEST', 'A Proxy header is not accepted');
}

/** Read while it is decoded: it may contain files. */
async function uploadOf(
  variables: CgiVariables,
  limit: number,
  { read, onExit }: Pick<CgiOptions, 'read' | 'onExit'>,
): Promise<Pick<HttpRequest, 'body' | 'upload'> | Failed> {
  const length = bodyLength(variables);
  if (typeof length === 'object') return length;
  const { createCgiUpload } = await import('./cgi-upload.ts');
  const upload = createCgiUpload(length === 'all' ? Infinity : length, limit, read);
  onExit(() => upload.spool.disposeSync());
  return { body: new Uint8Array(), upload };
}

/** Bytes after CONTENT_LENGTH are not read. */
function readBody(variables: CgiVariables, limit: number, read: ReadBody): { readonly body: Uint8Array } | Failed {
  const length = bodyLength(variables);
  if (typeof length === 'object') return length;
  const expected = length === 'all' ? Infinity : length;
  try {
    const body = readUpTo(Math.min(expected, limit + 1), read);
    if (body.length > limit) {
      skip(expected - body.length, limit, read);
      return tooLarge(limit);
    }
    return length !== 'all' && body.length < length ? tooShort(length, body.length) : { body };
  } catch {
    return refuse('BAD_REQUEST', 'The body could not be read');
  }
}

function readUpTo(max: number, read: ReadBody): Buffer {
  let bytes = Buffer.allocUnsafe(Math.min(max, 65_536));
  let at = 0;
  while (at < max) {
    if (at === bytes.length) bytes = Buffer.concat([bytes], Math.min(max, bytes.length * 2));
    const count = read(bytes, at);
    if (count === 0) break;
    at += count;
  }
  return bytes.subarray(0, at);
}

/** A web server that cannot deliver the whole body may stop before it reads our response. A body may be endless, though. */
export function skip(rest: number, limit: number, read: ReadBody): void {
  const bytes = Buffer.allocUnsafe(65_536);
  for (let left = Math.min(rest, limit * MAX_DROPPED); left > 0;) {
    const count = read(bytes, 0);
    if (count === 0) return;
    left -= count;
  }
}
