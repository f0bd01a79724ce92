import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';
import { createInspector, isInspected } from './inspector.ts';
import type { CheckResponsesOptions, Inspect, Instead } from './inspector.ts';

export type { CheckResponsesOptions, ResponseReport } from './inspector.ts';

/** Middleware for Express 5 and whatever else takes `(request, response, next)`. */
export type NodeMiddleware = (
  request: IncomingMessage & { readonly originalUrl?: string },
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void;

/**
 * Checks every response before it is sent. It watches `end`, which `res.json`, `res.send` and code that knows nothing
 * of Express all come down to; what is streamed with `write` passes untouched.
 */
export function checkResponses(options: CheckResponsesOptions = {}): NodeMiddleware {
  const inspect = createInspector(options);
  return (request, response, next) => {
    watch(request, response, inspect);
    next();
  };
}

function watch(request: Parameters<NodeMiddleware>[0], response: ServerResponse, inspect: Inspect): void {
  // oxlint-disable-next-line typescript/unbound-method -- they are put back where they were
  const { write, end, writeHead, flushHeaders } = response;
  let head: HeadArguments | undefined;

  // Node calls writeHead from within end and write, so all four are put back before any of them is used.
  const stepAside = () => Object.assign(response, { write, end, writeHead, flushHeaders });
  const letPass = () => {
    stepAside();
    if (head) response.writeHead(...(head as Parameters<typeof writeHead>));
  };

  const watched = {
    writeHead(...args: HeadArguments): ServerResponse {
      head = args; // once written it could not be changed
      return response;
    },
    flushHeaders(): void {
      letPass();
      response.flushHeaders();
    },
    write(...args: Parameters<typeof write>): boolean {
      letPass();
      return response.write(...args);
    },
    end(...args: unknown[]): ServerResponse {
      const instead = lookAt(args);
      if (!instead) {
        letPass();
        return response.end(...(args as Parameters<typeof end>));
      }
      stepAside();
      if (head) applyHead(response, head);
      return send(response, instead, args.find((arg) => typeof arg === 'function') as (() => void) | undefined);
    },
  };
  Object.assign(response, watched);

  function lookAt([chunk, encoding]: readonly unknown[]): Instead | undefined {
    const text = textOf(chunk, encoding);
    const headers = headersIn(head);
    const header = (name: string) => headers.get(name) ?? response.getHeader(name);
    const status = head?.[0] ?? response.statusCode;
    const facts = {
      method: request.method ?? 'GET',
      status,
      type: header('content-type'),
      encoding: header('content-encoding'),
    };
    if (!text || response.headersSent || !isInspected(facts)) return undefined;
    return inspect(text, { method: facts.method, url: request.originalUrl ?? request.url ?? '/' });
  }
}

function send(response: ServerResponse, { body, replaced }: Instead, done: (() => void) | undefined): ServerResponse {
  if (replaced) {
    response.statusCode = replaced.status;
    response.statusMessage = '';
    response.setHeader('content-type', replaced.contentType);
  }
  // They describe the body that is not sent.
  for (const name of ['etag', 'content-md5', 'digest', 'last-modified']) response.removeHeader(name);
  response.setHeader('content-length', Buffer.byteLength(body));
  return response.end(body, done);
}

function textOf(chunk: unknown, encoding: unknown): string | undefined {
  if (chunk instanceof Uint8Array) return Buffer.from(chunk).toString();
  if (typeof chunk !== 'string') return undefined;
  const isText = typeof encoding !== 'string' || /^utf-?8$/i.test(encoding);
  return isText ? chunk : Buffer.from(chunk, encoding as BufferEncoding).toString();
}

/** Of writeHead: a status, perhaps a reason, perhaps headers as an object, a flat list or pairs. */
type HeadArguments = [status: number, ...rest: unknown[]];

function headersIn(head: HeadArguments | undefined): Map<string, OutgoingHttpHeader> {
  const headers = head?.slice(1).find((arg) => typeof arg === 'object' && arg !== null);
  if (!headers) return new Map();
  const entries = Array.isArray(headers) ? pairs(headers as readonly unknown[]) : Object.entries(headers);
  return new Map(entries.map(([name, value]) => [name.toLowerCase(), value as OutgoingHttpHeader]));
}

function pairs(list: readonly unknown[]): [string, unknown][] {
  if (list.every(Array.isArray)) return list as unknown as [string, unknown][];
  return list.flatMap((name, i): [string, unknown][] => (i % 2 === 0 ? [[String(name), list[i + 1]]] : []));
}

function applyHead(response: ServerResponse, head: HeadArguments): void {
  response.statusCode = head[0];
  for (const [name, value] of headersIn(head)) response.setHeader(name, value);
}
