import { createApp, Failure } from 'everywire';
import { expect, it } from 'vitest';
import { fn, object, string } from '../kit/functions.ts';
import { proves } from '../promises.ts';

const LONG = 'x'.repeat(500_000);
/** Servers limit headers and addresses; app.fetch takes what it gets. */
const SHORTER = LONG.slice(0, 100_000);
const MAX_REPLY = 25_000;

let logged = '';
const take = (message: string, fields?: object) => void (logged += message + JSON.stringify(fields ?? {}));
const throwing = (thrown: unknown) => () => {
  throw thrown;
};
const app = createApp({
  name: 'Long',
  version: '1.0.0',
  errors: 'shown',
  log: { debug: take, info: take, warn: take, error: take },
  limits: { body: 2_000_000 },
  functions: [
    fn('Throw', {}, throwing(new Error(LONG))),
    fn('ThrowString', {}, throwing(LONG)),
    fn('ThrowCode', {}, () => throwing(new Failure(LONG, 'x'))()),
    fn('Take', { strict: true, input: object({ a: { enum: ['p', 'q'] } }) }, () => {}),
    fn('Return', { output: { enum: ['p'] } }, () => LONG),
    fn('ReturnKeys', { output: { type: 'object', additionalProperties: string } }, () => ({ [LONG]: 1 })),
  ],
});

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};
const mcp = (method: string, params: object, name: string): [string, string, Record<string, string>] => [
  '/mcp',
  JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: META } }),
  {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    'mcp-name': name,
  },
];
const call = (name: string, body: object = {}): [string, string] => [`/functions/${name}`, JSON.stringify(body)];

const requests: Record<string, [path: string, body: string, headers?: Record<string, string>]> = {
  'a thrown error': call('Throw'),
  'a thrown string': call('ThrowString'),
  'the code of a failure': call('ThrowCode'),
  'a result': call('Return'),
  'a key of a result': call('ReturnKeys'),
  'an argument': call('Take', { a: LONG }),
  'the name of an argument': call('Take', { [LONG]: 1 }),
  'broken JSON': ['/functions/Take', `{"a":${LONG}`],
  'the name of a function': call(SHORTER),
  'a path': [`/${SHORTER}`, '{}'],
  'a query': [`/functions/Take?${SHORTER}=1`, '{}'],
  'a media type': ['/functions/Take', '{}', { 'content-type': `text/${SHORTER}` }],
  'a profile': ['/functions/Take', '{}', { accept: `application/json; profile=${SHORTER}` }],
  'the name of a tool': mcp('tools/call', { name: LONG }, LONG),
  'a tool that throws': mcp('tools/call', { name: 'functions.Throw' }, 'functions.Throw'),
  'the name of a prompt': mcp('prompts/get', { name: LONG }, LONG),
  'the address of a resource': mcp('resources/read', { uri: `x://${LONG}` }, `x://${LONG}`),
};

it.each(Object.entries(requests))(proves('input.bounded', '%s is cut short'), async (_, [path, body, headers]) => {
  logged = '';
  const request = { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } };
  const response = await app.fetch(new Request(`http://localhost${path}`, request));
  const text = await response.text();
  expect(text).toMatch(/error/i);
  expect(text.length + JSON.stringify([...response.headers]).length).toBeLessThan(MAX_REPLY);
  expect(logged.length).toBeLessThan(2 * MAX_REPLY);
});
