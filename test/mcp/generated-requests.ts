import { pick, type Random } from '../../src/proof/random.ts';

export { pick, seeded } from '../../src/proof/random.ts';

/** A valid or broken request; the same for the same seed. */
export interface Generated {
  readonly headers: Record<string, string>;
  readonly message: unknown;
}

const VALUES = [null, 0, -1, 1.5, 2 ** 53, '', true, false, [], [1], {}, { a: 1 }, { type: 'object' }];
const JUNK: readonly unknown[] = [
  ...VALUES,
  ...'a 10 äö€😀 2025-11-25 2026-07-28 2099-01-01 tools/call functions.Add'.split(' '),
];

const KEYS = 'a id name task cursor progressToken _meta level arguments __proto__ params'.split(' ');

const CAPABILITIES: readonly object[] = [
  {},
  {},
  { elicitation: {} },
  { elicitation: { form: { applyDefaults: true }, url: {} } },
  { sampling: { tools: {} }, roots: { listChanged: true } },
  { experimental: { a: {} }, extensions: { 'example.com/b': { c: 1 } } },
  { extensions: { 'io.modelcontextprotocol/tasks': {} } },
  { extensions: { 'io.modelcontextprotocol/tasks': {}, 'example.com/b': {} } },
  { elicitation: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } },
];

const CLIENTS: readonly object[] = [
  { name: 'test', version: '1' },
  { name: 'test', version: '1', title: 'Test', websiteUrl: 'https://example.com', description: 'For tests' },
  { name: 'test', version: '1', icons: [{ src: 'https://example.com/a.png', sizes: ['48x48'] }] },
];

/** Stands for the id of a task that has ended. */
export const KNOWN_TASK = 'known-task';

const calling = (name: string, given?: object) => ({ name, ...(given && { arguments: given }) });

const CALLS: readonly object[] = [
  calling('functions.Add', { x: 1, y: 2 }),
  calling('Add', { x: '1', y: 2 }),
  calling('functions_Add', { x: 1, y: 2, z: 3 }),
  calling('functions.Add', { x: 'a', y: 5.5 }),
  calling('functions.Add', { x: 1 }),
  calling('functions.Add'),
  calling('functions.Split', { text: 'a b "ü" \\ \u2028' }),
  ...['NO_SUCH_USER', 'BAD_REQUEST', 'CANCELLED', 'INPUT_REQUIRED'].map((code) => calling('functions.Fail', { code })),
  ...'Nothing Throw Lie Log Ask Picture Words Missing IsTask'
    .split(' ')
    .map((name) => calling(`functions.${name}`, {})),
  calling('functions.Later', { x: 3 }),
  calling('functions.MayBeTask', { x: 3 }),
  calling('functions.MayBeTask', { x: 'a' }),
];

const TASK_CALLS: readonly object[] = [
  { taskId: KNOWN_TASK },
  { taskId: KNOWN_TASK, inputResponses: {} },
  { taskId: KNOWN_TASK, inputResponses: { a: { action: 'decline' }, b: { result: 1 }, c: 1 } },
  { taskId: 'unknown-task' },
  { taskId: 'unknown-task', inputResponses: { a: { action: 'accept', content: {} } } },
];

/** Every third one is a call of a tool. */
const METHODS = [
  ...Array.from({ length: 6 }, () => 'tools/call'),
  ...'tools/list ping server/discover initialize logging/setLevel tasks/get'.split(' '),
  ...'tasks/update tasks/cancel prompts/list resources/templates/list no/such'.split(' '),
];

/** One request; about half of them are broken. */
export function generate(random: Random, era: 'legacy' | 'modern'): Generated {
  const message = right(random, era);
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  if (era === 'modern') {
    headers['mcp-protocol-version'] = '2026-07-28';
    headers['mcp-method'] = message.method;
    const { name, taskId = name } = message.params as { name?: string; taskId?: string };
    if (taskId) headers['mcp-name'] = taskId;
  } else if (random() < 0.7) headers['mcp-protocol-version'] = pick(random, ['2025-11-25', '2025-06-18', '2024-11-05']);
  const flaws = random() < 0.5 ? 0 : 1 + Math.floor(random() * 2);
  for (let i = 0; i < flaws; i++) {
    if (random() < 0.25) breakHeaders(random, headers);
    else breakMessage(random, message);
  }
  return { headers, message };
}

interface Right {
  jsonrpc: string;
  id: unknown;
  method: string;
  params?: unknown;
}

function right(random: Random, era: 'legacy' | 'modern'): Right {
  const method = pick(random, METHODS);
  const id = pick(random, [1, 0, -3, 'a', '', 'ü"\n', 2 ** 40]);
  const meta: Record<string, unknown> = {};
  if (random() < 0.1) meta['traceparent'] = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  if (random() < 0.05) meta['progressToken'] = 7;
  // With a valid one, the second of two equal requests finds the task of the first.
  if (random() < 0.01) meta['everywire/idempotencyKey'] = 7;
  if (era === 'modern') {
    meta['io.modelcontextprotocol/protocolVersion'] = '2026-07-28';
    meta['io.modelcontextprotocol/clientInfo'] = pick(random, CLIENTS);
    meta['io.modelcontextprotocol/clientCapabilities'] = pick(random, CAPABILITIES);
    if (random() < 0.05) meta['io.modelcontextprotocol/logLevel'] = 'debug';
  }
  const params = { ...paramsOf(random, method), ...(Object.keys(meta).length > 0 && { _meta: meta }) };
  // Copied, because breakMessage changes it.
  return structuredClone({ jsonrpc: '2.0', id, method, ...(Object.keys(params).length > 0 && { params }) });
}

function paramsOf(random: Random, method: string): object {
  if (method === 'tools/call') return pick(random, CALLS);
  if (method.startsWith('tasks/')) return pick(random, TASK_CALLS);
  if (method === 'logging/setLevel') return { level: pick(random, ['debug', 'warning', 'emergency']) };
  if (method !== 'initialize') return {};
  return {
    protocolVersion: pick(random, ['2025-11-25', '2024-10-07', '2026-07-28', '1999-01-01']),
    capabilities: pick(random, CAPABILITIES),
    clientInfo: pick(random, CLIENTS),
  };
}

const HEADERS = 'accept content-type mcp-protocol-version mcp-method mcp-name mcp-session-id'.split(' ');

function breakHeaders(random: Random, headers: Record<string, string>): void {
  const name = pick(random, HEADERS);
  if (random() < 0.4) delete headers[name];
  else
    headers[name] = pick(random, [
      'application/json; charset=utf-8',
      'application/json;q=0.5, text/event-stream',
      ...'*/* application/json text/event-stream text/plain 2025-11-25 2026-07-28 2099-01-01'.split(' '),
      ...'tools/list tools/call functions.Add =?base64?ZnVuY3Rpb25zLkFkZA==?='.split(' '),
    ]);
}

/** Removes, replaces or adds a value at a random place. */
function breakMessage(random: Random, message: object): void {
  const places: Record<string, unknown>[] = [];
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    places.push(value as Record<string, unknown>);
    Object.values(value).forEach(visit);
  };
  visit(message);
  const place = pick(random, places);
  const keys = Object.keys(place);
  const how = random();
  if (how < 0.35 && keys.length > 0) delete place[pick(random, keys)];
  else {
    const key = how < 0.75 && keys.length > 0 ? pick(random, keys) : pick(random, KEYS);
    const value = structuredClone(pick(random, JUNK));
    Object.defineProperty(place, key, { value, enumerable: true, configurable: true, writable: true });
  }
}
