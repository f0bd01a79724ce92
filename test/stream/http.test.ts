import { setTimeout } from 'node:timers/promises';
import { createApp, forms } from 'everywire';
import { createClient } from 'everywire/client';
import { afterEach, describe, expect, it } from 'vitest';
import app from '../apps/streams.ts';
import { startHost, stopHosts } from '../kit/host-app.ts';
import { dial, postText } from '../kit/raw.ts';
import { INITIALIZE, messagesIn, modern } from '../mcp/mcp-post.ts';
import { fn, integer, object, string } from '../kit/functions.ts';
import { proves } from '../promises.ts';
import { openStdio } from '../wires/stdio.ts';

afterEach(stopHosts);

async function ask(name: string, accept: string | undefined, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
  const body = '{"to":2}';
  return app.fetch(new Request(`http://localhost/functions/${name}`, { method: 'POST', body, ...init, headers }));
}

const get = (accept: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(new Request('http://localhost/functions/Count?to=2', { method, headers: { accept, ...headers } }));

const typeOf = ({ headers }: Response) => headers.get('content-type');

describe('Accept', () => {
  it.each([
    [undefined, 'application/json'],
    ['TEXT/Event-Stream; charset=utf-8', 'text/event-stream'],
    ['application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
    ['application/ndjson', 'application/ndjson; charset=utf-8'],
    ['application/jsonl', 'application/jsonl; charset=utf-8'],
  ])(proves('stream.chunks', '%s → %s'), async (accept, type) => {
    const response = await ask('Count', accept);
    expect(typeOf(response)).toBe(type);
    expect(response.headers.get('vary')).toBe('Accept');
    await response.text();
  });

  it(proves('stream.chunks', 'a stream with quality 0 is not acceptable, and a wildcard means no stream'), async () => {
    expect((await ask('Count', 'text/event-stream;q=0')).status).toBe(406);
    expect((await ask('Count', 'text/*')).status).toBe(406);
  });

  it(proves('stream.same-body', 'the result has the profile that is asked for'), async () => {
    const envelope = await ask('Count', 'application/x-ndjson, application/json;profile=status;q=0.5');
    expect(await envelope.text()).toContain('{"event":"result","data":{"status":"SUCCESS","data":3}}');
    const headers = { accept: 'application/x-ndjson' };
    const query = new Request('http://localhost/functions/Count?to=2&profile=status', { headers });
    expect(await (await app.fetch(query)).text()).toContain('{"event":"result","data":{"status":"SUCCESS","data":3}}');
  });
});

describe('responses', () => {
  it(proves('stream.chunks', 'are neither cached nor collected by proxies'), async () => {
    const { headers } = await ask('Count', 'text/event-stream');
    expect(Object.fromEntries(headers)).toEqual({
      'cache-control': 'no-cache',
      'content-type': 'text/event-stream',
      vary: 'Accept',
      'x-accel-buffering': 'no',
    });
  });

  it(proves('stream.errors', 'a call that fails before its first event has its status'), async () => {
    for (const [name, body, status, code] of [
      ['Count', '{}', 400, 'INVALID_ARGUMENTS'],
      ['Nobody', '{}', 404, 'FUNCTION_NOT_FOUND'],
      ['CountThenFail', '{"to":0}', 409, 'LOST'],
    ] as const) {
      const response = await ask(name, 'text/event-stream', { body });
      expect([response.status, typeOf(response)]).toEqual([status, 'application/json']);
      expect(response.headers.get('everywire-error-code')).toBe(code);
    }
  });

  it(proves('stream.errors', 'after the first event, an error has what is beside the body otherwise'), async () => {
    expect(await (await ask('CountThenFail', 'text/event-stream', { body: '{"to":1}' })).text()).toBe(
      'event: chunk\ndata: 1\n\nevent: error\nid: end\ndata: {"code":"LOST","status":409,"retry":false,"retryAfter":2,"body":{"error":"Lost count after 1"}}\n\n',
    );
  });

  it(proves('stream.chunks', 'a function that does not stream has a stream with its result'), async () => {
    expect(await (await ask('CountAtOnce', 'application/x-ndjson')).text()).toBe(
      '{"event":"result","data":{"result":3}}\n',
    );
  });

  it(proves('stream.progress', 'contain progress, in order'), async () => {
    const text = await (await ask('Steps', 'application/x-ndjson', { body: '' })).text();
    const events = text.match(/(?<=^\{"event":")\w+/gm);
    expect(events).toEqual(['chunk', 'progress', 'chunk', 'progress', 'result']);
  });

  it(proves('stream.chunks', 'GET streams without an ETag, and HEAD has the same headers'), async () => {
    const response = await get('text/event-stream');
    expect(await response.text()).toContain('data: {"result":3}');
    expect(response.headers.get('etag')).toBe(null);
    const head = await get('text/event-stream', {}, 'HEAD');
    expect([...head.headers]).toEqual([...response.headers]);
    expect((await get('*/*')).headers.get('etag')).not.toBe(null);
  });

  it(proves('stream.chunks', 'an EventSource that reconnects after the end is told to stop'), async () => {
    expect((await get('text/event-stream', { 'last-event-id': 'end' })).status).toBe(204);
  });
});

/** Serves a stream that takes half a second, and asks for it. */
async function startSlow(accept: string) {
  const steps: string[] = [];
  const slow = fn('Slow', { output: string }, async function* (_, { signal }) {
    try {
      for (let i = 0; i < 10; i++) {
        yield i;
        await setTimeout(50, undefined, { signal });
      }
      steps.push('returned');
      return 'end';
    } finally {
      steps.push('finally');
    }
  });
  const host = await startHost({ functions: [slow] });
  const dialled = dial(host.url);
  dialled.socket.write(postText('/functions/Slow', '{}', `accept: ${accept}`));
  return { ...dialled, host, steps };
}

it(proves('http.drain', 'a running stream ends before the server stops'), async () => {
  const { text, host, steps } = await startSlow('text/event-stream');
  await expect.poll(text).toContain('data: 0');
  expect(await host.drain()).toBe(true);
  expect(steps).toEqual(['returned', 'finally']);
  expect(text()).toContain('data: {"result":"end"}');
});

it.each(['text/event-stream', 'application/x-ndjson'])(
  proves('stream.leaves', 'a client that half-closes gets the whole stream: %s'),
  async (accept) => {
    const { socket, rest } = await startSlow(accept);
    socket.end();
    expect(await rest()).toContain('{"result":"end"}');
  },
);

const whole = await (await ask('Count', 'application/x-ndjson', { body: '{"to":20}' })).text();
it.each([
  ...[0, 10, 100, whole.length - 20, whole.length - 1].map((length) => whole.slice(0, length)),
  'nonsense\n',
  '[]\n',
  '{"event":"error","data":{}}\n',
  '{"event":"result","data":[]}\n{}\n',
])(proves('stream.client', 'a stream that is cut off, or no stream of events, is a failure: %j'), async (text) => {
  const headers = { 'content-type': 'application/x-ndjson' };
  const client = createClient('http://localhost:1', { fetch: async () => new Response(text, { headers }) });
  const stream = client.stream('Count', { to: 20 });
  for await (const _chunk of stream);
  const error = whole.startsWith(text) ? { code: 'UNAVAILABLE' } : {};
  expect(await stream.outcome).toMatchObject({ ok: false, error });
});

it(proves('stream.client', 'dates in chunks come back as dates'), async () => {
  const dated = createApp({
    name: 'Dates',
    version: '1',
    functions: [
      fn('Days', { yields: object({ at: forms.date }), output: integer }, async function* () {
        yield { at: new Date(0) };
        return 1;
      }),
    ],
  });
  const client = createClient('http://localhost', { fetch: (url, init) => dated.fetch(new Request(url as URL, init)) });
  const stream = client.stream('Days');
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks).toEqual([{ at: new Date(0) }]);
});

const steps = { name: 'functions.Steps', arguments: {}, _meta: { progressToken: 'p' } };

interface Heard {
  readonly params?: { readonly progress: number; readonly total?: number; readonly message?: string };
}

describe('progress and chunks over MCP', () => {
  it(proves('stream.progress', 'increase together, as the protocol requires'), async () => {
    const messages = (await messagesIn(await modern(app, { method: 'tools/call', params: steps }))) as Heard[];
    const notified = messages.flatMap(({ params }) => params ?? []);
    expect(notified.map(({ message, total }) => [message, total])).toEqual([
      ['a', undefined],
      ['two', 3],
      ['b', undefined],
      [undefined, 3],
    ]);
    expect(notified.map(({ progress }) => progress)).toEqual([1, 2, 2.000000001, 3]);
  });

  it(proves('stream.chunks', 'are sent only to clients with a token, and only the response to others'), async () => {
    const session = openStdio(app);
    const messages: { id?: number }[] = [];
    session.onLine((line) => messages.push(JSON.parse(line) as { id?: number }));
    session.write(JSON.stringify(INITIALIZE));
    const params = { ...steps, _meta: undefined };
    session.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    await session.close();
    expect(messages.map(({ id }) => id)).toEqual([0, 1]);
  });
});
