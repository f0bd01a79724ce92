import {
  WebStandardStreamableHTTPServerTransport,
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
} from '@modelcontextprotocol/server';
import type { InitializeRequest } from '@modelcontextprotocol/server';
import type { Failed } from '../../../core/outcome.ts';
import { ownerOf } from '../../../core/principal.ts';
import { isRecord } from '../../../schema/json-schema.ts';
import type { HttpReply, HttpRequest } from '../../http/message.ts';
import { needsSession } from '../catalog.ts';
import type { Catalog, Sender } from '../catalog.ts';
import type { EncodeDenial } from '../denial.ts';
import type { Elicitation } from '../elicitation.ts';
import { SESSION_NOT_FOUND, errorResponse, idOf, invalidRequest, unavailable } from '../jsonrpc.ts';
import type { MessageId } from '../jsonrpc.ts';
import { MISSING_CAPABILITY } from '../tasks/extension.ts';
import { mergeTasks } from '../tasks/merge-tasks.ts';
import { TaskListeners } from '../tasks/task-listeners.ts';
import type { TaskSubscription } from '../tasks/task-listeners.ts';
import { toReply, toRequest } from './convert-http.ts';
import { isListen, refusalOf } from './listen-request.ts';
import { mistakeInBatch } from './pending-ids.ts';
import { readAhead } from './read-ahead.ts';
import type { ReadAhead } from './read-ahead.ts';
import { createRequestState, createSigner } from './request-state.ts';
import { createSdkServer } from './server.ts';
import type { SdkServerOptions } from './server.ts';
import { Sessions } from './sessions.ts';
import type { SessionRefusal } from './sessions.ts';
import { SharedSigner } from './shared-signer.ts';
import { sseToJson } from './sse-to-json.ts';
import { wrapArguments } from './wrapped-arguments.ts';

/** Everything that the fast path does not handle on Streamable HTTP, in both eras. */
export interface SdkHttp {
  /** The body is parsed already. An elicitation is that of a call which was begun on the fast path. */
  handle(request: HttpRequest, body: unknown, sender: Sender, elicitation?: Elicitation): Promise<HttpReply>;
  /** Ends the streams of clients that only listen; running calls continue. */
  endListening(): Promise<void>;
  close(): Promise<void>;
}

/** The host has limited the body already. */
const maxRequestBodySize = Number.MAX_SAFE_INTEGER;

interface SdkHttpOptions {
  readonly isStateless: boolean;
  /** Unless the app has a secret of its own. */
  readonly secret: string | undefined;
}

