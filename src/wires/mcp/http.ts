import type { App } from '../../app/app.ts';
import { isFailure, isFromFramework, userFailure } from '../../core/failure.ts';
import type { Failed } from '../../core/outcome.ts';
import type { Principal } from '../../core/principal.ts';
import { CANCEL_TASK, GET_TASK, UPDATE_TASK } from '../../core/task-operations.ts';
import { messageBounds } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { createCallerReader } from '../http/caller.ts';
import { createCredentialsReader } from '../http/credentials.ts';
import { STOPPING } from '../http/refusals.ts';
import type { HttpWireOptions } from '../http/wire.ts';
import type { HttpReply, HttpRequest } from '../http/message.ts';
import { decodeJson } from '../json-body.ts';
import { createCatalog, needsSession } from './catalog.ts';
import type { Sender } from './catalog.ts';
import { excessIn } from './check-message.ts';
import { createDenialEncoder, isDenied } from './denial.ts';
import type { Elicitation } from './elicitation.ts';
import { createFastPath } from './fast-path/fast-path.ts';
import type { FastResponse } from './fast-path/fast-path.ts';
import { parseRequest } from './fast-path/parse-request.ts';
import type { ParsedRequest } from './fast-path/parse-request.ts';
import {
  INTERNAL_ERROR,
  SERVER_ERROR,
  errorResponse,
  idOf,
  invalidRequest,
  parseError,
  unavailable,
} from './jsonrpc.ts';
import type { ErrorResponse, MessageId } from './jsonrpc.ts';
import { LEGACY, MODERN } from './revisions.ts';
import type { SdkHttp } from './sdk/http.ts';

/** MCP over Streamable HTTP, in both eras. */
export interface McpHttp {
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** Ends the streams of clients that only listen; running calls continue. */
  endListening(): Promise<void>;
  close(): Promise<void>;
}

export function createMcpHttp(
  app: App,
  options: Pick<HttpWireOptions, 'environment' | 'stateless' | 'secret' | 'ready' | 'isChanging' | 'names'>,
): McpHttp {
  const { environment, stateless = false, ready = () => true, isChanging, names } = options;
  const catalog = createCatalog(app, { wire: 'mcp-http' }, { environment, isChanging, names });
  const fastPath = createFastPath<Failed>(catalog, app.access && isDenied);
  const readCaller = createCallerReader(app, catalog.sender.caller.wire);
  const readCredentials = createCredentialsReader(app);
  const encodeDenial = createDenialEncoder(app);
  const bounds = messageBounds(app.limits);
  const isStateless = stateless || app.limits.sessions === 0;
  let sdk: Promise<SdkHttp> | undefined;

  return {
    handle(request) {
      try {
        const reply = respond(request);
        return reply instanceof Promise ? reply.catch(toFault) : reply;
      } catch (thrown) {
        return toFault(thrown);
      }
    },
    endListening: async () => (await sdk)?.endListening(),
    close: async () => (await sdk)?.close(),
  };

  function respond(request: HttpRequest): HttpReply | Promise<HttpReply> {
    if (request.method !== 'POST') return respondWithoutBody(request);
    const decoded = decodeJson(request.body, bounds.depth);
    if ('ok' in decoded) return errorReply(400, parseError('Invalid JSON'));
    const { input: body } = decoded;
    // Running calls may still need a response of the client, or be cancelled.
    if (!ready() && !isReaction(body)) return stopping(body);
    const excess = excessIn(body, bounds);
    if (excess) return errorReply(400, invalidRequest(idOf(body), excess));
    const sender: Sender = { caller: readCaller(request), credentials: readCredentials?.(request) };
    // The pipeline recognises who makes a call, outside of sessions; so that refused calls are recorded, too.
    if (!app.access || (isCall(body) && request.headers['mcp-session-id'] === undefined))
      return respondTo(request, body, sender);
    return identify(sender, idOf(body), (known) => respondTo(request, body, known));
  }

  function respondTo(request: HttpRequest, body: unknown, sender: Sender): HttpReply | Promise<HttpReply> {
    const parsed = parseRequest(body);
    if (!parsed) return isIgnored(body, request) ? ACCEPTED : useSdk(request, body, sender);
    const response = isForFastPath(parsed, request) ? fastPath.respond(parsed, request, undefined, sender) : undefined;
    return response instanceof Promise
      ? response.then((late) => encode(late, request, body, sender))
      : encode(response, request, body, sender);
  }

  /** Goes on with a sender that is recognised or anonymous. */
  function identify(
    sender: Sender,
    id: MessageId | null,
    goOn: (sender: Sender) => HttpReply | Promise<HttpReply>,
  ): HttpReply | Promise<HttpReply> {
    const decide = (found: Principal | Failed) =>
      'ok' in found ? encodeDenial(found, id) : goOn({ ...sender, principal: found });
    const found = app.access!.identify(sender);
    return found instanceof Promise ? found.then(decide) : decide(found);
  }

  function respondWithoutBody(request: HttpRequest): HttpReply | Promise<HttpReply> {
    const { method, headers } = request;
    if (headers['mcp-session-id'] === undefined) return NOT_ALLOWED;
    if (method !== 'GET' && method !== 'DELETE') return NOT_ALLOWED_IN_SESSION;
    if (method === 'GET' && !ready()) return stopping();
    const sender: Sender = { caller: readCaller(request), credentials: readCredentials?.(request) };
    const goOn = (known: Sender) => useSdk(request, undefined, known);
    return app.access ? identify(sender, null, goOn) : goOn(sender);
  }

  /** A fault of our own. */
  function toFault(thrown: unknown): HttpReply {
    const { code, message } = app.reportError(thrown, { part: 'mcp' }).error;
    const response = errorResponse(null, { code: INTERNAL_ERROR, message, data: { code } });
    return errorReply(500, response, { 'everywire-error-code': code });
  }

  function encode(
    response: FastResponse<Failed>,
    request: HttpRequest,
    body: unknown,
    sender: Sender,
  ): HttpReply | Promise<HttpReply> {
    if (typeof response === 'string') return { status: 200, headers: JSON_TYPE, body: response };
    if (response && 'ok' in response) return encodeDenial(response, idOf(body));
    return useSdk(request, body, sender, response);
  }

  /** The SDK is loaded with the first request that needs it. */
  async function useSdk(
    request: HttpRequest,
    body: unknown,
    sender: Sender,
    elicitation?: Elicitation,
  ): Promise<HttpReply> {
    sdk ??= loadSdk();
    try {
      return await (await sdk).handle(request, body, sender, elicitation);
    } catch (thrown) {
      if (!isFailure(thrown) || !isFromFramework(thrown)) throw thrown;
      return encodeDenial(userFailure(thrown), idOf(body));
    }
  }

  async function loadSdk(): Promise<SdkHttp> {
    try {
      return (await import('./sdk/http.ts')).createSdkHttp(
        catalog,
        { isStateless, secret: options.secret },
        encodeDenial,
      );
    } catch (thrown) {
      sdk = undefined; // the next request tries again
      throw thrown;
    }
  }

  function isForFastPath({ era, method, params }: ParsedRequest, { headers }: HttpRequest): boolean {
    if (!isPlainJson(headers['content-type'])) return false;
    if (era === 'legacy') {
      const opensSession =
        method === 'initialize' && !isStateless && needsSession(catalog, params['capabilities'] as object);
      return isOutsideSession(headers) && !opensSession;
    }
    const name = method === 'tools/call' ? params['name'] : params['taskId'];
    const hasName = name === undefined || headers['mcp-name'] === name;
    return hasName && headers['mcp-protocol-version'] === MODERN && headers['mcp-method'] === method;
  }
}

