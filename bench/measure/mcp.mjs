import { REFUSED, SUMS } from './job.mjs';

export const REVISIONS = ['2025-11-25', '2026-07-28'];

const CLIENT = { name: 'bench', version: '1.0.0' };

const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': CLIENT,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A request of either revision; the newer one says with each who asks. */
export function request(revision, id, method, params = {}) {
  const _meta = revision === '2026-07-28' ? { _meta: ENVELOPE } : {};
  return { jsonrpc: '2.0', id, method, params: { ...params, ..._meta } };
}

export const callOf = (revision, id, input) => request(revision, id, 'tools/call', { name: 'Add', arguments: input });

/** What a call of a tool says of itself over HTTP. */
export function headersOf(revision, tool) {
  const common = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': revision,
  };
  return revision === '2026-07-28' ? { ...common, 'mcp-method': 'tools/call', 'mcp-name': tool } : common;
}

/** With what a client opens a connection. */
export function greeting(revision, id) {
  if (revision === '2026-07-28') return request(revision, id, 'server/discover');
  return request(revision, id, 'initialize', { protocolVersion: revision, capabilities: {}, clientInfo: CLIENT });
}

/** Throws unless a contender does the whole job; `ask` sends a request and brings its answer. */
export async function proveMcp(name, revision, ask) {
  for (const input of SUMS) {
    const answer = await ask(callOf(revision, 1, input));
    if (sumIn(answer) !== input.x + input.y) throw wrong(name, input, answer);
  }
  for (const input of REFUSED) {
    const answer = await ask(callOf(revision, 1, input));
    if (!answer.error && answer.result?.isError !== true) throw wrong(name, input, answer);
  }
}

/** Some answer with data, some in words, some in both. */
function sumIn({ result }) {
  if (!result || result.isError) return undefined;
  const { structuredContent, content } = result;
  const value = structuredContent ?? JSON.parse(content[0].text);
  return value?.result ?? value;
}

function wrong(name, input, answer) {
  return new Error(`${name} answered ${JSON.stringify(input)} with ${JSON.stringify(answer)}`);
}
