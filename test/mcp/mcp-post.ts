/** MCP over HTTP without a client library, to send anything and see everything. */

export const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };

interface RequestParts {
  readonly method: string;
  readonly id?: string | number;
  readonly params?: Readonly<Record<string, unknown>>;
}

/** A URL or an app. */
export type Target = string | { fetch(request: Request): Promise<Response> };

/** Sends a message; a string is sent as it is. */
export function post(
  target: Target,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  signal?: AbortSignal,
): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { ...HEADERS, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal && { signal }),
  };
  return typeof target === 'string'
    ? fetch(`${target}/mcp`, init)
    : target.fetch(new Request('http://localhost/mcp', init));
}

/** A request of 2026-07-28 with its headers. */
export function modern(
  target: Target,
  { method, id = 1, params = {} }: RequestParts,
  signal?: AbortSignal,
  more: Readonly<Record<string, string>> = {},
) {
  const headers: Record<string, string> = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method };
  const name = params['name'] ?? params['uri'] ?? params['taskId'];
  if (typeof name === 'string') headers['mcp-name'] = name;
  const _meta = { ...META, ...(params['_meta'] as object | undefined) };
  return post(target, { jsonrpc: '2.0', id, method, params: { ...params, _meta } }, { ...headers, ...more }, signal);
}

/** A request of 2025-11-25, in a session or without one. */
export function legacy(
  target: Target,
  { method, id = 1, params }: RequestParts,
  session?: string,
  signal?: AbortSignal,
  more: Readonly<Record<string, string>> = {},
) {
  const own = session === undefined ? {} : { 'mcp-session-id': session };
  const headers = { 'mcp-protocol-version': '2025-11-25', ...own, ...more };
  return post(target, { jsonrpc: '2.0', id, method, ...(params && { params }) }, headers, signal);
}

/** A call of a tool, as parts of a request. */
export const tool = (name: string, given: object = {}, more: object = {}) => ({
  method: 'tools/call',
  params: { name: `functions.${name}`, arguments: given, ...more },
});

/** For `_meta`: the client can be asked. */
export const ASKABLE = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {}, roots: {} },
    clientInfo: { name: 'test', version: '1' },
  },
};

/** Opens a session and returns its id. */
export async function begin(target: Target): Promise<string> {
  const response = await post(target, INITIALIZE);
  const id = response.headers.get('mcp-session-id');
  if (id === null) throw new Error(`no session: ${response.status} ${await response.text()}`);
  await response.text();
  await post(target, { jsonrpc: '2.0', method: 'notifications/initialized' }, { 'mcp-session-id': id });
  return id;
}

/** Opens the stream of a session. */
export const listen = (url: string, session: string, signal?: AbortSignal) =>
  fetch(`${url}/mcp`, {
    headers: { accept: 'text/event-stream', 'mcp-session-id': session },
    ...(signal && { signal }),
  });

/** The only message of a response. */
export const only = async (response: Response | Promise<Response>) => (await messagesIn(await response))[0];

/** The messages of a response: JSON or an event stream. */
export async function messagesIn(response: Response): Promise<any[]> {
  const text = await response.text();
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return text ? [JSON.parse(text)] : [];
  // Only a line feed ends a line; `.` and `$` know more line ends, which may be in JSON.
  return [...text.matchAll(/(?<=^|\n)data: ([^\n]+)/g)].map(([, data = '']) => JSON.parse(data) as unknown);
}

/** The messages of an event stream, as they arrive. */
export interface Listener {
  /** Undefined if the stream has ended. */
  next(): Promise<any>;
  take(count: number): Promise<any[]>;
  close(): Promise<void>;
}

export function listenTo(response: Response): Listener {
  if (response.status !== 200) throw new Error(`not a stream: ${response.status}`);
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const next = async (): Promise<any> => {
    for (;;) {
      const end = text.indexOf('\n\n');
      const event = end < 0 ? undefined : text.slice(0, end);
      if (event !== undefined) text = text.slice(end + 2);
      const data = event && /^data: (.+)$/m.exec(event)?.[1];
      if (data) return JSON.parse(data) as unknown;
      if (event !== undefined) continue; // a comment
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    next,
    async take(count) {
      const taken: any[] = [];
      while (taken.length < count) taken.push(await next());
      return taken;
    },
    close: () => reader.cancel(),
  };
}
