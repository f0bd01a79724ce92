// The limit: no SDK at all, and nothing done that the job does not ask for. Both revisions, on any wire.
import { add } from './add.mjs';

const INFO = { name: 'Bench', version: '1.0.0' };
const CAPABILITIES = { tools: {} };
const TOOLS = [
  {
    name: add.name,
    description: add.description,
    inputSchema: add.input,
    outputSchema: { type: 'object', properties: { result: add.output }, required: ['result'] },
  },
];

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CACHING = { ttlMs: 0, cacheScope: 'private' };

/** The answer to a line as text, or nothing if it is a notification. */
export function answer(line) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return undefined;
  const isModern = params?._meta?.[VERSION] === '2026-07-28';
  if (method === 'tools/call') return call(id, params, isModern);
  const result = isModern ? modern(method) : legacy(method);
  const body = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  return JSON.stringify({ jsonrpc: '2.0', id, ...body });
}

function call(id, { name, arguments: input }, isModern) {
  if (name !== 'Add') return refuse(id, 'There is no such tool');
  if (!Number.isInteger(input?.x) || !Number.isInteger(input?.y)) return refuse(id, 'x and y must be integers');
  const sum = input.x + input.y;
  const type = isModern ? '"resultType":"complete",' : '';
  const content = `"content":[{"type":"text","text":"{\\"result\\":${sum}}"}],"structuredContent":{"result":${sum}}`;
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${type}${content}}}`;
}

function refuse(id, message) {
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32602, message } });
}

function legacy(method) {
  if (method === 'initialize') return { protocolVersion: '2025-11-25', capabilities: CAPABILITIES, serverInfo: INFO };
  if (method === 'ping') return {};
  return method === 'tools/list' ? { tools: TOOLS } : undefined;
}

function modern(method) {
  if (method === 'server/discover') {
    const found = { supportedVersions: ['2026-07-28', '2025-11-25'], capabilities: CAPABILITIES, serverInfo: INFO };
    return { resultType: 'complete', ...CACHING, ...found };
  }
  return method === 'tools/list' ? { resultType: 'complete', ...CACHING, tools: TOOLS } : undefined;
}
