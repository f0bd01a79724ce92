import type { Sent } from './cases.ts';

/**
 * The body of a request to a function.
 * @public worker.mjs imports it with jiti.
 */
export function toBody(sent: Sent): string {
  if ('body' in sent) return sent.body;
  if ('form' in sent) return sent.form;
  return JSON.stringify('input' in sent ? sent.input : sent);
}

/** The size of the request in bytes, independent of the wire. */
export function sizeOf(sent: Sent): number {
  return Buffer.byteLength('function' in sent ? toBody(sent) : JSON.stringify(sent));
}

export interface Message {
  readonly headers: Record<string, string>;
  readonly body: string;
}

/** The same as an MCP message. With a progress token it bypasses the fast path. */
export function toMessage(sent: Sent, revision: string, withProgress = false): Message {
  const isModern = revision === '2026-07-28';
  const method = 'method' in sent ? sent.method : 'tools/call';
  const meta = {
    ...(isModern && {
      'io.modelcontextprotocol/protocolVersion': revision,
      'io.modelcontextprotocol/clientInfo': { name: 'growth', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }),
    ...(withProgress && { progressToken: 1 }),
  };
  const name = 'method' in sent ? (sent.params['name'] ?? sent.params['uri']) : nameOf(sent);
  const params = 'method' in sent ? JSON.stringify(sent.params).slice(1, -1) : argumentsOf(sent);
  const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params},"_meta":${JSON.stringify(meta)}}}`;
  return {
    body,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': revision,
      ...(isModern && { 'mcp-method': method, ...(typeof name === 'string' && { 'mcp-name': name }) }),
    },
  };
}

const nameOf = (sent: Sent) => ('function' in sent ? `functions.${sent.function}` : '');

function argumentsOf(sent: Sent): string {
  return `"name":${JSON.stringify(nameOf(sent))},"arguments":${toBody(sent)}`;
}
