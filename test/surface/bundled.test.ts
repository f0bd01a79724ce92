import { symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createContext, runInContext } from 'node:vm';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';
import { asJson } from '../kit/as-json.ts';
import { proves } from '../promises.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';

// An app in one script, as bundlers produce it for a browser or a worker, run with nothing but web-standard globals.

const SOURCE = `
import { createApp, defineFunction, defineResource } from 'everywire';
const who = { type: 'string', description: 'Whom', pattern: '^\\\\p{L}+$' };
const greet = defineFunction({
  name: 'Greet', description: 'Greets',
  input: { type: 'object', properties: { who, also: { type: 'array', items: who, uniqueItems: true, description: 'And' } }, required: ['who'] },
  output: { type: 'string', description: 'A greeting' },
  run: ({ who }) => 'Hello, ' + who,
});
const note = defineResource({ uri: 'notes://today', name: 'Today', description: 'A note', read: () => 'Buy milk' });
const app = createApp({ name: 'Anywhere', version: '1.0.0', functions: [greet], resources: [note] });
export default { fetch: (request) => app.fetch(request) };
`;

const WORKERD = ['workerd', 'worker', 'browser', 'module', 'import', 'default'];

type Fetch = (request: Request) => Promise<Response>;

async function bundled(conditionNames: readonly string[] | undefined): Promise<string> {
  const folder = temporaryFolder('bundled');
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'));
  writeFileSync(join(folder, 'app.js'), SOURCE);
  await using build = await rolldown({
    input: join(folder, 'app.js'),
    platform: 'browser',
    ...(conditionNames && { resolve: { conditionNames: [...conditionNames] } }),
    logLevel: 'silent',
  });
  const { output } = await build.generate({ format: 'cjs', exports: 'named', codeSplitting: false });
  expect(output).toHaveLength(1);
  return output[0].code;
}

function runAlone(code: string): Fetch {
  const web = { Request, Response, Headers, URL, URLSearchParams, TextEncoder, TextDecoder, Blob };
  const streams = { AbortController, AbortSignal, DOMException, ReadableStream, WritableStream, TransformStream };
  const timers = { setTimeout, clearTimeout, setInterval, clearInterval, queueMicrotask };
  const more = { crypto, console, performance, structuredClone, atob, btoa, Event, EventTarget };
  const exports: { default?: { fetch: Fetch } } = {};
  runInContext(code, createContext({ ...web, ...streams, ...timers, ...more, exports }));
  return exports.default!.fetch;
}

describe.each([
  ['a browser', undefined],
  ['workerd', WORKERD],
])('bundled for %s', (_name, conditions) => {
  it(proves('http.fetch', 'an app needs nothing of Node, and answers'), async () => {
    const code = await bundled(conditions);
    const ofNode = /(?:from|require\(|import\()\s*["'](?:node:[\w/]+|fs|path|module|child_process)["']/;
    expect(code).not.toMatch(ofNode);
    const fetch = runAlone(code);
    const ask = async (path: string, body?: object) => {
      const init = body && asJson(body, { accept: 'application/json, text/event-stream' });
      const response = await fetch(new Request(`https://any.example${path}`, init));
      return { status: response.status, body: JSON.parse(await response.text()) as unknown };
    };
    const rpc = (method: string, params: object) => ask('/mcp', { jsonrpc: '2.0', id: 1, method, params });
    expect(await ask('/functions/Greet', { who: 'you' })).toEqual({ status: 200, body: { result: 'Hello, you' } });
    expect(await ask('/functions/Greet', { who: '1' })).toMatchObject({ status: 400 });
    expect(await ask('/openapi.json')).toMatchObject({ status: 200, body: { openapi: '3.1.1' } });
    const called = await rpc('tools/call', { name: 'functions.Greet', arguments: { who: 'you' } });
    expect(called.body).toMatchObject({ result: { structuredContent: { result: 'Hello, you' } } });
    // Not on the fast path: this needs the MCP SDK.
    const note = await rpc('resources/read', { uri: 'notes://today' });
    expect(note.body).toMatchObject({ result: { contents: [{ text: 'Buy milk' }] } });
  });
});
