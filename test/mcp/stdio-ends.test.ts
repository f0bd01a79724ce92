import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { proves } from '../promises.ts';

const APP = 'test/apps/slow-reader.ts';

const hello = {
  jsonrpc: '2.0',
  id: 'hello',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: { name: 't', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const call = (id: unknown, name: string, given: object = {}, meta?: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: `functions.${name}`, arguments: given, ...(meta && { _meta: meta }) },
});

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) if (child.exitCode === null) child.kill('SIGKILL');
});

interface Reply {
  readonly id?: unknown;
  readonly method?: string;
  readonly result?: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A server whose output is read on demand. */
function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ['dist/bin/everywire.js', 'mcp', APP], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  children.push(child);
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  child.stdin.on('error', () => {});
  const chunks: Buffer[] = [];
  const ended = once(child, 'close') as Promise<[number | null]>;
  return {
    child,
    chunks,
    ended,
    stderr: () => stderr,
    said: () =>
      Buffer.concat(chunks)
        .toString()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Reply),
    /** Sends all messages in one write, so that the server reads them together. */
    send(...messages: (object | string | Buffer)[]) {
      const parts = messages.map((message) =>
        Buffer.isBuffer(message)
          ? message
          : Buffer.from(typeof message === 'string' ? message : `${JSON.stringify(message)}\n`),
      );
      child.stdin.write(Buffer.concat(parts));
    },
    /** Waits until so many bytes have arrived, read or not. */
    async received(bytes: number) {
      const noop = () => {};
      if (child.stdout.listenerCount('data') === 0) child.stdout.on('readable', noop);
      const size = () => chunks.reduce((sum, { length }) => sum + length, child.stdout.readableLength);
      while (size() < bytes) await new Promise((resolve) => setTimeout(resolve, 20));
      child.stdout.off('readable', noop);
    },
    read() {
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    },
    /** Reads a chunk and waits. */
    readSlowly(pause: number) {
      child.stdout.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        child.stdout.pause();
        setTimeout(() => child.stdout.resume(), pause);
      });
    },
  };
}

const BIG = 2_000_000;
/** Bytes after which the big response must have begun. */
const BEGUN = 10_000;

