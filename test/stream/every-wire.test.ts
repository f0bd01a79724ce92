import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { connect } from 'node:http2';
import { join } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { createClient } from 'everywire/client';
import { toNodeHandler } from 'everywire/node';
import express from 'express';
import { afterAll, describe, expect, it } from 'vitest';
import { serveMcpStdio } from '../../src/wires/mcp/stdio.ts';
import { startServer } from '../access/issuer.ts';
import { asJson } from '../kit/as-json.ts';
import { size } from '../kit/sizes.ts';
import { createCertificate } from '../kit/certificates.ts';
import app from '../apps/streams.ts';
import { META, begin, tool } from '../mcp/mcp-post.ts';
import { startServing, type Served } from '../kit/served.ts';
import { expectErrors } from '../kit/errors.ts';
import { temporaryFolder } from '../kit/temporary-folder.ts';
import { proves } from '../promises.ts';

/** An event of a stream. `raw` is its data, byte for byte. */
interface Event {
  readonly event: string;
  readonly raw: string;
  readonly data: any;
}

interface Opened {
  /** Nothing is read while nobody asks for the next event. */
  readonly events: AsyncIterable<Event>;
  /** Leaves as a caller does on this wire. */
  leave(): void;
}

/** How a caller reads a stream on a wire. */
interface Driver {
  readonly name: string;
  /** The function runs in the process of the tests, whose memory says nothing about it. */
  readonly isHere?: boolean;
  open(fn: string, input: object): Promise<Opened>;
}

const MODULE = 'test/apps/streams.ts';
const closing: (() => unknown)[] = [];
const hosts = new Map<string, Promise<Served>>();

async function closeAll(): Promise<void> {
  for (const close of closing.splice(0).toReversed()) await close();
  hosts.clear();
}

/** A server in a process of its own: its memory is measured. */
function host(kind: 'plain' | 'tls'): Promise<Served> {
  const known = hosts.get(kind) ?? startServing(MODULE, ...(kind === 'tls' ? tlsFlags() : []));
  if (!hosts.has(kind)) closing.push(async () => (await known).stop());
  hosts.set(kind, known);
  return known;
}

function tlsFlags(): string[] {
  const { cert, key } = createCertificate();
  return ['--tls-cert', cert, '--tls-key', key];
}

async function* linesOf(source: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of source) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') throw new Error(`cut off: ${rest.slice(0, 100)}`);
}

async function* ndjson(source: AsyncIterable<Uint8Array>): AsyncGenerator<Event, void> {
  for await (const line of linesOf(source)) {
    if (line === '') continue;
    const { event, data } = JSON.parse(line) as Event;
    yield { event, raw: line.slice(`{"event":"${event}","data":`.length, -1), data };
  }
}

async function* sse(source: AsyncIterable<Uint8Array>): AsyncGenerator<Event, void> {
  let event = '';
  for await (const line of linesOf(source)) {
    if (line.startsWith('event: ')) event = line.slice('event: '.length);
    const raw = line.startsWith('data: ') ? line.slice('data: '.length) : undefined;
    if (raw !== undefined) yield { event, raw, data: JSON.parse(raw) };
  }
}

/** JSON-RPC messages as events: the body is the text of the result. */
async function* fromMcp(messages: AsyncIterable<string>): AsyncGenerator<Event, void> {
  for await (const text of messages) {
    const { id, method, params, result } = JSON.parse(text) as Record<string, any>;
    if (method === 'notifications/progress') {
      const chunk: unknown = params._meta?.['everywire/chunk'];
      if (chunk === undefined)
        yield { event: 'progress', raw: '', data: { done: params.progress, total: params.total } };
      else yield { event: 'chunk', raw: params.message, data: chunk };
    } else if (id === 1) {
      const { isError, content, _meta } = result;
      const { text: raw } = content[0];
      if (isError) yield { event: 'error', raw, data: { ..._meta['everywire/error'], body: JSON.parse(raw) } };
      else yield { event: 'result', raw, data: JSON.parse(raw) };
      return;
    }
  }
}

