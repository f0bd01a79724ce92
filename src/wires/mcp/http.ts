import type { App } from '../../app.ts';
import { around } from '../../schema/bounds.ts';
import { isRecord } from '../../schema/json-schema.ts';
import type { HttpReply, HttpRequest, HttpWireOptions } from '../http.ts';
import { decodeJson } from '../json-body.ts';
import { LEGACY, MODERN, recognize } from './asked.ts';
import type { Asked } from './asked.ts';
import { createLane } from './lane.ts';
import type { Said } from './lane.ts';
import { excessIn } from './message.ts';
import { createOffer, needsSession } from './offer.ts';
import type { OfficialHttp } from './official/http.ts';

/** MCP over Streamable HTTP, both revisions. */
export interface McpHttp {
  handle(request: HttpRequest): HttpReply | Promise<HttpReply>;
  close(): Promise<void>;
}

export function createMcpHttp(
  app: App,
  { environment, stateless = false }: Pick<HttpWireOptions, 'environment' | 'stateless'>,
): McpHttp {
  const offer = createOffer(app, 'mcp-http', { environment });
  const lane = createLane(offer);
  const bounds = around(app.limits);
  let official: Promise<OfficialHttp> | undefined;

  return {
    handle(request) {
      if (request.method !== 'POST')
        return request.headers['mcp-session-id'] === undefined ? NOT_ALLOWED : leave(request, undefined);
      const decoded = decodeJson(request.body, bounds.depth);
      if ('ok' in decoded) return refused(400, -32700, 'Parse error: Invalid JSON');
      const { input: body } = decoded;
      const excess = excessIn(body, bounds);
      if (excess) return refused(400, -32600, `Invalid Request: ${excess}`);
      const asked = recognize(body);
      if (!asked) return isForgotten(body, request) ? ACCEPTED : leave(request, body);
      const said = fits(asked, request) ? lane.answer(asked, request) : undefined;
      return said instanceof Promise ? said.then((late) => reply(late, request, body)) : reply(said, request, body);
    },
    close: async () => (await official)?.close(),
  };

  function reply(said: Said, request: HttpRequest, body: unknown): HttpReply | Promise<HttpReply> {
    if (typeof said === 'string') return { status: 200, headers: JSON_TYPE, body: said };
    return leave(request, body, said);
  }

  /** To the official server, which is loaded when something is first left to it. */
  async function leave(request: HttpRequest, ...rest: LeftArguments): Promise<HttpReply> {
    official ??= import('./official/http.ts').then((room) => room.createOfficialHttp(offer, stateless));
    return (await official).handle(request, ...rest);
  }

  function fits(asked: Asked, { headers }: HttpRequest): boolean {
    if (!isJson(headers['content-type'])) return false;
    if (asked.era === 'legacy') {
      const needs = asked.method === 'initialize' && !stateless;
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

const JSON_TYPE = Object.freeze({ 'content-type': 'application/json' });
const ACCEPTED: HttpReply = { status: 202, headers: {}, body: '' };
const NOT_ALLOWED = refused(405, -32000, 'Method not allowed.', { allow: 'POST' });

function refused(status: number, code: number, message: string, headers = {}): HttpReply {
  const body = JSON.stringify({ jsonrpc: '2.0', error: { code, message }, id: null });
  return { status, headers: { ...JSON_TYPE, ...headers }, body };
}
