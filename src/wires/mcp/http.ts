import {
  WebStandardStreamableHTTPServerTransport,
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
} from '@modelcontextprotocol/server';
import type { App } from '../../app.ts';
import { around, exceeds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { HttpReply, HttpRequest, HttpWireOptions } from '../http.ts';
import { decodeJson } from '../json-body.ts';
import { createMcpServer } from './server.ts';
import { Sessions } from './sessions.ts';
import { createShared } from './shared.ts';
import { unlessStreamed } from './unless-streamed.ts';

/** MCP over Streamable HTTP, both revisions. */
export interface McpHttp {
  handle(request: HttpRequest): Promise<HttpReply>;
  close(): Promise<void>;
}

export function createMcpHttp(
  app: App,
  { environment, stateless = false }: Pick<HttpWireOptions, 'environment' | 'stateless'>,
): McpHttp {
  const shared = createShared(app, 'mcp-http', { environment });
  const modern = createMcpHandler(({ era }) => createMcpServer(shared, era, 'request'), {
    legacy: 'reject',
    maxRequestBodySize: Number.MAX_SAFE_INTEGER, // the host has counted already
  });
  const sessions = new Sessions(shared, app.limits);
  const bounds = around(app.limits);
  const forget = app.changes.listen((change) => {
    if (change.kind === 'resource') modern.notify.resourceUpdated(change.uri);
    else if (change.kind === 'tools') modern.notify.toolsChanged();
    else if (change.kind === 'prompts') modern.notify.promptsChanged();
    else modern.notify.resourcesChanged();
  });

  return {
    async handle(request) {
      const decoded = request.method === 'POST' ? decodeJson(request.body) : { input: undefined };
      if ('ok' in decoded) return toReply(rpcError(400, -32700, 'Parse error: Invalid JSON'));
      const excess = exceeds(decoded.input, bounds);
      if (excess) return toReply(rpcError(400, -32600, `Invalid Request: ${excess.message}`));
      return toReply(await respond(toRequest(request), decoded.input));
    },
    async close() {
      forget();
      await Promise.all([modern.close(), sessions.close()]);
    },
  };

  async function respond(request: Request, body: unknown): Promise<Response> {
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
    if (request.method !== 'POST') return NOT_ALLOWED();
    return isInitializeRequest(body) && !stateless && needsSession(body)
      ? unlessStreamed(await sessions.begin(request, body))
      : once(request, body);
  }

  /** Only who can be asked, or told of something later, needs to be remembered: any process may answer the rest. */
  function needsSession({ params: { capabilities } }: { params: { capabilities: object } }): boolean {
    const canBeAsked = ['elicitation', 'sampling', 'roots'].some((name) => name in capabilities);
    return canBeAsked || app.resources.list.length > 0;
  }

  /** A request of revision 2025-11-25 that is answered and forgotten. */
  async function once(request: Request, parsedBody: unknown): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !wantsProgress(parsedBody),
      maxRequestBodySize: Number.MAX_SAFE_INTEGER,
    });
    await createMcpServer(shared, 'legacy', 'request').connect(transport);
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

const rpcError = (status: number, code: number, message: string, headers = {}) =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status, headers });

const NO_SESSION = () => rpcError(404, -32001, 'Session not found');
const NOT_ALLOWED = () => rpcError(405, -32000, 'Method not allowed.', { allow: 'POST' });

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
async function toReply(response: Response): Promise<HttpReply> {
  const headers = Object.fromEntries(response.headers);
  const stream = headers['content-type']?.startsWith('text/event-stream') ? response.body : undefined;
  return { status: response.status, headers, body: stream ?? (await response.text()) };
}
