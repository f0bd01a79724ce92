import {
  WebStandardStreamableHTTPServerTransport,
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
} from '@modelcontextprotocol/server';
import { isRecord } from '../../../schema/json-schema.ts';
import type { HttpReply, HttpRequest } from '../../http/wire.ts';
import { needsSession } from '../catalog.ts';
import type { Offer } from '../catalog.ts';
import type { Rounds } from '../elicitation.ts';
import { SESSION_NOT_FOUND, errorResponse, idOf, invalidRequest, unavailable } from '../jsonrpc.ts';
import type { MessageId } from '../jsonrpc.ts';
import { putAside } from './given-arguments.ts';
import { mistakeInBatch } from './pending-ids.ts';
import { isListen, refusalOf } from './listening.ts';
import { readAhead } from './read-ahead.ts';
import { createMcpServer } from './server.ts';
import { Sessions } from './sessions.ts';
import { createShared } from './shared.ts';
import { unlessStreamed } from './sse-to-json.ts';

/** Where it is, whatever else the target says: that may be no address at all. */
const MCP = '/mcp';

/** The official server on Streamable HTTP, both revisions: all that the lane leaves. */
export interface OfficialHttp {
  /** The body has been read already; questions are those of a call that was begun on the lane. */
  handle(request: HttpRequest, body: unknown, questions?: Rounds): Promise<HttpReply>;
  /** Ends the streams of clients that only listen; calls under way go on. */
  endListening(): Promise<void>;
  close(): Promise<void>;
}

export function createOfficialHttp(offer: Offer, isStateless: boolean): OfficialHttp {
  const { app } = offer;
  const shared = createShared(offer);
  const begun = new WeakMap<Request, Rounds>();
  const handler = () =>
    createMcpHandler(
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
  const modern = handler();
  // Listeners have a handler of their own: closing one ends the calls under way, too.
  const listeners = handler();
  let isStopping = false;
  const sessions = new Sessions(shared, app.limits);
  const forget = app.changes.listen((change) => {
    if (change.kind === 'resource') listeners.notify.resourceUpdated(change.uri);
    else if (change.kind === 'tools') listeners.notify.toolsChanged();
    else if (change.kind === 'prompts') listeners.notify.promptsChanged();
    else listeners.notify.resourcesChanged();
  });

  return {
    async handle(given, body, questions) {
      const request = toRequest(given);
      if (questions) begun.set(request, questions);
      const isListener = request.method === 'GET' || isListen(body);
      const reply = await toReply(await respond(request, putAside(body)), (stream) => {
        const ahead = readAhead(stream, isListener);
        shared.unread.set(request, ahead);
        return ahead.body;
      });
      if (isStopping) await endListening(); // it may have begun to listen just now
      return reply;
    },
    endListening,
    async close() {
      forget();
      await Promise.all([modern.close(), listeners.close(), sessions.close()]);
    },
  };

  async function endListening(): Promise<void> {
    isStopping = true;
    sessions.endListening();
    await listeners.close();
  }

  async function respond(request: Request, body: unknown): Promise<Response> {
    const mistake = mistakeInBatch(body);
    if (mistake) return Response.json(invalidRequest(idOf(body), mistake), { status: 400 });
    const header = (name: string) => request.headers.get(name) ?? undefined;
    const [version, method, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map(header);
    const { kind } = classifyInboundRequest({
      httpMethod: request.method,
      ...(version !== undefined && { protocolVersionHeader: version }),
      ...(method !== undefined && { mcpMethodHeader: method }),
      ...(name !== undefined && { mcpNameHeader: name }),
      body,
    });
    if (kind !== 'legacy') {
      if (!isListen(body)) return modern.fetch(request, { parsedBody: body });
      const refusal = kind === 'modern' ? await refusalOf(shared, body) : undefined;
      if (refusal) return Response.json(errorResponse(body['id'] as MessageId, refusal));
      return listeners.fetch(request, { parsedBody: body });
    }
    const id = header('mcp-session-id');
    if (id !== undefined) {
      const answer = (await sessions.go(id, request, body)) ?? NO_SESSION();
      return request.method === 'POST' ? unlessStreamed(answer, request.signal) : answer;
    }
    return isInitializeRequest(body) && !isStateless && needsSession(app, body.params.capabilities)
      ? unlessStreamed((await sessions.begin(request, body)) ?? TOO_MANY(idOf(body)), request.signal)
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
  Response.json(errorResponse(null, { code: SESSION_NOT_FOUND, message: 'Session not found' }), { status: 404 });

const TOO_MANY = (id: MessageId | null) =>
  Response.json(unavailable(id, 'Too many sessions at once'), {
    status: 503,
    headers: { 'retry-after': '1', 'everywire-error-code': 'UNAVAILABLE' },
  });

function toRequest({ method, headers, body, onLeave }: HttpRequest): Request {
  const leaving = new AbortController();
  onLeave?.(() => leaving.abort());
  const named = new Headers();
  for (const [name, value] of Object.entries(headers))
    for (const one of [value ?? []].flat()) if (!name.startsWith(':')) named.append(name, one);
  const base = `http://${named.get('host')}`;
  const url = new URL(MCP, URL.canParse(base) ? base : 'http://localhost');
  const isEmpty = method === 'GET' || method === 'HEAD' || body.byteLength === 0;
  return new Request(url, { method, headers: named, signal: leaving.signal, ...(!isEmpty && { body: body.slice() }) });
}

/** The SDK's headers for a connection that is the host's: it may be about to close it. */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** A stream stays one; anything else is read, so that its length is known. */
async function toReply(
  response: Response,
  wrap: (stream: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>,
): Promise<HttpReply> {
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !HOP_BY_HOP.has(name)));
  const stream = headers['content-type']?.startsWith('text/event-stream') ? response.body : undefined;
  return { status: response.status, headers, body: stream ? wrap(stream) : await response.text() };
}