async function overHttp(path: string, headers: Record<string, string>, body: object): Promise<[Readable, () => void]> {
  const { body: sent, ...init } = asJson(body, headers);
  const asked = request(path, { ...init, agent: false }).end(sent);
  const [response] = (await once(asked, 'response')) as [Readable];
  response.on('error', () => {}); // we leave
  return [response, () => asked.destroy()];
}

const http = (name: string, accept: string, read: typeof sse, origin: () => Promise<string>): Driver => ({
  name,
  async open(fn, input) {
    const [response, leave] = await overHttp(`${await origin()}/functions/${fn}`, { accept }, input);
    return { events: read(response), leave };
  },
});

const http2: Driver = {
  name: 'HTTP/2',
  async open(fn, input) {
    const session = connect((await host('tls')).url, { rejectUnauthorized: false });
    closing.push(() => session.destroy());
    const stream = session.request({
      ':method': 'POST',
      ':path': `/functions/${fn}`,
      accept: 'text/event-stream',
      'content-type': 'application/json',
    });
    stream.end(JSON.stringify(input));
    return { events: sse(stream), leave: () => stream.close(8) };
  },
};

async function expressOrigin(): Promise<string> {
  const server = await startServer(express().use('/api', toNodeHandler(app)));
  closing.push(() => server[Symbol.asyncDispose]());
  return `${server.url}/api`;
}

const fetched: Driver = {
  name: 'app.fetch',
  isHere: true,
  async open(fn, input) {
    const init = asJson(input, { accept: 'application/x-ndjson' });
    const response = await app.fetch(new Request(`http://localhost/functions/${fn}`, init));
    const reader = response.body!.getReader();
    return { events: ndjson(chunksOf(reader)), leave: () => void reader.cancel() };
  },
};

async function* chunksOf(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function start(args: readonly string[], env: Record<string, string> = {}): ChildProcess & { stdout: Readable } {
  const child = spawn(process.execPath, ['dist/bin/everywire.js', ...args], { env: { ...process.env, ...env } });
  closing.push(() => child.kill('SIGKILL'));
  child.stdin.on('error', () => {}); // it may have ended
  return child;
}

const cgi: Driver = {
  name: 'CGI',
  async open(fn, input) {
    const body = JSON.stringify(input);
    const child = start(['cgi', MODULE], {
      REQUEST_METHOD: 'POST',
      PATH_INFO: `/${fn}`,
      CONTENT_TYPE: 'application/json',
      CONTENT_LENGTH: String(Buffer.byteLength(body)),
      HTTP_ACCEPT: 'text/event-stream',
    });
    child.stdin!.end(body);
    return { events: sse(child.stdout), leave: () => child.stdout.destroy() };
  },
};

const commandLine: Driver = {
  name: 'the command line',
  async open(fn, input) {
    const child = start(['call', MODULE, fn, '--input', JSON.stringify(input), '--stream']);
    return { events: ndjson(child.stdout), leave: () => child.stdout.destroy() };
  },
};

const call = (fn: string, input: object, meta: object) => ({
  jsonrpc: '2.0',
  id: 1,
  ...tool(fn, input, { _meta: { progressToken: 'here', ...meta } }),
});

const stdio: Driver = {
  name: 'MCP stdio',
  isHere: true,
  async open(fn, input) {
    const [sent, received] = [new PassThrough(), new PassThrough()];
    serveMcpStdio(app as never, sent, received, {});
    closing.push(() => sent.end());
    const send = (message: object) => sent.write(`${JSON.stringify(message)}\n`);
    send(call(fn, input, META));
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: META } };
    return { events: fromMcp(linesOf(received)), leave: () => send(cancelled) };
  },
};