export function createSdkHttp(
  catalog: Catalog,
  { isStateless, secret }: SdkHttpOptions,
  encodeDenial: EncodeDenial,
): SdkHttp {
  const { app } = catalog;
  const senders = new WeakMap<Request, Sender>();
  const denials = new WeakMap<Request, Failed>();
  const onDenied = (request: Request, failure: Failed) => void denials.set(request, failure);
  const sharedSigner = app.secret === undefined && app.share.isOn ? new SharedSigner(app.share) : undefined;
  const requestState = createRequestState(sharedSigner ?? createSigner(app.secret ?? secret));
  const elicitations = new WeakMap<Request, Elicitation>();
  const streams = new WeakMap<Request, ReadAhead>();
  const stopping = new AbortController();
  const taskListeners = new TaskListeners(catalog);
  const followed = new WeakMap<Request, TaskSubscription>();
  const createServer = (options: Pick<SdkServerOptions, 'era' | 'lifetime' | 'findElicitation' | 'subscriptions'>) =>
    createSdkServer(catalog, {
      ...options,
      requestState,
      readAheadOf: (request) => streams.get(request),
      senderOf: (request) => senders.get(request),
      onDenied,
      stopping: stopping.signal,
    });
  const createModernHandler = () =>
    createMcpHandler(
      ({ requestInfo }) =>
        createServer({
          era: 'modern',
          lifetime: 'request',
          findElicitation: () => requestInfo && elicitations.get(requestInfo),
        }),
      { legacy: 'reject', maxRequestBodySize },
    );
  const modern = createModernHandler();
  // Closing a handler ends its running calls, so listeners have a handler of their own.
  const listeners = createModernHandler();
  let isStopping = false;
  const sessions = new Sessions(
    (subscriptions) => createServer({ era: 'legacy', lifetime: 'connection', subscriptions }),
    app,
  );
  const forget = app.changes.listen((change) => {
    if (change.kind === 'resource') listeners.notify.resourceUpdated(change.uri);
    else if (change.kind === 'tools') listeners.notify.toolsChanged();
    else if (change.kind === 'prompts') listeners.notify.promptsChanged();
    else listeners.notify.resourcesChanged();
  });

  return {
    async handle(given, body, sender, elicitation) {
      const request = toRequest(given);
      senders.set(request, sender);
      if (elicitation) elicitations.set(request, elicitation);
      const isListener = request.method === 'GET' || isListen(body);
      if (isListener) await app.changes.connected();
      const response = await respond(request, wrapArguments(body), sender);
      const denied = denials.get(request);
      // In a batch, other messages may have succeeded.
      if (denied && !Array.isArray(body)) {
        await response.body?.cancel();
        return encodeDenial(denied, idOf(body));
      }
      const reply = await toReply(response, (stream) => {
        const ahead = readAhead(stream, isListener);
        streams.set(request, ahead);
        const tasks = followed.get(request);
        return tasks ? mergeTasks(ahead.body, tasks, idOf(body)!) : ahead.body;
      });
      if (isStopping) await endListening(); // this request may have begun to listen meanwhile
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
    taskListeners.end();
    stopping.abort();
    sessions.endListening();
    await listeners.close();
  }

  async function respond(request: Request, body: unknown, sender: Sender): Promise<Response> {
    const mistake = mistakeInBatch(body);
    if (mistake) return Response.json(invalidRequest(idOf(body), mistake), { status: 400 });
    const kind = kindOfRequest(request, body);
    if (kind !== 'legacy') {
      if (!isListen(body)) {
        if (hasRequestState(body)) await sharedSigner?.prepare();
        return modern.fetch(request, { parsedBody: body });
      }
      const denied = (failure: Failed) => onDenied(request, failure);
      const refusal = kind === 'modern' ? await refusalOf(catalog, body, sender, denied) : undefined;
      if (refusal) return Response.json(errorResponse(body['id'] as MessageId, refusal));
      const tasks = kind === 'modern' ? await taskListeners.open(body, sender) : undefined;
      if (tasks && 'code' in tasks)
        return Response.json(errorResponse(body['id'] as MessageId, tasks), {
          status: tasks.code === MISSING_CAPABILITY ? 400 : 200,
        });
      if (tasks) {
        followed.set(request, tasks);
        request.signal.addEventListener('abort', () => tasks.end(), { once: true });
      }
      return listeners.fetch(request, { parsedBody: body });
    }
    const id = request.headers.get('mcp-session-id');
    const owner = ownerOf(sender.principal);
    const opensSession = isInitializeRequest(body) && !isStateless && needsSession(catalog, body.params.capabilities);
    if (id === null && !opensSession) return respondOnce(request, body);
    const handled = await (id === null
      ? sessions.open(request, body as InitializeRequest, owner)
      : sessions.handle(id, request, body, owner));
    const response = typeof handled === 'string' ? refuseSession(handled, idOf(body)) : handled;
    return request.method === 'POST' ? sseToJson(response, request.signal) : response;
  }

  /** A legacy request outside of a session. */
  async function respondOnce(request: Request, parsedBody: unknown): Promise<Response> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      enableJsonResponse: !wantsProgress(parsedBody),
      maxRequestBodySize,
    });
    await createServer({ era: 'legacy', lifetime: 'request' }).connect(transport);
    // A client that disconnects cannot come back for the response.
    request.signal.addEventListener('abort', () => void transport.close().catch(() => {}), { once: true });
    const response = await transport.handleRequest(request, { parsedBody });
    // A call may be refused after the stream was opened, and then the response needs another status.
    return app.access ? sseToJson(response, request.signal) : response;
  }
}

function kindOfRequest({ method, headers }: Request, body: unknown): ReturnType<typeof classifyInboundRequest>['kind'] {
  const header = (name: string) => headers.get(name) ?? undefined;
  const [version, mcpMethod, name] = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].map(header);
  const { kind } = classifyInboundRequest({
    httpMethod: method,
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(mcpMethod !== undefined && { mcpMethodHeader: mcpMethod }),
    ...(name !== undefined && { mcpNameHeader: name }),
    body,
  });
  return kind;
}

/** Responses are streamed only to clients that asked for progress. */
function wantsProgress(body: unknown): boolean {
  const params = isRecord(body) ? body['params'] : undefined;
  const meta = isRecord(params) ? params['_meta'] : undefined;
  return isRecord(meta) && meta['progressToken'] !== undefined;
}

/** Whether a request repeats a call with the state of an earlier round. */
function hasRequestState(body: unknown): boolean {
  const params = isRecord(body) ? body['params'] : undefined;
  return isRecord(params) && params['requestState'] !== undefined;
}

function refuseSession(refusal: SessionRefusal, id: MessageId | null): Response {
  if (refusal === 'unknown')
    return Response.json(errorResponse(null, { code: SESSION_NOT_FOUND, message: 'Session not found' }), {
      status: 404,
    });
  if (refusal === 'too-large')
    return Response.json(invalidRequest(id, 'the capabilities are too large'), { status: 400 });
  return Response.json(unavailable(id, 'Too many sessions at once'), {
    status: 503,
    headers: { 'retry-after': '1', 'everywire-error-code': 'UNAVAILABLE' },
  });
}
