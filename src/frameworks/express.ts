import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { STALE_HEADERS, createInspector, isInspected } from './inspector.ts';
import type { CheckResponsesOptions, Inspect, Replacement } from './inspector.ts';

export type { CheckResponsesOptions, ResponseReport } from './inspector.ts';

/** Middleware for Express 5 and other frameworks that use `(request, response, next)`. */
export type NodeMiddleware = (
  request: IncomingMessage & { readonly originalUrl?: string },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Checks every response before it is sent. It wraps `end`, which `res.json`, `res.send` and plain Node code all call in
 * the end. Responses that are streamed with `write` are not checked.
 */
export function checkResponses(options: CheckResponsesOptions = {}): NodeMiddleware {
  const inspect = createInspector(options);
  return (request, response, next) => {
    watch(request, response, inspect);
    next();
  };
}

function watch(request: Parameters<NodeMiddleware>[0], response: ServerResponse, inspect: Inspect): void {
  const write = response.write.bind(response) as (...args: unknown[]) => boolean;
  const end = response.end.bind(response) as (...args: unknown[]) => ServerResponse;
  const writeHead = response.writeHead.bind(response) as (...args: unknown[]) => ServerResponse;
  const flushHeaders = response.flushHeaders.bind(response);
  let head: HeadArguments | undefined;
  // The original methods are never restored: other middleware may have wrapped ours, and Node calls writeHead inside
  // end. Once a response is being sent, ours only delegate.
  let isPassing = false;

  const passThrough = () => {
    if (isPassing) return;
    isPassing = true;
    if (head) writeHead(...head);
  };

  Object.assign(response, {
    writeHead(...args: HeadArguments): ServerResponse {
      if (isPassing) return writeHead(...args);
      head = args; // delayed: headers cannot be changed once they are written
      return response;
    },
    flushHeaders(): void {
      passThrough();
      flushHeaders();
    },
    write(...args: unknown[]): boolean {
      passThrough();
      return write(...args);
    },
    end(...args: unknown[]): ServerResponse {
      const replacement = isPassing ? undefined : inspectBody(args);
      if (!replacement) {
        passThrough();
        return end(...args);
      }
      isPassing = true;
      if (head) applyHead(response, head);
      change(response, replacement);
      return end(
        replacement.body,
        args.find((arg) => typeof arg === 'function'),
      );
    },
  });

  function inspectBody([chunk, encoding]: readonly unknown[]): Replacement | undefined {
    const text = decodeChunk(chunk, encoding);
    const headers = new Map(headersIn(head));
    const header = (name: string) => headers.get(name) ?? response.getHeader(name);
    const status = head?.[0] ?? response.statusCode;
    const facts = {
      method: request.method ?? 'GET',
      status,
      type: header('content-type'),
      encoding: header('content-encoding'),
    };
    if (!text || response.headersSent || !isInspected(facts)) return undefined;
    return inspect(text, { method: facts.method, url: request.originalUrl ?? request.url ?? '/' }, status);
  }
}

function change(response: ServerResponse, { body, failure }: Replacement): void {
  if (failure) {
    response.statusCode = failure.status;
    response.statusMessage = '';
    for (const [name, value] of Object.entries(failure.headers)) response.setHeader(name, value);
  }
  for (const name of STALE_HEADERS) response.removeHeader(name);
  response.setHeader('content-length', Buffer.byteLength(body));
}

function decodeChunk(chunk: unknown, encoding: unknown): string | undefined {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk).toString();
  if (typeof chunk !== 'string') return undefined;
  const isText = typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
  return isText ? chunk : Buffer.from(chunk, encoding as BufferEncoding).toString();
}

/** The arguments of writeHead: a status, optionally a reason, optionally headers as an object, a flat list or pairs. */
type HeadArguments = [status: number, ...rest: unknown[]];

function headersIn(head: HeadArguments | undefined): readonly (readonly [string, OutgoingHttpHeader])[] {
  const headers = head?.slice(1).find((arg) => typeof arg === 'object' && arg !== null);
  if (!headers) return [];
  const entries = Array.isArray(headers) ? pairs(headers as readonly unknown[]) : Object.entries(headers);
  return entries.map(([name, value]) => [name.toLowerCase(), value as OutgoingHttpHeader]);
}

function pairs(list: readonly unknown[]): [string, unknown][] {
  if (list.every(Array.isArray)) return list as unknown as [string, unknown][];
  return list.flatMap((name, i): [string, unknown][] => (i % 2 === 0 ? [[String(name), list[i + 1]]] : []));
}

function applyHead(response: ServerResponse, head: HeadArguments): void {
  response.statusCode = head[0];
  const headers = headersIn(head);
  for (const [name] of headers) response.removeHeader(name);
  // A list may contain a header twice, such as Set-Cookie.
  for (const [name, value] of headers) {
    const values = Array.isArray(value) ? value.map(String) : String(value);
    if (response.hasHeader(name)) response.appendHeader(name, values);
    else response.setHeader(name, values);
  }
}