/** Whether the pipeline runs the message, as far as it is valid. */
const isCall = (body: unknown) => isRecord(body) && CALLS.has(body['method']);

const CALLS: ReadonlySet<unknown> = new Set([
  'tools/call',
  'resources/read',
  'prompts/get',
  GET_TASK,
  UPDATE_TASK,
  CANCEL_TASK,
]);

/** `notifications/initialized` outside of a session has no effect. */
function isIgnored(body: unknown, { headers }: HttpRequest): boolean {
  return (
    isRecord(body) &&
    body['jsonrpc'] === '2.0' &&
    body['method'] === 'notifications/initialized' &&
    Object.keys(body).length === 2 &&
    isPlainJson(headers['content-type']) &&
    isOutsideSession(headers)
  );
}

const isPlainJson = (type: unknown) => type === 'application/json' || type === 'application/json; charset=utf-8';

/** Whether a legacy request belongs to no session, and has headers that the SDK would accept. */
function isOutsideSession(headers: HttpRequest['headers']): boolean {
  const { accept } = headers;
  const version = headers['mcp-protocol-version'];
  return (
    headers['mcp-session-id'] === undefined &&
    typeof accept === 'string' &&
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    (version === undefined || LEGACY.includes(version as string))
  );
}

/** Whether a message is a notification, or the response to a request of ours. */
const isReaction = (body: unknown) => isRecord(body) && (body['id'] === undefined || body['method'] === undefined);

function stopping(body?: unknown): HttpReply {
  return errorReply(503, unavailable(idOf(body), STOPPING), RETRY);
}

const JSON_TYPE = Object.freeze({ 'content-type': 'application/json' });
const ACCEPTED: HttpReply = { status: 202, headers: {}, body: '' };
const RETRY = Object.freeze({ 'retry-after': '1', 'everywire-error-code': 'UNAVAILABLE' });
const WRONG_METHOD = errorResponse(null, { code: SERVER_ERROR, message: 'Method not allowed.' });
const NOT_ALLOWED = errorReply(405, WRONG_METHOD, { allow: 'POST' });
const NOT_ALLOWED_IN_SESSION = errorReply(405, WRONG_METHOD, { allow: 'GET, POST, DELETE' });

function errorReply(status: number, response: ErrorResponse, headers = {}): HttpReply {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(response) };
}
