import type { App } from '../../app/app.ts';
import { around } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import { STOPPING } from '../http/wire.ts';
import type { HttpReply, HttpRequest, HttpWireOptions } from '../http/wire.ts';
import { decodeJson } from '../json-body.ts';
import { LEGACY, MODERN, recognize } from './fast-path/parse-request.ts';
import type { Asked } from './fast-path/parse-request.ts';
import { createLane } from './fast-path/fast-path.ts';
import type { Said } from './fast-path/fast-path.ts';
import { excessIn } from './check-message.ts';
import {
  INTERNAL_ERROR,
  SERVER_ERROR,
  errorResponse,
  idOf,
  invalidRequest,
  parseError,
  unavailable,
} from './jsonrpc.ts';
import type { ErrorResponse } from './jsonrpc.ts';
import { createOffer, needsSession } from './catalog.ts';
import type { OfficialHttp } from './sdk/http.ts';

/** MCP over Streamable HTTP, both revisions. */
export interface McpHttp {
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
  /** Ends the streams of clients that only listen; calls under way go on. */
  endListening(): Promise<void>;
  close(): Promise<void>;
}

export function createMcpHttp(
  app: App,
  { environment, stateless = false, ready = () => true }: Pick<HttpWireOptions, 'environment' | 'stateless' | 'ready'>,
): McpHttp {
  const offer = createOffer(app, 'mcp-http', { environment });
  const lane = createLane(offer);
  const bounds = around(app.limits);
  const isStateless = stateless || app.limits.sessions === 0;
  let official: Promise<OfficialHttp> | undefined;

  return {
    handle(request) {
      try {
        const answered = answer(request);
        return answered instanceof Promise ? answered.catch(broken) : answered;
      } catch (thrown) {
        return broken(thrown);
      }
    },
    endListening: async () => (await official)?.endListening(),
    close: async () => (await official)?.close(),
  };

  function answer(request: HttpRequest): HttpReply | Promise<HttpReply> {
    if (request.method !== 'POST') {
      const hasSession = request.headers['mcp-session-id'] !== undefined;
      if (!hasSession) return NOT_ALLOWED;
      if (request.method !== 'GET' && request.method !== 'DELETE') return NOT_ALLOWED_IN_SESSION;
      return request.method === 'GET' && !ready() ? stopping() : leave(request, undefined);
    }
    const decoded = decodeJson(request.body, bounds.depth);
    if ('ok' in decoded) return refused(400, parseError('Invalid JSON'));
    const { input: body } = decoded;
    // What belongs to a call under way is welcome until it has ended: an answer to its question, its cancellation.
    if (!ready() && !isReaction(body)) return stopping(body);
    const excess = excessIn(body, bounds);
    if (excess) return refused(400, invalidRequest(null, excess));
    const asked = recognize(body);
    if (!asked) return isForgotten(body, request) ? ACCEPTED : leave(request, body);
    const said = fits(asked, request) ? lane.answer(asked, request) : undefined;
    return said instanceof Promise ? said.then((late) => reply(late, request, body)) : reply(said, request, body);
  }

  /** A fault of our own, as the protocol says it. */
  function broken(thrown: unknown): HttpReply {
    const { code, message } = app.fault(thrown, { part: 'mcp' }).error;
    const response = errorResponse(null, { code: INTERNAL_ERROR, message, data: { code } });
    return refused(500, response, { 'everywire-error-code': code });
  }

  function reply(said: Said, request: HttpRequest, body: unknown): HttpReply | Promise<HttpReply> {
    if (typeof said === 'string') return { status: 200, headers: JSON_TYPE, body: said };
    return leave(request, body, said);
  }

  /** To the official server, which is loaded when something is first left to it. */
  async function leave(request: HttpRequest, ...rest: LeftArguments): Promise<HttpReply> {
    official ??= load();
    return (await official).handle(request, ...rest);
  }

  async function load(): Promise<OfficialHttp> {
    try {
      return (await import('./sdk/http.ts')).createOfficialHttp(offer, isStateless);
    } catch (thrown) {
      official = undefined; // the next request tries again
      throw thrown;
    }
  }

  function fits(asked: Asked, { headers }: HttpRequest): boolean {
    if (!isJson(headers['content-type'])) return false;
    if (asked.era === 'legacy') {
      const needs = asked.method === 'initialize' && !isStateless;
      return isUnattached(headers) && !(needs && needsSession(app, asked.params['capabilities'] as object));
    }
    const isNamed = asked.method !== 'tools/call' || headers['mcp-name'] === asked.params['name'];
    return isNamed && headers['mcp-protocol-version'] === MODERN && headers['mcp-method'] === asked.method;
  }
}

type LeftArguments = OfficialHttp['handle'] extends (request: HttpRequest, ...rest: infer Rest) => unknown
  ? Rest
  : never;

/** `notifications/initialized` from a client without a session: there is nobody to tell. */
function isForgotten(body: unknown, { headers }: HttpRequest): boolean {
  return (
    isRecord(body) &&
    body['jsonrpc'] === '2.0' &&
    body['method'] === 'notifications/initialized' &&
    Object.keys(body).length === 2 &&
    isJson(headers['content-type']) &&
    isUnattached(headers)
  );
}

const isJson = (type: unknown) => type === 'application/json' || type === 'application/json; charset=utf-8';

/** Whether a request of the older revisions stands alone, and is one that the official server would take. */
function isUnattached(headers: HttpRequest['headers']): boolean {
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

/** Whether a message asks for nothing: a notification, or the answer to a question of ours. */
const isReaction = (body: unknown) => isRecord(body) && (body['id'] === undefined || body['method'] === undefined);

function stopping(body?: unknown): HttpReply {
  return refused(503, unavailable(idOf(body), STOPPING), RETRY);
}

const JSON_TYPE = Object.freeze({ 'content-type': 'application/json' });
const ACCEPTED: HttpReply = { status: 202, headers: {}, body: '' };
const RETRY = Object.freeze({ 'retry-after': '1', 'everywire-error-code': 'UNAVAILABLE' });
const WRONG_METHOD = errorResponse(null, { code: SERVER_ERROR, message: 'Method not allowed.' });
const NOT_ALLOWED = refused(405, WRONG_METHOD, { allow: 'POST' });
const NOT_ALLOWED_IN_SESSION = refused(405, WRONG_METHOD, { allow: 'GET, POST, DELETE' });

function refused(status: number, response: ErrorResponse, headers = {}): HttpReply {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: JSON.stringify(response) };
}
