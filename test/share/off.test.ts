import { expect, it } from 'vitest';
import { proves } from '../promises.ts';
import { run } from '../wires/cli.ts';

const HEADERS = `{ 'content-type': 'application/json', accept: 'application/json, text/event-stream' }`;

/** Opens a session, announces a change, and prints whether packages for stores are loaded. */
const program = (store: string) => `
import { Module } from 'node:module';
import { createApp, defineResource } from 'everywire';
const resources = [defineResource({ uri: 'r://1', name: 'r', description: 'd', read: () => 'x' })];
const app = createApp({ name: 'Off', version: '1', functions: [], resources, ${store} log: { debug() {}, info() {}, warn() {}, error() {} } });
const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
const response = await app.fetch(new Request('http://localhost/mcp', { method: 'POST', headers: ${HEADERS}, body }));
app.changes.listChanged('tools');
await app.close();
const loaded = Object.keys(Module._cache).some((file) => /\\/(ioredis|pg|bullmq|semver)\\//.test(file));
console.log(JSON.stringify([response.status, response.headers.has('mcp-session-id'), loaded]));
`;

it.each([
  ['', [200, true, false]],
  [`store: 'postgres://127.0.0.1:1/tasks',`, [200, true, false]],
  [`store: 'redis://127.0.0.1:1',`, [503, false, true]],
])(proves('share.off', 'createApp({ %s … })'), async (store, expected) => {
  const { stdout, stderr, code } = await run(['--input-type=module', '--eval', program(store)]);
  expect([code, stderr, JSON.parse(stdout)]).toEqual([0, '', expected]);
});

const TASK = `
import { Module } from 'node:module';
import { createApp, defineFunction } from 'everywire';
const functions = [defineFunction({ name: 'F', description: 'f', task: 'always', run: () => {} })];
const app = createApp({ name: 'Off', version: '1', functions });
const deferral = { caller: 'accepts', askable: [], wait: 10_000 };
const { outcome } = await app.respond({ name: 'F', input: {}, deferral });
await app.close();
console.log(outcome.ok, Object.keys(Module._cache).some((file) => /\\/(ioredis|pg|bullmq|semver)\\//.test(file)));`;

it(proves('share.off', 'tasks without a store load no package for one'), async () => {
  const { stdout, stderr } = await run(['--input-type=module', '--eval', TASK]);
  expect([stderr, stdout]).toEqual(['', 'true false\n']);
});