describe('the end of a session on stdio', { timeout: 60_000 }, () => {
  it.each([
    ['the input ends', undefined],
    ['SIGTERM', 'SIGTERM'],
  ] as const)(proves('mcp.stdio', 'after %s, a slow reader gets everything'), async (_when, signal) => {
    const server = start({ DRAIN: '1500' });
    server.send(hello, call(1, 'Big', { length: BIG }), call(2, 'Echo', { text: 'ä😀' }));
    server.readSlowly(50);
    await server.received(BEGUN);
    // In total this takes longer than the limit, but each read comes in time.
    if (signal) server.child.kill(signal);
    else server.child.stdin.end();
    const [code] = await server.ended;
    const said = server.said();
    expect(said.find(({ id }) => id === 1)?.result.structuredContent.result).toHaveLength(BIG);
    if (!signal) expect(said.find(({ id }) => id === 2)?.result.structuredContent).toEqual({ result: 'ä😀' });
    expect(code).toBe(0);
  });

  it.each([
    ['the input has ended', undefined],
    ['SIGTERM', 'SIGTERM'],
  ] as const)(
    proves('mcp.stdio', 'the server gives up a reader that stops, with a message and exit code 1, after %s'),
    async (_when, signal) => {
      const server = start({ DRAIN: '500' });
      server.send(hello, call(1, 'Big', { length: BIG }));
      await server.received(BEGUN);
      if (signal) server.child.kill(signal);
      else server.child.stdin.end();
      const [code] = (await once(server.child, 'exit')) as [number];
      server.child.stdout.resume();
      await server.ended;
      expect(code).toBe(1);
      expect(server.stderr()).toContain('stopped reading');
    },
  );

  it(proves('mcp.stdio', 'a call that does not end in time gets an error, and the exit code is 1'), async () => {
    const server = start({ DRAIN: '300' });
    server.read();
    server.send(hello, call(1, 'Never'), call(2, 'Never', {}, { progressToken: 1 }));
    server.child.stdin.end();
    const [code] = await server.ended;
    expect(code).toBe(1);
    expect(server.stderr()).toContain('2 of the calls in progress did not end in time');
    const answered = server.said().filter(({ id }) => id === 1 || id === 2);
    expect(answered.map(({ error }) => error?.code)).toEqual([-32603, -32603]);
  });

  it(proves('mcp.stdio', 'while it stops, new requests are refused and accepted ones are completed'), async () => {
    const server = start();
    server.read();
    server.send(hello, call(1, 'Wait', { ms: 800 }));
    while (!server.said().some(({ id }) => id === 'hello')) await new Promise((resolve) => setTimeout(resolve, 20));
    server.child.kill('SIGTERM');
    await new Promise((resolve) => setTimeout(resolve, 200));
    server.send(call(2, 'Echo', { text: 'late' }));
    const [code] = await server.ended;
    expect(code).toBe(0);
    expect(server.said().find(({ id }) => id === 1)?.result.structuredContent).toEqual({ result: 800 });
    expect(server.said().find(({ id }) => id === 2)?.error?.message).toContain('about to stop');
  });

  it(proves('mcp.stdio', 'an elicitation that cannot be answered any more does not delay the end'), async () => {
    const server = start();
    server.read();
    server.send(hello, initialized, call(1, 'Ask'));
    while (!server.said().some(({ method }) => method === 'elicitation/create'))
      await new Promise((resolve) => setTimeout(resolve, 20));
    const from = Date.now();
    server.child.stdin.end();
    const [code] = await server.ended;
    expect(Date.now() - from).toBeLessThan(6000);
    expect(code).toBe(0);
    expect(server.said().filter(({ id, method }) => id === 1 && method === undefined)).toHaveLength(1);
  });

  it(
    proves('mcp.stdio', 'a subscription gets its response when the input ends, and does not delay the end'),
    async () => {
      const server = start();
      server.read();
      const _meta = {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 't', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': {},
      };
      const params = { notifications: { toolsListChanged: true }, _meta };
      server.send({ jsonrpc: '2.0', id: 'sub', method: 'subscriptions/listen', params });
      while (!server.said().some(({ method }) => method === 'notifications/subscriptions/acknowledged'))
        await new Promise((resolve) => setTimeout(resolve, 20));
      const from = Date.now();
      server.child.stdin.end();
      const [code] = await server.ended;
      expect(Date.now() - from).toBeLessThan(6000);
      expect(code).toBe(0);
      expect(server.said().filter(({ id }) => id === 'sub')).toHaveLength(1);
    },
  );

  it(proves('mcp.stdio', 'the last request needs no newline'), async () => {
    const server = start();
    server.read();
    server.send(hello, JSON.stringify(call(1, 'Echo', { text: 'x' })));
    server.child.stdin.end();
    await server.ended;
    expect(server.said().find(({ id }) => id === 1)?.result.structuredContent).toEqual({ result: 'x' });
  });

  it(proves('mcp.stdio', 'a function may destroy or read process.stdin'), async () => {
    const server = start();
    server.read();
    server.send(hello, call(1, 'CloseInput'));
    while (!server.said().some(({ id }) => id === 1)) await new Promise((resolve) => setTimeout(resolve, 20));
    await new Promise((resolve) => setTimeout(resolve, 200));
    server.send(call(2, 'Echo', { text: 'still here' }));
    server.child.stdin.end();
    const [code] = await server.ended;
    expect(code).toBe(0);
    expect(server.said().find(({ id }) => id === 2)?.result.structuredContent).toEqual({ result: 'still here' });
  });
});

describe('a reader that stalls', { timeout: 60_000 }, () => {
  it.each([
    ['the fast path', undefined],
    ['the SDK', { progressToken: 'p' }],
  ])(proves('mcp.stdio', 'log messages are dropped beyond a limit, responses are not; by %s'), async (_way, meta) => {
    const server = start();
    server.send(
      hello,
      call(0, 'Echo', { text: 'x' }, meta),
      call(1, 'Chatter', { megabytes: 64, id: 'it' }, meta),
      call(2, 'Echo', { text: 'x' }),
    );
    while (!server.stderr().includes('it has logged')) await new Promise((resolve) => setTimeout(resolve, 20));
    server.read();
    server.child.stdin.end();
    const [code] = await server.ended;
    expect(code).toBe(0);
    expect(server.said().find(({ id }) => id === 1)?.result.structuredContent).toEqual({ result: 64 });
    // Everything that was kept is written in the end.
    expect(Buffer.concat(server.chunks).length).toBeLessThan(8_000_000);
    expect(server.said().find(({ id }) => id === 2)?.result.structuredContent).toEqual({ result: 'x' });
  });
});

describe('bytes', () => {
  it(proves('mcp.stdio', 'invalid UTF-8 is refused, and U+FFFD itself is not'), async () => {
    const server = start();
    server.read();
    const [before, after] = JSON.stringify(call(1, 'Echo', { text: '*' })).split('*') as [string, string];
    server.send(hello, before, Buffer.from([0xff, 0xfe]), `${after}\n`, call(2, 'Echo', { text: '\ufffd' }));
    server.send(before.replace('"id":1', '"id":3'), 'x'.repeat(20_000), Buffer.from([0xc3]), `${after}\n`);
    server.child.stdin.end();
    await server.ended;
    expect(server.said().filter(({ error }) => error?.code === -32700)).toHaveLength(2);
    expect(server.said().find(({ id }) => id === 2)?.result.structuredContent).toEqual({ result: '\ufffd' });
    expect(server.said()).toHaveLength(4);
  });
});