const mcp = (revision: '2025-11-25' | '2026-07-28', hasSession = false): Driver => ({
  name: `MCP over HTTP, ${revision}${hasSession ? ', in a session' : ''}`,
  async open(fn, input) {
    const isModern = revision === '2026-07-28';
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': `functions.${fn}` };
    const accept = 'application/json, text/event-stream';
    const revised = { accept, 'mcp-protocol-version': revision, ...(isModern && headers) };
    const message = call(fn, input, isModern ? META : {});
    const { url } = await host('plain');
    const session = hasSession ? { 'mcp-session-id': await begin(url) } : {};
    const [response, leave] = await overHttp(`${url}/mcp`, { ...revised, ...session }, message);
    return { events: fromMcp(rawOf(sse(response))), leave };
  },
});

async function* rawOf(events: AsyncIterable<Event>): AsyncGenerator<string, void> {
  for await (const { raw } of events) yield raw;
}

/** Chunks and an outcome as events. */
const typed = (name: string, open: (fn: string, input: object) => Promise<ReturnType<typeof app.stream>>): Driver => ({
  name,
  async open(fn, input) {
    const stream = await open(fn, input);
    const iterator = stream[Symbol.asyncIterator]();
    async function* events(): AsyncGenerator<Event, void> {
      for (let next = await iterator.next(); !next.done; next = await iterator.next())
        yield { event: 'chunk', raw: '', data: next.value };
      const outcome = await stream.outcome;
      const body = JSON.stringify(app.profile.render(outcome));
      if (outcome.ok) yield { event: 'result', raw: body, data: JSON.parse(body) };
      else yield { event: 'error', raw: body, data: { ...outcome.error, body: JSON.parse(body) } };
    }
    return { events: events(), leave: () => void iterator.return?.() };
  },
});

const plainOrigin = async () => (await host('plain')).url;

/** Those whose reader slows the function down. */
const drivers: readonly Driver[] = [
  http('HTTP, server-sent events', 'text/event-stream', sse, plainOrigin),
  http2,
  stdio,
  mcp('2026-07-28'),
  { ...typed('in process', async (fn, input) => app.stream(fn as 'Count', input as never) as never), isHere: true },
  http('HTTP, NDJSON', 'application/x-ndjson', ndjson, plainOrigin),
  { ...http('Express', 'text/event-stream', sse, expressOrigin), isHere: true },
  fetched,
  cgi,
  commandLine,
  mcp('2025-11-25'),
  mcp('2025-11-25', true),
  typed('the client', async (fn, input) => createClient(await plainOrigin()).stream(fn, input) as never),
];

/** In `npm test`, one of each kind reads much. */
const slowDrivers = drivers.slice(0, size(5, drivers.length));

/** The SDK of MCP clients reads as fast as it can. */
const mcpClient = typed('the client, over MCP', async (fn, input) => {
  const client = createClient(`${await plainOrigin()}/mcp`);
  closing.push(() => client.close());
  return client.stream(fn, input) as never;
});

expectErrors(/"operationId":"functions\.CountThenLie"/);
afterAll(closeAll);

async function readAll(driver: Driver, fn: string, input: object = {}): Promise<Event[]> {
  const { events } = await driver.open(fn, input);
  const found: Event[] = [];
  for await (const event of events) found.push(event);
  return found;
}

/** The body of the same call without a stream. */
async function bodyOf(fn: string, input: object): Promise<string> {
  return (await app.fetch(new Request(`http://localhost/functions/${fn}`, asJson(input)))).text();
}

/** What a function writes to a file. */
const contentOf = (file: string) => (existsSync(file) ? readFileSync(file, 'utf8') : '');

