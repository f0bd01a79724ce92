import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { META, post } from '../mcp/mcp-post.ts';
import { proves } from '../promises.ts';
import { startServing } from '../kit/served.ts';
import type { Served } from '../kit/served.ts';

// Credentials that nobody knows, sent everywhere: they must not come back, and must not be logged.

const CANARY = 'canary-7d1f0c';

const HEADERS: Record<string, string>[] = [
  { authorization: `Bearer ${CANARY}` },
  { authorization: `Bearer ${CANARY} ${CANARY}` },
  { authorization: `Basic ${CANARY}` },
  { authorization: CANARY },
  { authorization: `"${CANARY}` },
  { 'x-api-key': CANARY },
  { 'x-api-key': `${CANARY} ${CANARY}` },
  { authorization: `Bearer ${CANARY}`, 'x-api-key': CANARY },
  { 'proxy-authorization': `Bearer ${CANARY}`, cookie: `session=${CANARY}` },
  { authorization: `Bearer ${CANARY.repeat(900)}` },
];

const PATHS: [string, string][] = [
  ['POST', '/functions/Read'],
  ['POST', '/functions/WhoAmI'],
  ['POST', '/functions/Unknown'],
  ['GET', `/functions/Read?access_token=${CANARY}`],
  ['POST', `/functions/Read?access_token=${CANARY}`],
  ['PUT', '/functions/Read'],
  ['GET', '/resources'],
  ['GET', '/resources/note%3A%2F%2Fone'],
  ['GET', '/openapi.json'],
  ['GET', '/.well-known/oauth-protected-resource'],
  ['OPTIONS', '/functions/Read'],
  ['GET', '/elsewhere'],
  ['GET', `/mcp?access_token=${CANARY}`],
];

let served: Served;
beforeAll(async () => void (served = await startServing('test/apps/access.ts', '--verbose')));
afterAll(() => served.stop());

const said = async (response: Response) => JSON.stringify([...response.headers]) + (await response.text());

it(proves('access.caller', 'no credential comes back or is logged, whatever is wrong with it'), async () => {
  const answers: string[] = [];
  for (const headers of HEADERS) {
    for (const [method, path] of PATHS) answers.push(await said(await fetch(served.url + path, { method, headers })));
    for (const method of ['tools/call', 'tools/list', 'resources/read', 'ping', 'nonsense']) {
      const params = { name: 'functions.Read', uri: 'note://one' };
      answers.push(await said(await post(served.url, { jsonrpc: '2.0', id: 1, method, params }, headers)));
      const modern = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': method, 'mcp-name': 'functions.Read' };
      const message = { jsonrpc: '2.0', id: 1, method, params: { name: 'functions.Read', _meta: META } };
      answers.push(await said(await post(served.url, message, { ...headers, ...modern })));
    }
  }
  await setTimeout(200); // the log is another pipe
  expect(answers.length).toBeGreaterThan(200);
  expect(answers.filter((answer) => answer.includes(CANARY))).toEqual([]);
  expect(served.stderr()).toContain('functions.Read');
  expect(served.stderr()).not.toContain(CANARY);
});
