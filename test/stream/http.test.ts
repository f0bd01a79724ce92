import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createApp, defineFunction, forms } from 'everywire';
import { createClient } from 'everywire/client';
import { serve } from 'everywire/node';
import { afterEach, describe, expect, it } from 'vitest';
import app from '../apps/streams.ts';
import { proves } from '../promises.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

async function ask(fn: string, accept: string | undefined, init: RequestInit = {}): Promise<Response> {
  const headers = { 'content-type': 'application/json', ...(accept !== undefined && { accept }) };
  const body = '{"to":2}';
  return app.fetch(new Request(`http://localhost/functions/${fn}`, { method: 'POST', body, ...init, headers }));
}

const get = (accept: string, headers: Record<string, string> = {}, method = 'GET') =>
  app.fetch(new Request('http://localhost/functions/Count?to=2', { method, headers: { accept, ...headers } }));

const typeOf = ({ headers }: Response) => headers.get('content-type');

describe('Accept', () => {
  it.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/json, text/event-stream', 'application/json'],
    ['text/event-stream, application/json', 'application/json'],
    ['text/event-stream;q=0.5, */*', 'application/json'],
    ['text/event-stream, application/json;q=0.9', 'text/event-stream'],
    ['text/event-stream, */*', 'text/event-stream'],
    ['text/event-stream', 'text/event-stream'],
    ['TEXT/Event-Stream; charset=utf-8', 'text/event-stream'],
    ['text/event-stream, text/html', 'text/event-stream'],
    ['application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
    ['application/ndjson', 'application/ndjson; charset=utf-8'],
    ['application/jsonl', 'application/jsonl; charset=utf-8'],
    ['text/event-stream;q=0.5, application/x-ndjson', 'application/x-ndjson; charset=utf-8'],
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
    for (const [response, status, code] of [
      [await ask('Count', 'text/event-stream', { body: '{}' }), 400, 'INVALID_ARGUMENTS'],
      [await ask('Nobody', 'text/event-stream'), 404, 'FUNCTION_NOT_FOUND'],
      [await ask('CountThenFail', 'text/event-stream', { body: '{"to":0}' }), 409, 'LOST'],
    ] as const) {
      expect(response.status).toBe(status);
      expect(response.headers.get('everywire-error-code')).toBe(code);
      expect(typeOf(response)).toBe('application/json');
      await response.text();
    }
  });

  it(
    proves('stream.errors', 'after the first event, an error has everything that is beside the body otherwise'),
    async () => {
      expect(await (await ask('CountThenFail', 'text/event-stream', { body: '{"to":1}' })).text()).toBe(
        'event: chunk\ndata: 1\n\nevent: error\nid: end\ndata: {"code":"LOST","status":409,"retry":false,"retryAfter":2,"body":{"error":"Lost count after 1"}}\n\n',
      );
    },
  );

  it(proves('stream.chunks', 'a function that does not stream has a stream with its result'), async () => {
    expect(await (await ask('CountAtOnce', 'application/x-ndjson')).text()).toBe(
      '{"event":"result","data":{"result":3}}\n',
    );
  });

  it(proves('stream.progress', 'contain progress, in order'), async () => {
    const text = await (await ask('Steps', 'application/x-ndjson', { body: '' })).text();
    expect(text.split('\n').map((line) => line && (JSON.parse(line) as { event: string }).event)).toEqual([
      'chunk',
      'progress',
      'chunk',
      'progress',
      'result',
      '',
    ]);
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

/** Sends a request, and returns the socket. */
function send(url: string, accept: string, fn: string, input: object) {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('utf8');
  const body = JSON.stringify(input);
  socket.write(
    `POST /functions/${fn} HTTP/1.1\r\nhost: localhost\r\naccept: ${accept}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  closing.push(() => socket.destroy());
  return socket;
}

const slow = (onEnd: (how: string) => void) =>
  createApp({
    name: 'Slow',
    version: '1',
    functions: [
      defineFunction({
        name: 'Slow',
        description: 'Yields now and then',
        output: { type: 'string', description: 'The end' },
        async *run(_input, { signal }) {
          try {
            for (let i = 0; i < 10; i++) {
              yield i;
              await setTimeout(50, undefined, { signal });
            }
            onEnd('returned');
            return 'end';
          } finally {
            onEnd('finally');
          }
        },
      }),
    ],
  });

it(proves('http.drain', 'a running stream ends before the server stops'), async () => {
  const steps: string[] = [];
  const host = await serve(
    slow((how) => steps.push(how)),
    { port: 0 },
  );
  const socket = send(host.url, 'text/event-stream', 'Slow', {});
  let text = '';
  socket.on('data', (chunk: string) => (text += chunk));
  await expect.poll(() => text).toContain('data: 0');
  expect(await host.drain()).toBe(true);
  expect(steps).toEqual(['returned', 'finally']);
  expect(text).toContain('data: {"result":"end"}');
});

it.each(['text/event-stream', 'application/x-ndjson'])(
  proves('stream.leaves', 'a client that half-closes gets the whole stream: %s'),
  async (accept) => {
    const host = await serve(
      slow(() => {}),
      { port: 0 },
    );
    closing.push(() => host.drain());
    const socket = send(host.url, accept, 'Slow', {});
    let text = '';
    socket.on('data', (chunk: string) => (text += chunk));
    socket.end();
    await once(socket, 'close');
    expect(text).toContain('{"result":"end"}');
  },
);

it(proves('stream.client', 'a stream that is cut off is a failure'), async () => {
  const whole = await (await ask('Count', 'application/x-ndjson', { body: '{"to":20}' })).text();
  for (const length of [0, 10, 100, whole.length - 20, whole.length - 1]) {
    const headers = { 'content-type': 'application/x-ndjson' };
    const client = createClient('http://localhost:1', {
      fetch: async () => new Response(whole.slice(0, length), { headers }),
    });
    const stream = client.stream('Count', { to: 20 });
    for await (const _chunk of stream);
    expect(await stream.outcome).toMatchObject({ ok: false, error: { code: 'UNAVAILABLE' } });
  }
});

it(proves('stream.client', 'what is no stream of events is a failure'), async () => {
  for (const text of ['nonsense\n', '[]\n', '{"event":"error","data":{}}\n', '{"event":"result","data":[]}\n{}\n']) {
    const client = createClient('http://localhost:1', {
      fetch: async () => new Response(text, { headers: { 'content-type': 'application/x-ndjson' } }),
    });
    const stream = client.stream('Count');
    for await (const _chunk of stream);
    expect((await stream.outcome).ok, text).toBe(false);
  }
});

it(proves('stream.client', 'dates in chunks come back as dates'), async () => {
  const dated = createApp({
    name: 'Dates',
    version: '1',
    functions: [
      defineFunction({
        name: 'Days',
        description: 'Two days',
        yields: {
          type: 'object',
          properties: { at: forms.date },
          description: 'A day',
        },
        output: { type: 'integer', description: 'How many' },
        async *run() {
          yield { at: new Date(0) };
          return 1;
        },
      }),
    ],
  });
  const client = createClient('http://localhost', { fetch: (url, init) => dated.fetch(new Request(url as URL, init)) });
  const stream = client.stream('Days');
  const chunks: unknown[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  expect(chunks).toEqual([{ at: new Date(0) }]);
});