describe.each([...drivers, mcpClient])('on $name', (driver) => {
  it(proves('stream.chunks', 'chunks come one by one, and then the answer'), async () => {
    const events = await readAll(driver, 'Count', { to: 3 });
    expect(events.map(({ event, data }) => [event, data] as unknown)).toEqual([
      ['chunk', 1],
      ['chunk', 2],
      ['chunk', 3],
      ['result', { result: 6 }],
    ]);
    expect(events.at(-1)?.raw).toBe(await bodyOf('Count', { to: 3 }));
  });

  it(proves('stream.errors', 'an error after the first chunk comes last'), async () => {
    const [first, second, last] = await readAll(driver, 'CountThenFail', { to: 2 });
    expect([first?.data, second?.data]).toEqual([1, 2]);
    expect(last).toMatchObject({ event: 'error', data: { code: 'LOST', body: { error: 'Lost count after 2' } } });
    expect(last!.data.retryAfter).toBe(2);
  });

  it(proves('stream.leaves', 'the finally of a generator runs when the caller has left'), async () => {
    const file = join(temporaryFolder('stream'), 'left');
    const { events, leave } = await driver.open('Endless', { file });
    try {
      for await (const { data } of events) {
        if (data !== 20) continue;
        expect(contentOf(file)).toBe('');
        leave();
        break;
      }
    } catch {
      // Some streams fail if they are destroyed.
    }
    await expect.poll(() => contentOf(file), { interval: 5, timeout: 10_000 }).toMatch(/\d/);
  });
});

it(proves('stream.chunks', 'an invalid chunk ends the call'), async () => {
  for (const driver of slowDrivers) {
    const events = await readAll(driver, 'CountThenLie');
    expect(events.map(({ event }) => event)).toEqual(['chunk', 'error']);
    expect(events.at(-1)!.data.code).toBe('INVALID_OUTPUT');
  }
});

it(proves('stream.same-body', 'a function that streams has the body of one that does not'), async () => {
  expect(await bodyOf('Count', { to: 7 })).toBe(await bodyOf('CountAtOnce', { to: 7 }));
  const words = (await readAll(drivers[0]!, 'Words')).at(-1)?.raw;
  expect(words).toBe(await bodyOf('Words', {}));
});

const CHUNKS = size(2000, 10_000);
const SIZE = 20_000;
/** What sockets and pipes hold is less than this number of chunks. */
const MAX_AHEAD = 1500;
/** Kilobytes. In full size, all chunks together are more, and over MCP twice that. */
const MAX_GROWTH = 150_000;

describe.each(slowDrivers)('with a slow reader on $name', (driver) => {
  it(proves('stream.slow', `${CHUNKS} chunks arrive, and memory stays bounded`), async () => {
    const file = join(temporaryFolder('stream'), 'far');
    const { events } = await driver.open('Much', { chunks: CHUNKS, size: SIZE, file });
    let count = 0;
    let growth = Infinity;
    for await (const { event, data } of events) {
      if (event === 'result') growth = data.result;
      else if (event === 'chunk') expect(Number.parseInt(data, 10)).toBe(++count);
      else expect.unreachable(JSON.stringify(data));
      if (count === 10) {
        await setTimeout(1000); // long enough for all of them, if nothing held them back
        expect(Number(contentOf(file))).toBeLessThan(MAX_AHEAD);
      }
      if (count % 1000 === 0) await setTimeout(20);
    }
    expect(count).toBe(CHUNKS);
    if (!driver.isHere) expect(growth).toBeLessThan(MAX_GROWTH);
  });
});

it(proves('stream.client', 'over MCP, a reader that is much too slow ends the call'), async () => {
  const file = join(temporaryFolder('stream'), 'far');
  const { events } = await mcpClient.open('Much', { chunks: 2000, size: SIZE, file });
  let last: Event | undefined;
  for await (const event of events) {
    if (!last) {
      // Almost as much as may wait; the rest follows soon.
      await expect.poll(() => Number(contentOf(file)), { timeout: 30_000 }).toBeGreaterThanOrEqual(800);
      await setTimeout(3000);
    }
    last = event;
  }
  expect(last).toMatchObject({ event: 'error', data: { code: 'UNAVAILABLE' } });
});
