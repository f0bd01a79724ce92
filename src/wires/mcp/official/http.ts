import {
  WebStandardStreamableHTTPServerTransport,
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../../schema/json-schema.ts';
import type { HttpReply, HttpRequest } from '../../http.ts';
import { needsSession } from '../offer.ts';
import type { Offer } from '../offer.ts';
import type { Rounds } from '../rounds.ts';
import { counted } from './backlog.ts';
import { putAside } from './given-arguments.ts';
import { mistakeInBatch } from './ids-under-way.ts';
import { invalidRequest } from './invalid-request.ts';
import { createMcpServer } from './server.ts';
import { Sessions } from './sessions.ts';
import { createShared } from './shared.ts';
import { unlessStreamed } from './unless-streamed.ts';

/** The official server on Streamable HTTP, both revisions: all that the lane leaves. */
export interface OfficialHttp {
  /** The body has been read already; questions are those of a call that was begun on the lane. */
  handle(request: HttpRequest, body: unknown, questions?: Rounds): Promise<HttpReply>;
  close(): Promise<void>;
}

export function createOfficialHttp(offer: Offer, isStateless: boolean): OfficialHttp {
  const { app } = offer;
  const shared = createShared(offer);
  const begun = new WeakMap<Request, Rounds>();
  const modern = createMcpHandler(
    ({ requestInfo }) =>
      createMcpServer(shared, {
        era: 'modern',
        lasts: 'request',
        begun: () => requestInfo && begun.get(requestInfo),
      }),
    {
      legacy: 'reject',
      maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the host has counted already
    },
  );
  const sessions = new Sessions(shared, app.limits);
  const forget = app.changes.listen((change) => {
    if (change.kind === 'resource') modern.notify.resourceUpdated(change.uri);
    else if (change.kind === 'tools') modern.notify.toolsChanged();
    else if (change.kind === 'prompts') modern.notify.promptsChanged();
    else modern.notify.resourcesChanged();
  });

  return {
    async handle(given, body, questions) {
      const request = toRequest(given);
      if (questions) begun.set(request, questions);
      return toReply(await respond(request, putAside(body)), request);
    },
    async close() {
      forget();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };

  async function respond(request: Request, body: unknown): Promise<Response> {
    const mistake = mistakeInBatch(body);
    if (mistake) return invalidRequest(mistake, body);
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map(header);
    const { kind } = classifyInboundRequest({
      httpMethod: request.method,
      ...(version !== undefined && { protocolVersionHeader: version }),
      ...(method !== undefined && { mcpMethodHeader: method }),
      ...(name !== undefined && { mcpNameHeader: name }),
      body,
    });
    if (kind !== 'legacy') return modern.fetch(request, { parsedBody: body });
    const id = header('mcp-session-id');
    if (id !== undefined) {
      const answer = (await sessions.go(id, request, body)) ?? NO_SESSION();
      return request.method === 'POST' ? unlessStreamed(answer) : answer;
    }
    return isInitializeRequest(body) && !isStateless && needsSession(app, body.params.capabilities)
      ? unlessStreamed(await sessions.begin(request, body))
      : once(request, body);
  }

  /** A request of revision 2025-11-25 that is answered and forgotten. */
  async function once(request: Request, parsedBody: unknown): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !wantsProgress(parsedBody),
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
    await createMcpServer(shared, { era: 'legacy', lasts: 'request' }).connect(transport);
    // Who leaves without an answer will not come back for it.
    request.signal.addEventListener('abort', () => void transport.close().catch(() => {}), { once: true });
    return transport.handleRequest(request, { parsedBody });
  }
}

/** Something is streamed only to those who asked to hear of it. */
function wantsProgress(body: unknown): boolean {
  const params = isRecord(body) ? body['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) && meta['progressToken'] !== undefined;
}

const NO_SESSION = () =>
  Response.json({ jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null }, { status: 404 });

function toRequest({ method, target, headers, body, onLeave }: HttpRequest): Request {
  const leaving = new AbortController();
  onLeave?.(() => leaving.abort());
  const named = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) if (!name.startsWith(':')) named.append(name, one);
  const base = `http://${named.get('host')}`;
  const url = new URL(target, URL.canParse(base) ? base : 'http://localhost');
  const isEmpty = method === 'GET' || method === 'HEAD' || body.byteLength === 0;
  return new Request(url, { method, headers: named, signal: leaving.signal, ...(!isEmpty && { body: body.slice() }) });
}

/** A stream stays one; anything else is read, so that its length is known. */
async function toReply(response: Response, request: Request): Promise<HttpReply> {
  const headers = Object.fromEntries(response.headers);
  const stream = headers['content-type']?.startsWith('text/event-stream') ? response.body : undefined;
  return { status: response.status, headers, body: stream ? counted(stream, request) : await response.text() };
}
